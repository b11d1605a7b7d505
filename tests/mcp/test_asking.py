"""Asking the client: what is signed, to whom it comes back, and what clients of other revisions are told."""

import datetime

import pytest
from django.core import signing

from cbx_mcp.asking import InputRequest, InputRequired, declined, elicitation, elicited, roots, sampling
from cbx_mcp.call import Call
from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.tool import Annotations, Result, Tool
from configbox.access.grants import Grant
from configbox.access.scopes import ANY_READ
from configbox.properties.json_values import write_json

READS = Annotations(read_only=True, destructive=False, idempotent=True)
OK = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
ARGUMENTS = {
    "type": "object",
    "properties": {"id": {"type": "integer", "description": "A number."}},
    "required": [],
    "additionalProperties": False,
}
KEPT = {"price": "841.90", "names": ["Größe", "🚪"]}


def _confirm(call):
    given = elicited(call, "confirm", OK)
    if declined(call, "confirm"):
        return Result(text="left alone")
    if given is None:
        return InputRequired({"confirm": elicitation("Delete it?", OK)}, state=KEPT)
    return Result({"ok": given["ok"], "state": call.state})


TOOL = Tool("confirm", "Confirm", "Asks first.", ARGUMENTS, ANY_READ, READS, _confirm, needs_database=False)


def session(actor="stdio"):
    return Session(Grant.everything(), (TOOL,), instructions=lambda: "", actor=actor)


def ask(actor="stdio", capabilities=None, arguments=None, **params):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}} if capabilities is None else capabilities,
    }
    params = {"name": "confirm", "arguments": arguments or {}, "_meta": meta, **params}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return handle_message(write_json(message).encode(), session(actor))


def asked(**kwargs):
    return ask(**kwargs)["result"]


def accepted(content):
    return {"confirm": {"action": "accept", "content": content}}


def test_a_call_asks_and_goes_on_with_what_it_remembered():
    first = asked(arguments={"id": 7})
    assert first["resultType"] == "input_required"
    assert first["inputRequests"] == {
        "confirm": {"method": "elicitation/create", "params": {"message": "Delete it?", "requestedSchema": OK}}
    }
    assert "ttlMs" not in first
    done = asked(arguments={"id": 7}, requestState=first["requestState"], inputResponses=accepted({"ok": True}))
    assert done["resultType"] == "complete"
    assert done["structuredContent"] == {"ok": True, "state": KEPT}


def test_a_refusal_is_heard():
    state = asked()["requestState"]
    done = asked(requestState=state, inputResponses={"confirm": {"action": "decline"}})
    assert done["content"] == [{"type": "text", "text": "left alone"}]


@pytest.mark.parametrize(
    "responses",
    [{}, {"other": {"action": "accept"}}, accepted({"ok": "yes"}), accepted({}), accepted(None), accepted(["ok"])],
)
def test_what_is_missing_or_not_valid_is_asked_again(responses):
    state = asked()["requestState"]
    assert asked(requestState=state, inputResponses=responses)["resultType"] == "input_required"


@pytest.mark.parametrize("responses", [None, 5, [], {"confirm": 12345}, {"confirm": None}, {"confirm": []}])
def test_responses_that_are_no_objects_are_a_protocol_error(responses):
    error = ask(inputResponses=responses)["error"]
    assert (error["code"], error["message"]) == (
        -32602,
        "inputResponses must be an object with an object for each request.",
    )


def test_a_state_that_was_changed_is_refused():
    state = asked()["requestState"]
    for other in (state + "x", state[:-1], "x" + state, "", state.split(":")[0], 7, ["x"], "é" * 10):
        error = ask(requestState=other, inputResponses=accepted({"ok": True}))["error"]
        assert error == {"code": -32602, "message": "This requestState was not made here or was changed."}


def test_a_state_belongs_to_its_caller_and_its_arguments():
    state = asked(actor="token #1", arguments={"id": 7})["requestState"]
    message = "This requestState belongs to another caller or other arguments."
    for actor, arguments in (("token #2", {"id": 7}), ("token #1", {"id": 8}), ("token #1", {})):
        answer = ask(actor=actor, arguments=arguments, requestState=state, inputResponses=accepted({"ok": True}))
        assert answer["error"] == {"code": -32602, "message": message}
    assert asked(actor="token #1", arguments={"id": 7}, requestState=state)["resultType"] == "input_required"


def test_a_state_is_too_old_after_an_hour(monkeypatch):
    state = asked()["requestState"]
    signed_at = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: signed_at + datetime.timedelta(minutes=59).total_seconds())
    assert asked(requestState=state)["resultType"] == "input_required"
    monkeypatch.setattr(signing.time, "time", lambda: signed_at + datetime.timedelta(minutes=61).total_seconds())
    error = ask(requestState=state)["error"]
    assert error == {"code": -32602, "message": "This requestState is older than an hour: call without it."}


def test_a_client_is_asked_only_what_it_declared():
    error = ask(capabilities={"sampling": {}})["error"]
    assert error == {
        "code": -32021,
        "message": "confirm needs a client that declares elicitation.",
        "data": {"requiredCapabilities": {"elicitation": {}}},
    }


def test_a_legacy_client_is_told_what_would_have_been_asked():
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "confirm"}}
    result = handle_message(write_json(message).encode(), session())["result"]
    assert result == {
        "content": [
            {
                "type": "text",
                "text": "confirm has to ask something first, which this client cannot be asked. Delete it?",
            }
        ],
        "isError": True,
    }


def test_kinds_of_requests_are_the_protocols_own():
    assert [each.capability for each in (elicitation("?", OK), sampling("?", 5), roots())] == [
        "elicitation",
        "sampling",
        "roots",
    ]
    with pytest.raises(ValueError, match="not by 'tools/call'"):
        InputRequest("tools/call", {})
    with pytest.raises(ValueError, match="at least one request or a state"):
        InputRequired()


def test_answers_of_other_requests_are_ignored():
    call = Call({}, Grant.everything(), input_responses={"other": {"action": "accept", "content": {"ok": True}}})
    assert elicited(call, "confirm", OK) is None
    assert declined(call, "confirm") is False
