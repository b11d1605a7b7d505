"""Frames between a worker process and the server: a kind, a length, a payload. Bounded, so that no flood can grow."""

import os
import struct
from typing import Final

PROGRESS: Final = b"P"
RESULT: Final = b"R"
KINDS: Final = (PROGRESS, RESULT)
# An answer of 40,000 characters stays below this even where each is escaped twice.
MAX_PAYLOAD: Final = 2_000_000
_HEADER: Final = struct.Struct(">cI")


class BrokenFrames(ValueError):
    """What came through the pipe is no frame: a tool wrote into it, or memory is damaged."""


def write_frame(descriptor: int, kind: bytes, payload: bytes) -> None:
    """Write one frame whole. Raises ValueError for a payload beyond the limit."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"A frame holds at most {MAX_PAYLOAD} bytes, got {len(payload)}.")
    waiting = memoryview(_HEADER.pack(kind, len(payload)) + payload)
    while waiting:
        waiting = waiting[os.write(descriptor, waiting) :]


class FrameReader:
    """Puts frames together from the pieces that arrive."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """Return the frames that are complete now. Raises BrokenFrames at the first byte that begins none."""
        self._buffer += data
        frames = []
        while len(self._buffer) >= _HEADER.size:
            kind, length = _HEADER.unpack_from(self._buffer)
            if kind not in KINDS or length > MAX_PAYLOAD:
                raise BrokenFrames
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            frames.append((kind, bytes(self._buffer[_HEADER.size : end])))
            del self._buffer[:end]
        return frames
