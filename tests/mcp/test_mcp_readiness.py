"""The probe that /readyz asks: the dispatcher opens and lists its tools, or says what it answered instead."""

import pytest

from cbx_mcp import readiness
from configbox.operations.readiness import faults

pytestmark = pytest.mark.django_db


def test_a_process_whose_tools_are_listed_is_ready():
    assert readiness.opens_and_lists() is None
    assert faults() == {}


def test_a_server_without_tools_is_not_ready(monkeypatch):
    monkeypatch.setattr(readiness, "tools", tuple)
    assert faults() == {
        "mcp": 'tools/list was answered without tools: {"jsonrpc": "2.0", "id": "tools/list", "result": {"tools": []}}'
    }


def test_a_dispatcher_that_fails_is_not_ready(monkeypatch):
    def broken():
        raise RuntimeError("a tool could not be imported")

    monkeypatch.setattr(readiness, "tools", broken)
    assert faults() == {"mcp": "The probe failed (RuntimeError)."}
