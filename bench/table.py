"""Figures of one run: summing up samples, and printing what is compared side by side."""

from collections.abc import Sequence
from statistics import median, quantiles


def milliseconds(seconds: Sequence[float]) -> tuple[str, str]:
    """Return the median and the 95th percentile of durations, as texts in milliseconds."""
    return f"{median(seconds) * 1000:.1f}", f"{quantiles(seconds, n=20, method='inclusive')[-1] * 1000:.1f}"


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under their heads: the first column to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        first, *others = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *others]).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))
