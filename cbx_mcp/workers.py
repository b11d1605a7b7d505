"""One process per call: forked from the booted server, killed as a group, never able to harm it or another call."""

import ctypes
import logging
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from django.db import connections

from cbx_mcp.frames import PROGRESS, RESULT, BrokenFrames, FrameReader, write_frame
from configbox.operations.deadline import took_too_long
from configbox.properties.json_values import read_json, write_json

logger = logging.getLogger("configbox.mcp")

READ_SIZE: Final = 65_536
READS_AT_ONCE: Final = 32
# prctl's word for "send me this signal when my parent ends"; Linux alone knows it.
PR_SET_PDEATHSIG: Final = 1
LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
# Elsewhere a worker whose server was killed ends by itself this many seconds after its deadline.
ORPHAN_MARGIN: Final = 5
EXIT_FAILED: Final = 70

Emit = Callable[[dict[str, Any]], None]
Work = Callable[[Emit], dict[str, Any]]


@dataclass
class Worker:
    """A running process and what came from it so far."""

    pid: int
    pipe: int
    limit: float
    started: float = field(default_factory=time.monotonic)
    result: bytes | None = None
    is_broken: bool = False
    has_ended_output: bool = False
    exit_code: int | None = None
    _reader: FrameReader = field(default_factory=FrameReader)

    @property
    def deadline(self) -> float:
        """Return the moment at which the worker is stopped, on the monotonic clock."""
        return self.started + self.limit

    @property
    def elapsed(self) -> float:
        """Return for how many seconds the worker has been running."""
        return time.monotonic() - self.started

    @property
    def may_be_stopped(self) -> bool:
        """Say whether stopping it half way is allowed: not where its tool set no limit."""
        return self.limit < math.inf

    def read(self) -> list[bytes]:
        """Take in what is waiting in the pipe; return progress notifications, keep the result."""
        notes: list[bytes] = []
        try:
            # A pipe holds less than this many pieces: an ended worker's last words are read whole, a flood is not.
            for _ in range(READS_AT_ONCE):
                data = os.read(self.pipe, READ_SIZE)
                if not data:
                    self.has_ended_output = True
                    break
                for kind, payload in self._reader.feed(data):
                    if kind == RESULT:
                        self.result = payload
                        return notes
                    notes.append(payload)
        except BlockingIOError:
            pass
        except BrokenFrames:
            self.is_broken = True
        return notes

    def has_ended(self) -> bool:
        """Look whether the process has ended, and remember how: its exit code, or a negative signal number."""
        if self.exit_code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code is not None

    def failure(self, name: str) -> str | None:
        """Say why the worker will not answer, or None while it may; `name` is what it runs."""
        advice = "What it had not completed was rolled back. Read the records concerned before you try again."
        if self.exit_code is not None:
            return f"{name} failed: {describe_end(self.exit_code)}. {advice}"
        if self.is_broken:
            return f"{name} was stopped: it disturbed the line to the server. {advice}"
        if time.monotonic() >= self.deadline:
            return took_too_long(name, self.limit)
        return None

    def end(self) -> None:
        """Kill the worker and every process it started, and forget it."""
        kill_group(self.pid, is_reaped=self.exit_code is not None)
        if self.exit_code is None:
            os.waitpid(self.pid, 0)
        os.close(self.pipe)


def start_worker(work: Work, limit: float, inherited: Iterable[int] = ()) -> Worker:
    """Fork a worker that does `work` for at most `limit` seconds; it closes the `inherited` descriptors first.

    The server has no database connection at that moment: two processes on one would break both.
    """
    connections.close_all()
    server = os.getpid()
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become_worker(work, write_end, limit, server, [read_end, *inherited])
    os.close(write_end)
    os.set_blocking(read_end, False)
    return Worker(pid, read_end, limit)


def ask(question: Callable[[], str | None], seconds: float, inherited: Iterable[int] = ()) -> str | None:
    """Return what a worker answers to `question`, None if it has no answer within `seconds`."""
    worker = start_worker(lambda emit: {"answer": question()}, seconds, inherited)
    poll = select.poll()
    poll.register(worker.pipe, select.POLLIN)
    while worker.result is None and (left := worker.deadline - time.monotonic()) > 0:
        if poll.poll(left * 1000):
            worker.read()
            if worker.has_ended_output or worker.is_broken:
                break
    worker.end()
    return _answer_in(worker.result)


def _answer_in(payload: bytes | None) -> str | None:
    document = read_json(payload) if payload else None
    answer = document.get("answer") if isinstance(document, dict) else None
    return answer if isinstance(answer, str) else None


def describe_end(code: int) -> str:
    """Say how a process ended: by itself with an exit code, or by the signal whose negative `code` is."""
    if code >= 0:
        return f"its process ended with exit code {code} before it answered"
    try:
        return f"its process was ended by signal {signal.Signals(-code).name}"
    except ValueError:
        return f"its process was ended by signal {-code}"


def kill_group(pid: int, is_reaped: bool = False) -> None:
    """Kill a worker and its descendants; of a worker that was waited for only descendants are left."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        # It has not become the leader of a group yet. A number that was waited for may be another process by now.
        if not is_reaped:
            os.kill(pid, signal.SIGKILL)


def _become_worker(work: Work, pipe: int, limit: float, server: int, inherited: Iterable[int]) -> NoReturn:
    code = EXIT_FAILED
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        if limit < math.inf:
            end_with(server, limit + ORPHAN_MARGIN)
        _take_standard_streams()
        for descriptor in inherited:
            os.close(descriptor)
        answer = work(lambda note: write_frame(pipe, PROGRESS, write_json(note).encode()))
        write_frame(pipe, RESULT, write_json(answer).encode())
        code = 0
    except BaseException:
        logger.exception("A worker failed")
    finally:
        os._exit(code)


def end_with(parent: int, seconds: float) -> None:
    """End this process when its parent is killed, and in any case after `seconds`; both outlast an exec.

    Nobody waits for the answer then, and an open transaction would hold up others.
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(EXIT_FAILED)


def _take_standard_streams() -> None:
    """Give a worker an empty input, and standard error as its output: the protocol's streams are not its own."""
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
