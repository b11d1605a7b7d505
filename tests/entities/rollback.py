"""One example of a law at a time: whatever it writes is gone when the next one starts."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def rolled_back() -> Iterator[None]:
    """Run a block and take back everything it wrote, ids included."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
