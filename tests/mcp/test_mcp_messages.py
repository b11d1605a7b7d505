"""The dispatcher, message by message: the rows of the reported-failures table that need no process, by number."""

import json
import logging

import pytest
from mcp_types import methods as oracle
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.eras import LEGACY_VERSIONS, MODERN_VERSIONS
from cbx_mcp.protocol.results import error_result, tool_result
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.tool import Result
from configbox.access.grants import Grant, parse_scopes
from configbox.properties.json_values import write_json
from tests.mcp.fixture_tools import TOOLS
from tests.mcp.stdio_client import MODERN, modern_meta, text_of

SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"


def session(grant=None, **more):
    return Session(grant or Grant.everything(), TOOLS, instructions=lambda: "Describe first.", **more)


def raw(data, **more):
    """Return the answer to raw bytes as a client would see it, or None."""
    answer = handle_message(data, session(**more))
    return None if answer is None else json.loads(write_json(answer))


def ask(method, params=None, request_id=1, *, modern=False, **more):
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if modern:
        params = {**(params or {}), "_meta": modern_meta() | (params or {}).get("_meta", {})}
    if params is not None:
        message["params"] = params
    return raw(json.dumps(message).encode(), **more)


def call(name, arguments=None, **more):
    return ask("tools/call", {"name": name, "arguments": arguments}, **more)


def error_of(answer):
    assert "result" not in answer
    return answer["error"]["code"]


@pytest.mark.parametrize(
    "message",
    [
        {"method": "notifications/initialized"},
        {"method": "notifications/unknown"},
        {"method": "tools/call", "params": {"name": "fail"}},
        {"method": "notifications/cancelled", "params": {"requestId": 99}},
        {"method": "notifications/x", "params": 5},
        {"id": 1, "result": {}},
        {"id": None, "error": {"code": 1, "message": "x"}},
    ],
)
def test_row_2_notifications_and_responses_are_never_answered(message):
    assert raw(json.dumps({"jsonrpc": "2.0", **message}).encode()) is None


@pytest.mark.parametrize("asked", ["2099-01-01", MODERN, "1.0", "9999-99-99", "", None, 5])
def test_row_3_an_unknown_version_is_answered_with_our_latest(asked):
    answer = ask(
        "initialize", {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    )
    assert answer["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("asked", LEGACY_VERSIONS)
def test_row_4_a_known_version_is_echoed(asked):
    assert ask("initialize", {"protocolVersion": asked})["result"]["protocolVersion"] == asked


def test_row_6_discover_is_answered_and_names_only_modern_versions():
    result = ask("server/discover", modern=True)["result"]
    assert result["supportedVersions"] == [MODERN]
    assert result["instructions"] == "Describe first."
    assert result["resultType"] == "complete"
    assert result["cacheScope"] == "private"
    assert result["ttlMs"] == 60_000


def test_row_13_no_envelope_list_or_definition_holds_a_null():
    def holds_null(value):
        if isinstance(value, dict):
            return any(holds_null(each) for each in value.values())
        return any(map(holds_null, value)) if isinstance(value, list) else value is None

    for modern in (False, True):
        for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
            assert not holds_null(ask(method, modern=modern))
        assert not holds_null(call("echo", {"text": "x"}, modern=modern))
        assert not holds_null(ask("nonsense", modern=modern))


@pytest.mark.parametrize("modern", [False, True])
def test_row_14_absent_and_null_arguments_are_none_and_lists_are_malformed(modern):
    assert ask("tools/call", {"name": "exit_not"}, modern=modern)["error"]["code"] == -32602
    for params in ({"name": "echo"}, {"name": "echo", "arguments": None}, {"name": "echo", "arguments": {}}):
        assert ask("tools/call", params, modern=modern)["result"]["structuredContent"]["arguments"] == {}
    for wrong in ([], [1], "{}", 5, True):
        assert error_of(ask("tools/call", {"name": "echo", "arguments": wrong}, modern=modern)) == -32602
    for params in ({}, {"name": 5}, {"name": None}):
        assert error_of(ask("tools/call", params, modern=modern)) == -32602


def test_an_error_beyond_measure_ends_after_a_sentence_and_says_what_is_left_out():
    sentence = "List 12345 does not exist. "
    whole = sentence * 4000
    text = text_of(tool_result("x", Result(text=whole, is_error=True)))
    assert len(text) <= 40_000
    told, _, note = text.rpartition("\n")
    assert told == (sentence * told.count("List ")).rstrip()
    assert note.startswith(f"{len(whole) - len(told)} more characters of this message were left out;")


def test_an_error_of_one_endless_sentence_keeps_its_beginning():
    text = text_of(error_result("There is no field " + "x" * 50_000))
    assert text.startswith("There is no field xxx")
    assert 39_000 < len(text) <= 40_000
    assert "more characters of this message were left out;" in text


def test_twenty_thousand_unknown_arguments_are_told_in_few_words():
    text = text_of(call("echo", {f"unknown_{number}": 1 for number in range(20_000)})["result"])
    assert "- unknown_19 is an unknown argument" in text
    assert "unknown_20 " not in text
    assert "- and 19980 more." in text
    assert len(text) < 10_000


def test_an_id_beyond_measure_is_refused():
    answer = ask("ping", request_id="x" * 1001)
    assert error_of(answer) == -32600
    assert "id" not in answer
    assert ask("ping", request_id="x" * 1000)["result"] == {}


def test_row_23_content_is_structured_and_text_and_errors_are_text_alone():
    good = call("echo", {"text": "ü"})["result"]
    assert json.loads(text_of(good)) == good["structuredContent"]
    assert good["isError"] is False
    bad = call("refuse")["result"]
    assert bad == {
        "content": [{"type": "text", "text": "This cannot be done: the moon is full. Wait for another moon."}],
        "isError": True,
    }


@pytest.mark.parametrize("request_id", [0, "", "a-1", 2**63, -1, 10**39])
@pytest.mark.parametrize("modern", [False, True])
def test_row_24_an_id_is_echoed_with_its_type(request_id, modern):
    answer = ask("tools/list", request_id=request_id, modern=modern)
    assert type(answer["id"]) is type(request_id)
    assert answer["id"] == request_id
    assert ask("nonsense", request_id=request_id, modern=modern)["id"] == request_id


@pytest.mark.parametrize("text", ["null", "1.5", "true", "1.0", "1e2", "[]", "{}", "9" * 41, '"\\ud800"'])
def test_row_24_an_id_that_is_none_is_refused_without_one(text):
    answer = raw(b'{"jsonrpc": "2.0", "id": %s, "method": "ping"}' % text.encode())
    assert answer["error"]["code"] == -32600
    assert "id" not in answer


@pytest.mark.parametrize(
    "data", [b"{bad", b"\xff", b"", b'{"jsonrpc": "2.0", "id": 1', b"[" * 100_000, b"[" * 5000 + b"]" * 5000]
)
def test_rows_25_and_38_what_is_no_json_is_a_parse_error_without_id(data):
    answer = raw(data)
    assert answer["error"]["code"] == -32700
    assert "id" not in answer


def test_row_25_a_byte_order_mark_and_carriage_returns_are_read():
    assert raw(b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}\r') == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {},
    }


@pytest.mark.parametrize("modern", [False, True])
@pytest.mark.parametrize(
    ("method", "member"),
    [("prompts/list", "prompts"), ("resources/list", "resources"), ("resources/templates/list", "resourceTemplates")],
)
def test_row_26_lists_are_empty_and_declared(method, member, modern):
    assert ask(method, modern=modern)["result"][member] == []
    opened = ask("server/discover", modern=True) if modern else ask("initialize", {"protocolVersion": "2025-11-25"})
    assert opened["result"]["capabilities"] == {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}


@pytest.mark.parametrize(
    "data", [b"[]", b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', b"5", b"null", b'"x"', b"{}"]
)
def test_row_29_batches_and_other_values_are_one_error_without_id(data):
    answer = raw(data)
    assert answer["error"]["code"] == -32600
    assert "id" not in answer


@pytest.mark.parametrize("more", [{}, {"jsonrpc": "1.0"}, {"jsonrpc": None}, {"jsonrpc": 2.0}])
def test_case_g32_a_message_must_say_its_protocol(more):
    answer = raw(json.dumps({"id": 5, "method": "ping", **more}).encode())
    assert (answer["error"]["code"], answer["id"]) == (-32600, 5)


@pytest.mark.parametrize("params", [[], "x", 5, True])
def test_params_must_be_an_object(params):
    assert error_of(ask("tools/list", params)) == -32602
    assert raw(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":null}')["result"] == {}


def test_row_32_ping_and_lists_need_no_handshake():
    assert ask("ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert ask("tools/list")["result"]["tools"]


@pytest.mark.parametrize("modern", [False, True])
def test_row_35_what_a_model_can_mend_is_a_result_and_an_unknown_tool_is_not(modern):
    assert call("refuse", modern=modern)["result"]["isError"] is True
    assert call("echo", {"whole": "x"}, modern=modern)["result"]["isError"] is True
    answer = call("ecco", modern=modern)
    assert answer["error"] == {"code": -32602, "message": "There is no tool ecco; did you mean echo?"}


@pytest.mark.parametrize("name", ["fail", "leave"])
def test_row_35_a_crash_leaks_nothing_and_is_logged_under_its_incident(name, caplog):
    result = call(name)["result"]
    assert result["isError"] is True
    assert "secret" not in text_of(result)
    assert "Traceback" not in text_of(result)
    incident = text_of(result).split("incident ")[1][:8]
    (record,) = [each for each in caplog.records if incident in each.getMessage()]
    assert record.exc_info


def test_row_36_numbers_that_are_none_are_refused_both_ways(caplog):
    for number in ("NaN", "Infinity", "-Infinity"):
        message = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"number":%s}}}'
        assert raw((message % number).encode())["error"]["code"] == -32700
    answer = call("nan")
    assert answer["error"]["code"] == -32603
    assert "incident" in answer["error"]["message"]
    assert call("echo")["result"]["isError"] is False


def test_row_36_decimals_come_and_go_with_their_digits():
    data = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"number":841.90}}}'
    assert '"arguments": {"number": 841.90}' in write_json(handle_message(data, session()))


def test_row_39_half_a_surrogate_is_refused_cleanly():
    assert error_of(raw(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}')) == -32602
    data = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a\\ud800"}}}'
    result = raw(data)["result"]
    assert result["isError"] is True
    assert text_of(result) == (
        "echo was not run, its arguments are not valid:\n"
        "- At text: it contains half of a surrogate pair (U+D800) at character 2.\n"
        "Call it again with these mended."
    )


def test_the_last_of_equal_keys_counts():
    data = b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'
    assert raw(data)["id"] == 2


# --- the modern era ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe"])
def test_methods_that_the_modern_era_removed_or_we_do_not_declare_are_unknown(method):
    assert error_of(ask(method, modern=True)) == -32601


@pytest.mark.parametrize("method", ["logging/setLevel", "nonsense", "subscriptions/listen", "x" * 500])
def test_unknown_methods_are_refused_at_once(method):
    assert error_of(ask(method)) == -32601


@pytest.mark.parametrize(
    "meta",
    [
        {"io.modelcontextprotocol/protocolVersion": MODERN},
        {"io.modelcontextprotocol/clientCapabilities": {}},
        {"io.modelcontextprotocol/protocolVersion": 5, "io.modelcontextprotocol/clientCapabilities": {}},
        {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": []},
    ],
)
def test_a_modern_request_with_half_its_meta_is_refused(meta):
    assert error_of(ask("tools/list", {"_meta": meta})) == -32602


def test_discover_without_meta_is_refused_so_that_a_client_falls_back():
    assert error_of(ask("server/discover")) == -32602


@pytest.mark.parametrize("version", ["2099-01-01", "2025-11-25"])
def test_a_modern_request_of_an_unknown_version_is_told_the_known_ones(version):
    answer = ask("tools/list", {"_meta": modern_meta(version)})
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"] == {"supported": [MODERN], "requested": version}


def test_client_info_is_not_required():
    meta = modern_meta()
    del meta["io.modelcontextprotocol/clientInfo"]
    assert ask("tools/list", {"_meta": meta})["result"]["resultType"] == "complete"


def test_modern_results_say_their_type_and_server_and_legacy_ones_do_not():
    for name in ("echo", "refuse"):
        modern = call(name, modern=True)["result"]
        assert modern["resultType"] == "complete"
        assert modern["_meta"][SERVER_INFO_KEY]["name"] == "configbox"
        assert "ttlMs" not in modern
        assert set(call(name)["result"]) <= {"content", "structuredContent", "isError"}


def test_every_cursor_is_refused_since_lists_have_one_page():
    for method in ("tools/list", "prompts/list", "resources/list"):
        for cursor in ("", "x"):
            assert error_of(ask(method, {"cursor": cursor})) == -32602


def test_a_missing_resource_has_the_code_of_its_era():
    assert ask("resources/read", {"uri": "a:b"})["error"]["code"] == -32002
    assert ask("resources/read", {"uri": "a:b"}, modern=True)["error"] == {
        "code": -32602,
        "message": "There is no such resource; resources/list names them.",
        "data": {"uri": "a:b"},
    }
    assert error_of(ask("prompts/get", {"name": "x"})) == -32602


# --- the grant --------------------------------------------------------------------------------------------------


def names(grant):
    return [tool["name"] for tool in ask("tools/list", grant=grant)["result"]["tools"]]


def test_the_list_is_sorted_and_holds_only_what_the_grant_opens():
    everything = names(Grant.everything())
    assert everything == sorted(everything)
    assert "write_catalog" in everything
    assert "shop" not in everything
    assert "withheld" not in everything
    assert {"write_catalog", "write_anything"}.isdisjoint(names(parse_scopes(["catalog:read", "code:write"])))
    assert "write_anything" in names(parse_scopes(["orders:write"]))
    assert names(parse_scopes(["storefront:read"])) == ["shop"]


@pytest.mark.parametrize(
    ("grant", "name", "sentence"),
    [
        (
            Grant.nothing(),
            "write_catalog",
            "write_catalog needs the scope catalog:write; this connection holds store:read.",
        ),
        (parse_scopes(["orders:write"]), "write_catalog", "needs the scope catalog:write"),
        (parse_scopes(["code:write"]), "write_anything", "needs a write scope (catalog:write, store:write, "),
        (Grant.everything(), "shop", "needs the scope storefront:read"),
        (
            parse_scopes(["storefront:write"]),
            "echo",
            "echo needs a read scope; this connection holds storefront:write.",
        ),
        (Grant.everything(), "withheld", "withheld has nothing it could act on"),
    ],
)
def test_case_g28_a_tool_that_is_not_listed_is_refused_by_name_and_never_runs(grant, name, sentence, caplog):
    caplog.set_level(logging.INFO, "configbox.authorization")
    answer = call(name, {"secret": "argument"}, grant=grant)
    assert answer["result"]["isError"] is True
    assert sentence in text_of(answer["result"])
    (line,) = [each.getMessage() for each in caplog.records if each.name == "configbox.authorization"]
    assert line.startswith(f"tool={name} caller=stdio scopes={grant.describe().replace(', ', ',')} outcome=refused ms=")


def test_a_refused_caller_is_not_told_what_it_may_not_see():
    answer = call("write_catalogue", grant=Grant.nothing())
    assert "write_catalog;" not in answer["error"]["message"]
    assert "write_anything" not in answer["error"]["message"]


@pytest.mark.parametrize(
    ("name", "arguments", "outcome"),
    [
        ("echo", {"text": "private"}, "ok"),
        ("refuse", {}, "error"),
        ("echo", {"nope": "private"}, "error"),
        ("fail", {}, "error"),
    ],
)
def test_each_call_writes_one_audit_line_without_arguments(name, arguments, outcome, caplog):
    caplog.set_level(logging.INFO, "configbox.authorization")
    call(name, arguments, grant=parse_scopes(["catalog:read"]), actor='token #12 "shop"')
    (line,) = [each.getMessage() for each in caplog.records if each.name == "configbox.authorization"]
    assert line.startswith(f'tool={name} caller=token #12 "shop" scopes=catalog:read,store:read outcome={outcome} ms=')
    assert line.rpartition("ms=")[2].isdigit()


def test_a_made_up_tool_name_cannot_forge_an_audit_line(caplog):
    caplog.set_level(logging.INFO, "configbox.authorization")
    call("x\ntool=forged" + "y" * 500)
    (line,) = [each.getMessage() for each in caplog.records if each.name == "configbox.authorization"]
    assert "\n" not in line
    assert len(line) < 400


def test_a_database_that_is_behind_is_said_by_tools_that_need_it_and_only_by_them():
    behind = {"hindrance": lambda: "The database lacks 3 migrations."}
    result = call("ask_database", **behind)["result"]
    assert result == {
        "content": [{"type": "text", "text": "ask_database cannot run now. The database lacks 3 migrations."}],
        "isError": True,
    }
    assert call("echo", **behind)["result"]["isError"] is False


def test_an_answer_beyond_measure_is_refused_with_advice():
    text = text_of(call("long")["result"])
    assert text.startswith("The answer of long would have 50012 characters; at most 40000 are sent. Ask for less")


def test_progress_grows_and_comes_only_where_asked_for():
    notes = []
    call("progress", {}, emit=notes.append)
    assert notes == []
    ask("tools/call", {"name": "progress", "_meta": {"progressToken": 0}}, emit=notes.append)
    assert [note["params"] for note in notes] == [
        {"progressToken": 0, "progress": 1, "total": 3, "message": "step 1"},
        {"progressToken": 0, "progress": 2, "total": 3, "message": "step 2"},
        {"progressToken": 0, "progress": 3, "total": 3, "message": "step 3"},
        {"progressToken": 0, "progress": 4, "total": 4},
    ]
    assert {note["method"] for note in notes} == {"notifications/progress"}


# --- the oracle -------------------------------------------------------------------------------------------------

ANSWERED = {
    "initialize": {"protocolVersion": "2025-11-25"},
    "ping": {},
    "server/discover": {},
    "tools/list": {},
    "tools/call": {"name": "echo", "arguments": {"number": 1.5}},
    "prompts/list": {},
    "resources/list": {},
    "resources/templates/list": {},
}


@pytest.mark.parametrize("version", [*LEGACY_VERSIONS, *MODERN_VERSIONS])
@pytest.mark.parametrize("method", ANSWERED)
def test_the_sdk_accepts_every_result_in_every_revision(method, version):
    if (method, version) not in oracle.SERVER_RESULTS:
        assert error_of(ask(method, ANSWERED[method], modern=version in MODERN_VERSIONS)) in (-32601, -32602)
        return
    answer = ask(method, ANSWERED[method], modern=version in MODERN_VERSIONS)
    oracle.validate_server_result(method, version, answer["result"])


def test_we_speak_every_revision_the_sdk_knows():
    assert set(KNOWN_PROTOCOL_VERSIONS) == {*LEGACY_VERSIONS, *MODERN_VERSIONS}
