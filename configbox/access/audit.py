"""One line per decision: who was allowed what, how it ended, how long it took. Never arguments, never a token."""

import logging
from typing import Final, Literal

from configbox.access.grants import Grant

logger = logging.getLogger("configbox.authorization")

Kind = Literal["tool", "route", "token"]
Outcome = Literal["ok", "error", "refused", "cancelled"]
MAX_NAME: Final = 60
MAX_LABEL: Final = 120


def write_decision(
    kind: Kind, name: object, caller: str, grant: Grant | None, outcome: Outcome, seconds: float = 0
) -> None:
    """Log one decision on a tool, a route (`GET /cb-api/v1/product`) or a token (`mint token #3 "shop"`).

    `grant` is None for a caller who holds none. Names come from outside: they are cut and escaped, so that none can
    forge a line.
    """
    logger.info(
        "%s=%s caller=%s scopes=%s outcome=%s ms=%d",
        kind,
        _escaped(name, MAX_NAME) if isinstance(name, str) else "(no name)",
        _escaped(caller, MAX_LABEL),
        grant.describe().replace(", ", ",") if grant else "none",
        outcome,
        round(seconds * 1000),
    )


def _escaped(text: str, length: int) -> str:
    return ascii(text)[1:-1][:length]
