"""Long runs of generated input: how many, in pieces that are rolled back, and whether memory stayed flat."""

import os
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction

from tests.conftest import LONG_SWEEPS

# What is generated is hostile to the doors; of the database behind them it tells little that a tenth does not.
LONG_ROUNDS = 100_000 if os.environ.get("DATABASE_URL", "").startswith("mysql:") else 1_000_000
ROUNDS = LONG_ROUNDS if LONG_SWEEPS else 10_000
PIECE = 500
# A leak of a hundred bytes per round would show in a million, and a cache that fills up would not.
MAX_GROWTH = 60_000_000


def memory(pid: int | str = "self") -> int:
    """Return the bytes a process holds in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def in_pieces(rounds: int) -> Iterator[int]:
    """Yield the numbers of rounds, rolling back what each piece wrote; assert at the end that memory stayed flat."""
    held = 0
    for begin in range(0, rounds, PIECE):
        with transaction.atomic():
            yield from range(begin, min(begin + PIECE, rounds))
            transaction.set_rollback(True)
        if not held and begin >= rounds // 10:
            held = memory()
    assert memory() - held < MAX_GROWTH
