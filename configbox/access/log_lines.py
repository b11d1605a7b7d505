"""The form of a line of the log: no token stands in it, wherever somebody has put one."""

import logging
import re
from typing import Final

_SECRET: Final = re.compile(r"(cbx_[0-9]+_)[A-Za-z0-9_-]{8,}")


class TokenMaskingFormatter(logging.Formatter):
    """Writes lines as any formatter does, with the secret of every token in them replaced."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, its traceback included."""
        return _SECRET.sub(r"\1***", super().format(record))
