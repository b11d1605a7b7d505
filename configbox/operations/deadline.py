"""Ends a request that a web server's own process answers, before that process is killed for answering too late."""

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from django.conf import settings
from django.db import connections

# Seconds between the end of what takes too long and the moment at which the web server would kill its process.
MARGIN: Final = 5


class DeadlineReached(BaseException):
    """The time is over. No Exception, so that what runs cannot mistake it for one of its own faults."""


def seconds_to_answer() -> float:
    """Return how long a request may take and still be answered in time; HTTP_TIMEOUT of 0 sets no limit."""
    timeout: int = settings.HTTP_TIMEOUT
    return max(timeout - MARGIN, timeout / 2) if timeout else math.inf


def took_too_long(name: str, seconds: float) -> str:
    """Say that something was stopped because it did not end in time."""
    return (
        f"{name} did not end within {seconds:g} seconds and was stopped. What it had not completed was rolled back. "
        "Read the records concerned before you try again. Ask for less at once."
    )


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
