"""The smallest picture and the smallest sound."""

import base64
import struct

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg=="
)
# A header of 44 bytes and two silent samples.
WAV = struct.pack(
    "<4sI4s4sIHHIIHH4sI", b"RIFF", 40, b"WAVE", b"fmt ", 16, 1, 1, 8000, 16000, 2, 16, b"data", 4
) + bytes(4)
