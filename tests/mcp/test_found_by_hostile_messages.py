"""What hostile messages once broke, each as small as it can be said."""

import json

import pytest
from django.test import Client

from cbx_mcp.protocol.errors import ProtocolError
from cbx_mcp.protocol.messages import read_message
from configbox.access import tokens
from configbox.access.grants import Grant

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def token(db):
    return tokens.mint("test", Grant.everything(), created_by="test", expires=None)[1]


def post(token, message, **headers):
    headers = {"Authorization": f"Bearer {token}"} | headers
    return Client().post("/cb-api/v1/mcp", message, content_type="application/json", headers=headers)


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "http://]", "//", "http://user@testserver"])
def test_what_is_no_origin_is_refused_and_breaks_nothing(token, origin):
    response = post(token, {"jsonrpc": "2.0", "id": 1, "method": "ping"}, Origin=origin)
    assert response.status_code == 403
    assert response.json()["error"]["code"] == -32600


def test_an_error_has_its_status_where_only_events_are_accepted(token):
    message = {"jsonrpc": "2.0", "id": 1, "method": "no/such", "params": {"_meta": MODERN}}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "no/such", "Accept": "text/event-stream"}
    response = post(token, message, **headers)
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    assert response.json()["error"]["code"] == -32601


@pytest.mark.parametrize("request_id", ["\ud800", "a\x00"])
def test_an_id_that_is_no_text_is_seen_behind_another_fault(request_id):
    message = {"jsonrpc": "2.0", "method": "ping", "params": {"a": "\x00"}, "id": request_id}
    with pytest.raises(ProtocolError) as refused:
        read_message(json.dumps(message).encode())
    assert (refused.value.code, refused.value.request_id) == (-32600, None)
    assert "id" not in refused.value.answer()
