"""Progress notifications of one call: only where asked for, only growing, and not too many."""

import time
from collections.abc import Callable
from typing import Any, Final

from cbx_mcp.protocol.messages import is_id

MIN_INTERVAL: Final = 0.1


class ProgressReporter:
    """Sends how far a call has come. What does not grow, or comes too soon after the last, is left out."""

    def __init__(self, token: object, emit: Callable[[dict[str, Any]], None]) -> None:
        self.token = token if is_id(token) else None
        self.emit = emit
        self.last: int | None = None
        self.sent_at = -MIN_INTERVAL
        self.is_over = False

    def __call__(self, current: int, total: int | None = None, message: str | None = None) -> None:
        now = time.monotonic()
        is_final = total is not None and current >= total
        if self.token is None or self.is_over or (self.last is not None and current <= self.last):
            return
        if now - self.sent_at < MIN_INTERVAL and not is_final and self.last is not None:
            return
        self.last, self.sent_at = current, now
        params: dict[str, Any] = {"progressToken": self.token, "progress": current}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message[:1000]
        self.emit({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    def close(self) -> None:
        """Send nothing more: the call is being answered."""
        self.is_over = True
