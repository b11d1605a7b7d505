"""Schemathesis calls every operation of a token's OpenAPI document, as it allows and as it forbids; every check is on.

A long sweep tries every value at the limits of every schema, and many more in between.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.pytest.lazy import get_all_tests

from configbox.access.grants import parse_scopes
from configbox.access.scopes import PRESETS
from configbox.wsgi import application
from tests.api.rest_door import RestDoor
from tests.conftest import LONG_SWEEPS
from tests.entities.shop import Shop

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(3000 if LONG_SWEEPS else 300), pytest.mark.thorough]

ALL = "everything"
# Other databases are asked with the widest grant and with the operator's.
GRANTS = list(PRESETS) if connection.vendor == "sqlite" else [ALL, "operator"]
EXAMPLES = {ALL: 60 if LONG_SWEEPS else 4}
OTHER_EXAMPLES = 20 if LONG_SWEEPS else 2
# Paths whose limits are all tried in a short run: every kind of address, few fields.
SHORT = r"^/(openapi.json|(tax-class|store)(/.*)?)?$"
READS = ["GET"]
WRITES = ["POST", "PATCH", "DELETE"]
# Texts may be too long for the body as a whole.
REFUSALS = ["400", "401", "404", "405", "412", "413", "415", "422"]
ACCEPTED = {
    "GET": ["2xx", "401", "404"],
    # A schema does not know which records there are, nor what fields mean together: a write may be refused.
    "POST": ["2xx", "400", "401", "404", "409", "412", "422"],
}
# What no token may do anywhere. What this one may not do is no part of its document: it is refused with 403, and an
# Allow that is told to OPTIONS, before the token is looked at, names it.
NOBODYS_METHODS = ["put", "trace", "query"]


@pytest.fixture(autouse=True)
def no_log_lines() -> Iterator[None]:
    """Keep the log quiet: pytest holds every line of a test in memory."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(autouse=True)
def kept_connection() -> Iterator[None]:
    """Keep the connection that the test's transaction is on: a served request gives up one that is in a transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def document_of(preset: str, methods: list[str], most: int = 1, path: str = "", **phases: bool) -> Any:
    """Return the document of a token with this preset, ready to be called with it: these methods of these paths."""
    secret = RestDoor(parse_scopes([], [preset])).secret
    host = {"Host": "localhost"}
    switched: dict[str, dict[str, Any]] = {name: {"enabled": on} for name, on in phases.items()}
    if preset != ALL:
        switched["coverage"] = switched.get("coverage", {}) | {"unexpected-methods": NOBODYS_METHODS}
    config = {
        # Texts with NUL are valid by schema; that they are refused has tests of its own.
        "generation": {"deterministic": True, "allow-x00": False, "max-examples": most},
        "phases": switched,
        "headers": host,
        "auth": {"openapi": {"token": {"bearer": secret}}},
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED[methods[0]]},
            "negative_data_rejection": {"expected-statuses": REFUSALS},
        },
    }
    document = schemathesis.openapi.from_wsgi(
        "/cb-api/v1/openapi.json",
        application,
        config=SchemathesisConfig.from_dict(config),
        headers=host | {"Authorization": f"Bearer {secret}"},
    )
    return document.include(method=methods, path_regex=path or None)


def call_all(document: Any) -> Counter[str]:
    """Call every operation with generated requests, check each answer, and return how many there were of each."""
    load_all_checks()
    called: Counter[str] = Counter()

    def check(case: Any) -> None:
        called[case.operation.label] += 1
        case.call_and_validate()

    for result in get_all_tests(schema=document, test_func=check, settings=None, given_kwargs={}):
        _, run = result.ok()
        run()
    return called


def operations_of(document: Any) -> set[str]:
    return {f"{method.upper()} {path}" for path, found in document.raw_schema["paths"].items() for method in found}


@pytest.mark.parametrize("preset", GRANTS)
def test_generated_requests_are_answered_as_the_document_says(preset: str, shop: Shop) -> None:
    called: Counter[str] = Counter()
    for methods in (READS, WRITES):
        document = document_of(preset, methods, EXAMPLES.get(preset, OTHER_EXAMPLES), coverage=False)
        called += call_all(document)
    assert called.keys() == operations_of(document)
    assert ("POST /product" in called) is (preset in ("author", ALL))


@pytest.mark.parametrize("preset", GRANTS if LONG_SWEEPS else [ALL, "operator"])
def test_values_at_the_limits_of_every_schema_are_answered_as_the_document_says(preset: str, shop: Shop) -> None:
    path = "" if LONG_SWEEPS else SHORT
    called: Counter[str] = Counter()
    for methods in (READS, WRITES):
        called += call_all(document_of(preset, methods, path=path, fuzzing=False, examples=False))
    assert called["GET /tax-class/{id}"] > 30
    assert (called["PATCH /tax-class/{id}"] > 30) is (preset in ("operator", ALL))


def test_records_that_are_made_and_deleted_are_there_and_gone(shop: Shop) -> None:
    document = document_of(ALL, [*WRITES, *READS])
    made: list[int] = []

    class Machine(document.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            # Each run begins with the same records: what is generated next depends on what was answered.
            self.kept = transaction.atomic()
            self.kept.__enter__()

        def after_call(self, response: Any, case: Any) -> None:
            made.append(response.status_code)

        def teardown(self) -> None:
            transaction.set_rollback(True)
            self.kept.__exit__(None, None, None)

    Machine.run(
        settings=settings(
            max_examples=200 if LONG_SWEEPS else 40,
            stateful_step_count=8,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
    )
    assert {201, 204} <= set(made)
