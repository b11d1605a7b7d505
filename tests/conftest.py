"""How much the suite tries: few examples by default, many when CONFIGBOX_LONG_SWEEPS is set."""

import os

import pytest
from hypothesis import HealthCheck, settings

LONG_SWEEPS = os.environ.get("CONFIGBOX_LONG_SWEEPS", "0") not in ("", "0")

# An example of the entity laws writes whole records, so its time says nothing about its quality.
PATIENT = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("quick", max_examples=25, derandomize=True, **PATIENT)
settings.register_profile("long", max_examples=400, **PATIENT)
settings.load_profile("long" if LONG_SWEEPS else "quick")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if LONG_SWEEPS:
        return
    for item in items:
        if item.get_closest_marker("long_sweep"):
            item.add_marker(pytest.mark.skip(reason="a long sweep: set CONFIGBOX_LONG_SWEEPS=1 (bin/test --all)"))
