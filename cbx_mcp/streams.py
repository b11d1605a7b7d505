"""The three standard streams of a server on stdio: output claimed for the protocol, log lines that never block."""

import io
import logging
import os
import select
import sys
from typing import Final

# A pipe that is writable takes this much without blocking.
CHUNK: Final = 4096
LOG_PATIENCE_MS: Final = 200


def claim_standard_output() -> int:
    """Return a descriptor for the protocol alone; whatever else is written to standard output goes to standard error.

    Prints, writes to descriptor 1 and processes that are started later are all diverted.
    """
    protocol = os.dup(1)
    os.dup2(2, 1)
    return protocol


class ProtocolOutput:
    """Lines waiting to be written. Never blocks: a client may send much before it reads."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._waiting = bytearray()
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLOUT)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, line: bytes) -> None:
        """Append one message; `pump` writes it."""
        self._waiting += line + b"\n"

    def pump(self) -> None:
        """Write what can be written at once. Raises OSError where nobody reads any more."""
        while self._waiting and self._poll.poll(0):
            written = os.write(self.descriptor, self._waiting[:CHUNK])
            del self._waiting[:written]


class PatientStderr(io.TextIOBase):
    """Standard error for log lines: waits a moment for a reader and drops the line rather than stand still.

    Clients exist that never read a server's standard error; its pipe fills up after some hundred lines.
    """

    def __init__(self, descriptor: int = 2) -> None:
        self.descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLOUT)

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        waiting = memoryview(text.encode("utf-8", "backslashreplace"))
        while waiting and self._poll.poll(LOG_PATIENCE_MS):
            try:
                waiting = waiting[os.write(self.descriptor, waiting[:CHUNK]) :]
            except OSError:
                break
        return len(text)


def log_patiently() -> None:
    """Let the log handlers that write to standard error do so without ever blocking."""
    stream = PatientStderr()
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    for handler in {handler for each in loggers for handler in each.handlers}:
        if isinstance(handler, logging.StreamHandler) and handler.stream in (sys.stderr, sys.__stderr__):
            handler.setStream(stream)
