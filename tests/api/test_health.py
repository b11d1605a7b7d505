"""The two addresses for whoever watches over the process."""

import logging
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client

from configbox.operations import readiness
from configbox.operations.readiness import faults, register_probe

READY = {"status": "ok"}


@pytest.fixture(autouse=True)
def own_probes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let a test register what it likes."""
    probes = dict(readiness._probes)
    monkeypatch.setattr(readiness, "_probes", probes)
    return probes


def test_the_process_lives_and_asks_nobody(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        for path in ("/healthz", "/healthz/"):
            response = Client().get(path)
            assert (response.status_code, response.json()) == (200, READY)
            assert response["Cache-Control"] == "no-store"
    assert Client().post("/healthz").status_code == 405


def test_a_migrated_store_is_ready(db: None) -> None:
    for path in ("/readyz", "/readyz/"):
        response = Client().get(path)
        assert (response.status_code, response.json()) == (200, READY)
    assert Client().head("/readyz").status_code == 200
    assert Client().put("/readyz").status_code == 405


def test_what_fails_is_named_and_only_the_log_says_why(db: None, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> str | None:
        raise DatabaseError("host db.internal, password hunter2")

    register_probe("printer", lambda: "No paper in printer-7.internal.")
    register_probe("broken", broken)
    register_probe("fine", lambda: None)
    with caplog.at_level(logging.WARNING, "configbox.readiness"):
        response = Client().get("/readyz")
    assert response.status_code == 503
    assert response.json() == {"status": "unavailable", "failing": ["broken", "printer"]}
    told = [record.getMessage() for record in caplog.records if record.name == "configbox.readiness"]
    assert told == [
        "Not ready, printer: No paper in printer-7.internal.",
        "The probe broken failed",
        "Not ready, broken: The probe failed (DatabaseError).",
    ]
    assert faults()["printer"] == "No paper in printer-7.internal."


def test_a_name_stands_for_one_probe(own_probes: dict[str, Any]) -> None:
    own_probes.clear()
    register_probe("printer", lambda: "No paper.")
    register_probe("printer", lambda: None)
    assert faults() == {}


def test_a_store_without_its_migrations_is_not_ready(
    own_probes: dict[str, Any], db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("configbox.operations.database_state.pending_migrations", lambda: ["catalog.0099_more"])
    own_probes["database"] = readiness.hindrance
    response = Client().get("/readyz")
    assert (response.status_code, response.json()["failing"]) == (503, ["database"])
    assert "0099" not in response.content.decode()


def test_health_is_at_the_root_alone_and_is_not_redirected(settings: Any, db: None) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/healthz").status_code == 200
    assert Client().get("/readyz").status_code == 200
    assert Client().get("/de/healthz", secure=True).status_code == 404
