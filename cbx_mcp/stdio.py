"""The stdio transport: one loop that reads lines, answers what needs no tool, and gives each call a worker."""

import math
import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import close_old_connections

from cbx_mcp.lines import LineReader
from cbx_mcp.protocol.dispatch import Work, answer_for, answer_request, work_of
from cbx_mcp.protocol.errors import INVALID_REQUEST, ProtocolError
from cbx_mcp.protocol.messages import Notification, Request, read_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.streams import ProtocolOutput
from cbx_mcp.workers import READ_SIZE, Worker, start_worker
from configbox.access.audit import Outcome, write_decision
from configbox.properties.json_values import write_json

DEADLINE: Final = 120
MAX_RUNNING: Final = 4
# Reading stops while more bytes than this wait to be run or written; the client's pipe then holds the rest.
MAX_WAITING: Final = 8_000_000
# Seconds that calls have to end after the client closed its side.
GRACE: Final = 5

# Answers a call inside its worker: `answer_request` there and then, or by way of a fresh process.
Isolation = Callable[[Request, Session], dict[str, Any]]


@dataclass
class Pending:
    """A request on its way: waiting for a worker, or running in one."""

    request: Request
    work: Work
    size: int
    worker: Worker | None = None
    is_cancelled: bool = False


class StdioServer:
    """Serves one client over two descriptors until it closes its side, or SIGTERM or SIGINT comes."""

    def __init__(self, session: Session, output: int, isolation: Isolation | None, *, source: int = 0) -> None:
        """Serve `session`, answering on `output`. An `isolation` of None runs tools in this process."""
        self.session = session
        self.source = source
        self.isolation = isolation
        self.output = ProtocolOutput(output)
        self.lines = LineReader()
        self.waiting: deque[Pending] = deque()
        self.running: list[Pending] = []
        self.ended_at = math.inf
        self.is_stopped = False
        self.selector = selectors.PollSelector()
        self.wake_read, self.wake_write = os.pipe()

    # --- the loop ---------------------------------------------------------------------------------------------
    def run(self) -> None:
        """Serve until there is nothing left to do."""
        self._watch_signals()
        self.selector.register(self.wake_read, selectors.EVENT_READ)
        try:
            while not self._is_finished():
                self._watch()
                ready = [key.fd for key, _ in self.selector.select(self._timeout())]
                if self.wake_read in ready:
                    os.read(self.wake_read, READ_SIZE)
                if self.source in ready:
                    self._read_input()
                self._attend_workers()
                self._start_waiting()
                self.output.pump()
        except OSError as error:
            # Nobody reads the answers any more: the end of the session, not a fault.
            if not isinstance(error, BrokenPipeError | ConnectionError):
                raise
        finally:
            self._end_all()

    def _watch_signals(self) -> None:
        os.set_blocking(self.wake_write, False)
        os.set_blocking(self.wake_read, False)
        signal.set_wakeup_fd(self.wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)

    def _stop(self, number: int, frame: object) -> None:
        self.is_stopped = True

    def _is_finished(self) -> bool:
        if self.is_stopped or time.monotonic() > self.ended_at + GRACE:
            return True
        return self.ended_at < math.inf and not self.waiting and not self.running and not self.output

    def _watch(self) -> None:
        """Register exactly the descriptors that matter now."""
        wanted = {self.wake_read: selectors.EVENT_READ}
        held = sum(each.size for each in self.waiting) + len(self.output)
        if self.ended_at == math.inf and held < MAX_WAITING:
            wanted[self.source] = selectors.EVENT_READ
        if self.output:
            wanted[self.output.descriptor] = selectors.EVENT_WRITE
        for each in self.running:
            if each.worker and not each.worker.has_ended_output:
                wanted[each.worker.pipe] = selectors.EVENT_READ
        for key in list(self.selector.get_map().values()):
            if wanted.get(key.fd) != key.events:
                self.selector.unregister(key.fd)
        for descriptor in wanted.keys() - self.selector.get_map().keys():
            self.selector.register(descriptor, wanted[descriptor])

    def _timeout(self) -> float | None:
        moments = [each.worker.deadline for each in self.running if each.worker]
        nearest = min([*moments, self.ended_at + GRACE])
        return None if nearest == math.inf else max(0, nearest - time.monotonic())

    # --- input ------------------------------------------------------------------------------------------------
    def _read_input(self) -> None:
        data = os.read(self.source, READ_SIZE)
        lines = self.lines.feed(data) if data else self.lines.finish()
        if not data:
            self.ended_at = time.monotonic()
        for line in lines:
            if line is None:
                self._send(ProtocolError(INVALID_REQUEST, "A message may have at most 4 MB.").answer())
            elif line.strip():
                self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            message = read_message(line)
        except ProtocolError as error:
            self._send(error.answer())
            return
        if isinstance(message, Notification):
            if message.method == "notifications/cancelled":
                self._cancel(message.params.get("requestId"))
        elif isinstance(message, Request):
            work = work_of(message, self.session)
            if work and self.isolation:
                self.waiting.append(Pending(message, work, len(line)))
            else:
                # A connection that the database server dropped meanwhile would fail the call.
                close_old_connections()
                self._send(answer_request(message, replace(self.session, emit=self._send)))
                close_old_connections()

    def _cancel(self, request_id: object) -> None:
        """Stop a call and answer nothing. A tool that must not be stopped half way goes on unheard."""
        for each in [*self.waiting, *self.running]:
            if type(each.request.id) is type(request_id) and each.request.id == request_id:
                each.is_cancelled = True
        self.waiting = deque(each for each in self.waiting if not each.is_cancelled)

    # --- output -----------------------------------------------------------------------------------------------
    def _send(self, message: dict[str, Any]) -> None:
        self._send_line(write_json(message).encode())

    def _send_line(self, line: bytes) -> None:
        self.output.add(line)
        self.output.pump()

    # --- workers ----------------------------------------------------------------------------------------------
    def _start_waiting(self) -> None:
        while self.waiting and len(self.running) < MAX_RUNNING:
            pending = self.waiting.popleft()
            pending.worker = self._start(pending)
            self.running.append(pending)

    def _start(self, pending: Pending) -> Worker:
        limit = DEADLINE if pending.work.deadline is None else pending.work.deadline
        others = [each.worker.pipe for each in self.running if each.worker]
        inherited = [self.output.descriptor, self.wake_read, self.wake_write, *others]
        answer = self.isolation or answer_request
        return start_worker(lambda emit: answer(pending.request, replace(self.session, emit=emit)), limit, inherited)

    def _attend_workers(self) -> None:
        """Pass on what workers sent, and conclude those that answered, ended, took too long or were cancelled."""
        for pending in list(self.running):
            if pending.worker and self._attend(pending, pending.worker):
                self.running.remove(pending)

    def _attend(self, pending: Pending, worker: Worker) -> bool:
        """Return whether the call is over."""
        # In this order: what an ended worker had sent is all there to be read.
        worker.has_ended()
        notes = worker.read()
        if pending.is_cancelled and worker.may_be_stopped:
            worker.end()
            self._audit(pending, "cancelled")
            return True
        if not pending.is_cancelled:
            for note in notes:
                self._send_line(note)
        if worker.result is not None:
            worker.end()
            if not pending.is_cancelled:
                self._send_line(worker.result)
            return True
        failure = worker.failure(pending.work.name)
        if failure is None:
            return False
        worker.end()
        self._audit(pending, "error")
        if not pending.is_cancelled:
            self._send(answer_for(pending.request, failure))
        return True

    def _audit(self, pending: Pending, outcome: Outcome) -> None:
        seconds = pending.worker.elapsed if pending.worker else 0
        write_decision("tool", pending.work.name, self.session.actor, self.session.grant, outcome, seconds)

    def _end_all(self) -> None:
        for pending in self.running:
            if pending.worker and pending.worker.may_be_stopped:
                pending.worker.end()
                self._audit(pending, "cancelled")
        self.selector.close()
        signal.set_wakeup_fd(-1)
