"""Whether this process can serve: every probe is asked, and what fails is logged and named."""

import logging
from collections.abc import Callable

from configbox.operations.database_state import hindrance

logger = logging.getLogger("configbox.readiness")

# Returns a sentence about what is wrong, or None.
Probe = Callable[[], str | None]

_probes: dict[str, Probe] = {"database": hindrance}


def register_probe(name: str, probe: Probe) -> None:
    """Add what must be fine for this process to be ready. A name stands for one probe: the last one counts."""
    _probes[name] = probe


def faults() -> dict[str, str]:
    """Return `{name: what is wrong}` of every probe that fails, or that cannot even tell."""
    found = {}
    for name, probe in _probes.items():
        try:
            fault = probe()
        except Exception as error:
            logger.exception("The probe %s failed", name)
            fault = f"The probe failed ({type(error).__name__})."
        if fault is not None:
            logger.warning("Not ready, %s: %s", name, fault)
            found[name] = fault
    return found
