"""One line per tool call: who was allowed what, how it ended, how long it took. Never the arguments."""

import logging
from typing import Literal

from configbox.access.grants import Grant

logger = logging.getLogger("configbox.authorization")

Outcome = Literal["ok", "error", "refused", "cancelled"]
MAX_NAME = 60


def write_audit_line(tool: object, actor: str, grant: Grant, outcome: Outcome, seconds: float) -> None:
    """Log one call. The tool's name comes from outside: it is cut and escaped, so that it cannot forge a line."""
    logger.info(
        "tool=%s caller=%s scopes=%s outcome=%s ms=%d",
        ascii(tool)[1:-1][:MAX_NAME] if isinstance(tool, str) else "(no name)",
        actor,
        grant.describe().replace(", ", ","),
        outcome,
        round(seconds * 1000),
    )
