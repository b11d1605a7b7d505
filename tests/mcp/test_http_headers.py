"""The parts of an HTTP request that are judged before its message: Accept, Content-Type, Origin, repeated values."""

import base64

import pytest

from cbx_mcp.http_headers import accepted, check_headers, is_own_origin
from cbx_mcp.protocol.errors import ProtocolError
from cbx_mcp.protocol.messages import Request
from configbox.properties.json_values import is_json

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        (None, (True, True)),
        ("", (True, True)),
        ("*/*", (True, True)),
        ("application/json", (True, False)),
        ("text/event-stream", (False, True)),
        ("application/json, text/event-stream", (True, True)),
        ("Application/JSON;q=0.9,text/event-stream;q=0.1", (True, True)),
        ("application/json;q=0, text/event-stream", (False, True)),
        ("application/json; q=0.000", (False, False)),
        ("application/*", (True, False)),
        ("text/*", (False, True)),
        ("text/html", (False, False)),
        ("text/html, */*;q=0.1", (True, True)),
    ],
)
def test_accept_is_read_with_its_qualities(header, takes):
    assert accepted(header) == takes


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("application/json", True),
        ("application/json; charset=utf-8", True),
        ('Application/JSON;charset="UTF-8"', True),
        ("application/json; charset=latin-1", False),
        ("text/plain", False),
        ("application/jsonp", False),
        ("", False),
    ],
)
def test_content_type_is_json_in_utf_8(header, taken):
    assert is_json(header) is taken


@pytest.mark.parametrize(
    ("origin", "taken"),
    [
        (None, True),
        ("http://shop.example", True),
        ("https://shop.example", True),
        ("https://desk.example", True),
        ("https://shop.example.evil", False),
        ("https://evil", False),
        ("http://shop.example:81", False),
        ("null", False),
        ("", False),
    ],
)
def test_only_pages_of_the_store_and_of_trusted_origins_may_ask(origin, taken):
    assert is_own_origin(origin, "shop.example", ["https://desk.example"]) is taken


def refused(method, params, headers):
    with pytest.raises(ProtocolError) as error:
        check_headers(Request(1, method, params), headers)
    return error.value.code


def call(name="cbx_get_entity", **headers):
    names = {"version": "MCP-Protocol-Version", "method": "Mcp-Method", "named": "Mcp-Name"}
    sent = {"version": "2026-07-28", "method": "tools/call", "named": name} | headers
    given = {names[key]: value for key, value in sent.items() if value is not None}
    return "tools/call", {"name": name, "_meta": META}, given


def test_a_modern_request_repeats_its_version_method_and_name():
    assert check_headers(Request(1, *call()[:2]), call()[2]) is True
    assert check_headers(Request(1, *call()[:2]), call(named=" cbx_get_entity\t")[2]) is True
    encoded = base64.b64encode("Größe".encode()).decode()
    assert check_headers(Request(1, *call("Größe")[:2]), call("Größe", named=f"=?base64?{encoded}?=")[2]) is True
    for lacking in ("version", "method", "named"):
        assert refused(*call(**{lacking: None})) == -32020
    for other in (
        {"version": "2025-11-25"},
        {"method": "Tools/call"},
        {"named": "cbx_list_entities"},
        {"named": "=?base64?%%%?="},
        {"named": "=?BASE64?Y2J4X2dldF9lbnRpdHk=?="},
    ):
        assert refused(*call(**other)) == -32020


def test_a_header_of_the_modern_version_asks_for_the_modern_envelope():
    assert refused("tools/list", {}, {"MCP-Protocol-Version": "2026-07-28"}) == -32602
    assert check_headers(Request(1, "initialize", {}), {"MCP-Protocol-Version": "2026-07-28"}) is False


def test_a_legacy_request_may_name_any_served_version_or_none():
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "", None):
        headers = {} if version is None else {"MCP-Protocol-Version": version}
        assert check_headers(Request(1, "tools/list", {}), headers) is False
    assert refused("tools/list", {}, {"MCP-Protocol-Version": "1999-01-01"}) == -32600
    assert check_headers(Request(1, "initialize", {}), {"MCP-Protocol-Version": "2099-01-01"}) is False
