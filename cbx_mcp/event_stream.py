"""A call over HTTP whose progress is watched: it runs in a process of its own and is heard as server-sent events."""

import os
import select
import time
from collections.abc import Iterator
from typing import Any, Final

from django.db import connections

from cbx_mcp.protocol.dispatch import Work, answer_for
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.session import Session
from cbx_mcp.workers import Work as Task
from cbx_mcp.workers import Worker, start_worker
from configbox.access.audit import Outcome, write_decision
from configbox.properties.json_values import read_json, write_json

# Proxies cut a connection that is silent for a minute, and a client that went is only noticed by writing to it.
KEEP_ALIVE: Final = 5.0
# How often a worker that says nothing is looked at whether it is still there.
LOOK: Final = 0.5
# How often a worker that closed its pipe is looked at until it has ended.
POLL: Final = 0.02


def event(payload: bytes) -> bytes:
    """Return a message as one event."""
    return b"event: message\ndata: " + payload + b"\n\n"


class WatchedCall:
    """One call in a worker: `first()` waits for what comes first, iterating yields all as events, closing ends it."""

    def __init__(self, request: Request, session: Session, work: Work, task: Task, limit: float) -> None:
        self.request = request
        self.session = session
        self.work = work
        connections.close_all()
        self.worker: Worker = start_worker(task, limit, _open_descriptors())
        self.notes: list[bytes] = []
        self.failed: dict[str, Any] | None = None
        self.is_over = False

    def first(self) -> dict[str, Any] | None:
        """Return the answer if it comes before anything else and soon; None where events are to be watched."""
        self._wait(KEEP_ALIVE)
        answer = None if self.notes else self._answer()
        read = read_json(answer) if answer is not None else None
        return read if isinstance(read, dict) else None

    def __iter__(self) -> Iterator[bytes]:
        """Yield the notifications and the answer, and comments while there is nothing to say."""
        while True:
            yield from map(event, self.notes)
            self.notes = []
            if (answer := self._answer()) is not None:
                yield event(answer)
                return
            if not self._wait(KEEP_ALIVE):
                yield b": the call goes on\n\n"

    def close(self) -> None:
        """End the worker, whatever it is doing: nobody hears the answer any more."""
        if self.is_over:
            return
        self.is_over = True
        if self.worker.result is None:
            self._audit("error" if self.failed else "cancelled")
        self.worker.end()

    def _answer(self) -> bytes | None:
        """Return the answer, if there is one by now."""
        if self.worker.result is not None:
            return self.worker.result
        if self.failed is None and (failure := self.worker.failure(self.work.name)):
            self.failed = answer_for(self.request, failure)
        return write_json(self.failed).encode() if self.failed else None

    def _wait(self, seconds: float) -> bool:
        """Wait for something to tell, so many seconds at most; return whether there is."""
        until = min(time.monotonic() + seconds, self.worker.deadline)
        while (left := until - time.monotonic()) > 0:
            if self.worker.has_ended_output or self.worker.is_broken:
                if self.worker.is_broken or self.worker.has_ended():
                    return True
                time.sleep(POLL)
                continue
            poll = select.poll()
            poll.register(self.worker.pipe, select.POLLIN)
            if poll.poll(min(left, LOOK) * 1000):
                self.notes += self.worker.read()
                if self.notes or self.worker.result is not None:
                    return True
            elif self.worker.has_ended():
                # What it started may outlive it and keep the pipe open: nothing more will come.
                self.notes += self.worker.read()
                return True
        return time.monotonic() >= self.worker.deadline

    def _audit(self, outcome: Outcome) -> None:
        write_decision("tool", self.work.name, self.session.actor, self.session.grant, outcome, self.worker.elapsed)


def _open_descriptors() -> list[int]:
    """Return what a worker must not keep open beside the standard streams: the server's sockets and pipes."""
    return [number for number in map(int, os.listdir("/dev/fd")) if number > 2 and _is_open(number)]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
