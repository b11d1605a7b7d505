"""Ends a call that runs in a server's own process before that server is killed for answering too late."""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from django.db import connections


class DeadlineReached(BaseException):
    """The time is over. No Exception, so that what runs cannot mistake it for one of its own faults."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise DeadlineReached inside after so many seconds; open transactions are rolled back on the way out.

    Works where requests are served by a process's main thread, which is where a late answer would kill the process.
    """
    if seconds == math.inf or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise DeadlineReached

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except DeadlineReached:
        # It may have come in the middle of a statement: these connections are in no state to be used again.
        connections.close_all()
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
