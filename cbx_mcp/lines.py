"""Splits bytes into lines at newlines only, and refuses a line beyond measure without keeping it."""

from typing import Final

MAX_LINE: Final = 4_000_000

# Stands among the lines for one that was too long.
TOO_LONG: Final = None


class LineReader:
    """Puts lines together from the pieces that arrive. Holds at most one line in memory."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._is_skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """Return the lines that are complete now, without their ends; TOO_LONG once for each that was too long."""
        lines: list[bytes | None] = []
        *complete, rest = data.split(b"\n")
        for piece in complete:
            lines.extend(self._take(piece))
            if self._is_skipping:
                self._is_skipping = False
            else:
                lines.append(bytes(self._buffer))
            self._buffer.clear()
        lines.extend(self._take(rest))
        return lines

    def finish(self) -> list[bytes | None]:
        """Return the last line, where the input ended without a newline."""
        return [bytes(self._buffer)] if self._buffer else []

    def _take(self, piece: bytes) -> list[None]:
        """Add to the line; returns TOO_LONG where it has just become so."""
        if self._is_skipping:
            return []
        if len(self._buffer) + len(piece) > self.limit:
            self._buffer.clear()
            self._is_skipping = True
            return [TOO_LONG]
        self._buffer += piece
        return []
