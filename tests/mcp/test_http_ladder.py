"""The ladder of refusals over HTTP: which of two faults is told, and which status each error has in which era."""

import base64
from itertools import combinations

import pytest

from cbx_mcp.protocol.eras import LEGACY_VERSIONS
from cbx_mcp.tools.registry import tools
from configbox.access.grants import Grant
from configbox.properties.json_values import write_json
from tests.mcp.http_door import ADDRESS, HttpDoor, document, error_of, modern_headers
from tests.mcp.stdio_client import MODERN, modern_meta

pytestmark = pytest.mark.django_db

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
# From the first that is asked to the last: status and code.
LADDER = {
    "host": (400, -32600),
    "verb": (405, -32600),
    "origin": (403, -32600),
    "token": (401, -32600),
    "content type": (415, -32600),
    "accept": (406, -32600),
    "size": (413, -32600),
    "prefix": (404, -32600),
    "parse": (400, -32700),
    "shape": (400, -32600),
    "meta": (400, -32602),
    "headers": (400, -32020),
    "version": (400, -32022),
    "method": (404, -32601),
    "params": (400, -32602),
}
IN_HEADERS = {
    "host": {"host": "shop.evil"},
    "verb": {"method": "PUT"},
    "origin": {"origin": "https://evil"},
    "token": {"authorization": "Bearer x"},
    "content type": {"content_type": "text/plain"},
    "accept": {"accept": "text/html"},
    "prefix": {"address": "/xx" + ADDRESS},
    "headers": {"mcp_method": "ping"},
}


@pytest.fixture
def door(settings):
    settings.MCP_TOOL_MODULES = ("tests.mcp.fixture_tools", "tests.mcp.http_tools")
    tools.cache_clear()
    yield HttpDoor(Grant.everything())
    tools.cache_clear()


def send(door, *faults):
    """Send a modern tools/call that has these faults."""
    method = "no/such" if "method" in faults else "tools/call"
    params = {"name": "no_such_tool" if "params" in faults else "echo", "_meta": modern_meta()}
    headers = modern_headers(method, params)
    if "version" in faults:
        params["_meta"][VERSION_KEY] = headers["mcp_protocol_version"] = "2099-01-01"
    if "meta" in faults:
        del params["_meta"][CAPABILITIES_KEY]
    jsonrpc = "1.0" if "shape" in faults else "2.0"
    body = write_json({"jsonrpc": jsonrpc, "id": 1, "method": method, "params": params})
    if "parse" in faults:
        body = body[:-1]
    if "size" in faults:
        body += " " * 3_000_000
    for fault in faults:
        headers |= IN_HEADERS.get(fault, {})
    verb = headers.pop("method", "POST")
    return door.send(body, headers.pop("address", ADDRESS), verb, **headers)


def told(response):
    """Return status and code; the host is refused before any view, in the same form."""
    return error_of(response)


def test_without_a_fault_it_is_answered(door):
    assert document(send(door))["result"]["resultType"] == "complete"


@pytest.mark.parametrize("fault", LADDER)
def test_each_fault_is_told_by_its_status_and_code(door, fault):
    assert told(send(door, fault)) == LADDER[fault]


@pytest.mark.parametrize(("first", "second"), list(combinations(LADDER, 2)))
def test_of_two_faults_the_one_higher_up_is_told(door, first, second):
    assert told(send(door, first, second)) == LADDER[first]


def test_of_all_faults_together_the_first_that_is_left_is_told(door):
    left = list(LADDER)
    while left:
        assert told(send(door, *left)) == LADDER[left[0]]
        left.pop(0)


def test_what_was_no_message_has_no_id_and_what_was_one_has_its_own(door):
    for fault in ("verb", "origin", "token", "content type", "accept", "size", "prefix", "parse"):
        assert "id" not in document(send(door, fault))
    for fault in ("shape", "meta", "headers", "version", "method", "params"):
        assert document(send(door, fault))["id"] == 1


def test_no_refusal_above_the_token_asks_the_database(door, django_assert_num_queries):
    with django_assert_num_queries(0):
        for fault in ("host", "verb", "origin"):
            send(door, fault)
    send(door)
    for fault in ("content type", "accept", "size", "parse", "shape", "meta", "headers", "version", "method", "params"):
        with django_assert_num_queries(1):
            send(door, fault)


# --- the statuses of the modern era -------------------------------------------------------------------------------
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "application/json, text/event-stream"])
@pytest.mark.parametrize(
    ("method", "params", "status", "code"),
    [
        ("no/such", {}, 404, -32601),
        ("initialize", {"protocolVersion": "2025-11-25"}, 404, -32601),
        ("ping", {}, 404, -32601),
        ("logging/setLevel", {"level": "info"}, 404, -32601),
        ("resources/subscribe", {"uri": "test://x"}, 404, -32601),
        ("tools/call", {"name": "no_such_tool"}, 400, -32602),
        ("tools/call", {}, 400, -32602),
        ("tools/call", {"name": "echo", "arguments": []}, 400, -32602),
        ("tools/call", {"name": "echo", "requestState": "x"}, 400, -32602),
        ("tools/list", {"cursor": ""}, 400, -32602),
        ("prompts/get", {"name": "no_such_prompt"}, 400, -32602),
        ("resources/read", {"uri": "test://nowhere"}, 400, -32602),
        ("completion/complete", {}, 400, -32602),
        ("tools/call", {"name": "ask_model"}, 400, -32021),
        ("tools/call", {"name": "nan"}, 200, -32603),
    ],
)
def test_an_error_of_the_modern_era_has_its_status(door, method, params, status, code, accept):
    response = door.post(method, params, modern=True, accept=accept)
    if status == 200 and accept == "text/event-stream":
        assert response["Content-Type"] == "text/event-stream"
        return
    assert error_of(response) == (status, code)


def test_the_errors_that_say_more_say_it(door):
    missing = document(door.post("tools/call", {"name": "ask_model"}, modern=True))
    assert missing["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}
    nowhere = document(door.post("resources/read", {"uri": "test://nowhere"}, modern=True))
    assert nowhere["error"]["data"] == {"uri": "test://nowhere"}
    assert document(send(door, "version"))["error"]["data"] == {"supported": [MODERN], "requested": "2099-01-01"}
    # A revision that opens with initialize is not spoken by messages that stand for themselves.
    for version in LEGACY_VERSIONS:
        params = {"_meta": modern_meta(version)}
        response = door.post("tools/list", params, mcp_protocol_version=version, mcp_method="tools/list")
        assert error_of(response) == (400, -32022)
        assert document(response)["error"]["data"] == {"supported": [MODERN], "requested": version}


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such", {}, -32601),
        ("server/discover", {}, None),
        ("tools/call", {"name": "no_such_tool"}, -32602),
        ("tools/list", {"cursor": "x"}, -32602),
        ("resources/read", {"uri": "test://nowhere"}, -32002),
        ("tools/call", {"name": "nan"}, -32603),
    ],
)
@pytest.mark.parametrize("version", [None, *LEGACY_VERSIONS])
def test_an_error_of_the_legacy_era_comes_with_200(door, method, params, code, version):
    response = door.post(method, params, mcp_protocol_version=version)
    # Whoever asks for server/discover speaks the modern revision, badly.
    assert error_of(response) == ((400, -32602) if code is None else (200, code))


# --- what headers repeat ------------------------------------------------------------------------------------------
CALL = {"name": "echo"}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("mcp_protocol_version", None),
        ("mcp_protocol_version", ""),
        ("mcp_protocol_version", "2025-11-25"),
        ("mcp_protocol_version", "2099-01-01"),
        ("mcp_method", None),
        ("mcp_method", "tools/list"),
        ("mcp_method", "Tools/Call"),
        ("mcp_name", None),
        ("mcp_name", ""),
        ("mcp_name", "Echo"),
        ("mcp_name", "hang"),
        ("mcp_name", "=?base64?aGFuZw==?="),
        ("mcp_name", "=?base64?!?="),
        ("mcp_name", "=?base64??="),
        ("mcp_name", "=?base64?ZWNobw==?"),
        ("mcp_name", "=?BASE64?ZWNobw==?="),
        ("mcp_name", "=?base64?/w==?="),
        ("mcp_name", "e\u00e9"),
    ],
)
def test_a_header_that_is_missing_or_says_something_else_is_a_mismatch(door, header, value):
    response = door.post("tools/call", CALL, modern=True, **{header: value})
    assert error_of(response) == (400, -32020)
    named = {"mcp_protocol_version": "MCP-Protocol-Version", "mcp_method": "Mcp-Method", "mcp_name": "Mcp-Name"}[header]
    assert named in document(response)["error"]["message"]


@pytest.mark.parametrize("name", ["echo", " echo", "echo\t ", "=?base64?ZWNobw==?=", " =?base64?ZWNobw==?= "])
def test_a_name_is_read_without_its_blanks_and_decoded(door, name):
    result = door.ask("tools/call", CALL, modern=True, mcp_name=name)
    assert result["structuredContent"]["arguments"] == {}


def test_a_name_beyond_ascii_comes_encoded(door):
    params = {"name": "Größe 🚪"}
    encoded = base64.b64encode(params["name"].encode()).decode()
    # It passes the comparison: there is just no such tool.
    for said in (f"=?base64?{encoded}?=", base64.b64encode(b"=?base64??=").decode()):
        response = door.post("tools/call", params, modern=True, mcp_name=said)
        assert error_of(response) == ((400, -32602) if said.startswith("=?") else (400, -32020))
    # A name that looks encoded is sent encoded.
    looks = {"name": "=?base64?ZWNobw==?="}
    twice = base64.b64encode(looks["name"].encode()).decode()
    assert error_of(door.post("tools/call", looks, modern=True)) == (400, -32020)
    assert error_of(door.post("tools/call", looks, modern=True, mcp_name=f"=?base64?{twice}?=")) == (400, -32602)


def test_a_resource_and_a_prompt_are_named_too(door):
    for method, params in (("resources/read", {"uri": "test://nowhere"}), ("prompts/get", {"name": "nobody"})):
        assert error_of(door.post(method, params, modern=True)) == (400, -32602)
        assert error_of(door.post(method, params, modern=True, mcp_name=None)) == (400, -32020)
    # Others have no name, whatever a client sends.
    assert door.post("tools/list", modern=True, mcp_name="anything").status_code == 200


def test_a_version_header_of_the_modern_era_asks_for_the_modern_envelope(door):
    assert error_of(door.post("tools/list", mcp_protocol_version=MODERN)) == (400, -32602)
    for meta in ({VERSION_KEY: MODERN}, {CAPABILITIES_KEY: {}}, {VERSION_KEY: 5, CAPABILITIES_KEY: {}}):
        response = door.post("tools/list", {"_meta": meta}, mcp_protocol_version=MODERN, mcp_method="tools/list")
        assert error_of(response) == (400, -32602)
