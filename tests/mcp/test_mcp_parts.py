"""Prompts, resources, completions and content of a store's own, as any client meets them."""

import base64

import pytest

from cbx_mcp.content import ResourceLink
from cbx_mcp.prompts import Prompt, PromptMessage
from cbx_mcp.protocol.dispatch import handle_message, work_of
from cbx_mcp.protocol.messages import read_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.resources import ResourceTemplate
from configbox.access.grants import Grant, parse_scopes
from configbox.access.scopes import ANY_READ
from configbox.properties.json_values import write_json
from tests.mcp.stdio_client import StdioClient
from tests.mcp_conformance.fixture_prompts import PROMPTS
from tests.mcp_conformance.fixture_resources import RESOURCES, TEMPLATES
from tests.mcp_conformance.fixture_tools import TOOLS
from tests.mcp_conformance.media import PNG, WAV

SETTINGS = "tests.mcp_conformance.settings"


def _failing(call):
    raise RuntimeError("a secret of the server")


SECRET = Prompt("orders_only", "Orders", "For those who read orders.", "orders:read", lambda call: ())
BROKEN = Prompt("broken", "Broken", "Fails.", ANY_READ, _failing)
BROKEN_FAMILY = ResourceTemplate(
    "broken://{one}/{two}", "broken", "Broken", "Fails.", "text/plain", ANY_READ, _failing, {"one": _failing}
)


def session(grant=None):
    return Session(
        grant or Grant.everything(),
        TOOLS,
        instructions=lambda: "",
        prompts=(*PROMPTS, SECRET, BROKEN),
        resources=RESOURCES,
        resource_templates=(*TEMPLATES, BROKEN_FAMILY),
    )


def message(method, params):
    return write_json({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def ask(method, grant=None, **params):
    return handle_message(message(method, params), session(grant))


def result(method, **params):
    return ask(method, **params)["result"]


def error(method, grant=None, **params):
    found = ask(method, grant, **params)["error"]
    return found["code"], found["message"]


def test_content_has_the_form_of_its_kind():
    assert result("tools/call", name="test_image_content")["content"] == [
        {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}
    ]
    assert result("tools/call", name="test_audio_content")["content"] == [
        {"type": "audio", "data": base64.b64encode(WAV).decode(), "mimeType": "audio/wav"}
    ]
    text, image, resource = result("tools/call", name="test_multiple_content_types")["content"]
    assert (text["type"], image["type"]) == ("text", "image")
    assert resource == {
        "type": "resource",
        "resource": {
            "uri": "test://mixed-content-resource",
            "mimeType": "application/json",
            "text": '{"test":"data","value":123}',
        },
    }
    assert ResourceLink("a:b", "b", "About b.", "text/plain").shown() == {
        "type": "resource_link",
        "uri": "a:b",
        "name": "b",
        "description": "About b.",
        "mimeType": "text/plain",
    }


def test_a_prompt_is_listed_with_its_arguments_and_made_into_messages():
    listed = {each["name"]: each for each in result("prompts/list")["prompts"]}
    assert listed["test_prompt_with_arguments"]["arguments"] == [
        {"name": "arg1", "description": "First test argument", "required": True},
        {"name": "arg2", "description": "Second test argument", "required": True},
    ]
    made = result("prompts/get", name="test_prompt_with_arguments", arguments={"arg1": "Größe", "arg2": ""})
    assert made == {
        "description": "A prompt with two arguments.",
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "Prompt with arguments: arg1='Größe', arg2=''"}}
        ],
    }
    assert PromptMessage(ResourceLink("a:b", "b", "", ""), role="assistant").shown()["role"] == "assistant"


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"name": "test_simple_promt"}, "test_simple_prompt"),
        ({}, "prompt"),
        ({"name": 5}, "prompt"),
        ({"name": "test_simple_prompt", "arguments": {"x": "y"}}, "test_simple_prompt: "),
        ({"name": "test_prompt_with_arguments", "arguments": {"arg1": "x"}}, "arg2 is missing."),
        ({"name": "test_prompt_with_arguments", "arguments": {"arg1": 1, "arg2": "x"}}, "an object of texts"),
        ({"name": "test_prompt_with_arguments", "arguments": []}, "an object of texts"),
    ],
)
def test_a_prompt_that_is_not_asked_for_as_it_wants_is_a_protocol_error(params, says):
    code, words = error("prompts/get", **params)
    assert code == -32602
    assert says in words


def test_a_prompt_that_the_grant_does_not_open_is_as_if_it_were_not_there():
    reader = parse_scopes(["catalog:read"])
    assert "orders_only" in [each["name"] for each in result("prompts/list")["prompts"]]
    assert "orders_only" not in [each["name"] for each in ask("prompts/list", reader)["result"]["prompts"]]
    forbidden = error("prompts/get", reader, name="orders_only")
    absent = error("prompts/get", reader, name="orders_onlx")
    assert forbidden == (absent[0], absent[1].replace("onlx", "only"))


def test_a_part_that_fails_is_told_without_its_secret(caplog):
    for found in (
        error("prompts/get", name="broken"),
        error("resources/read", uri="broken://a/b"),
        error(
            "completion/complete",
            ref={"type": "ref/resource", "uri": "broken://{one}/{two}"},
            argument={"name": "one", "value": ""},
        ),
    ):
        assert found[0] == -32603
        assert "incident" in found[1]
        assert "secret" not in found[1]
    assert caplog.text.count("a secret of the server") >= 3


def test_resources_and_families_are_listed_and_read():
    assert [each["uri"] for each in result("resources/list")["resources"]] == [
        "test://static-text",
        "test://static-binary",
        "test://watched-resource",
    ]
    assert result("resources/templates/list")["resourceTemplates"][0] == {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "title": "Resource template",
        "description": "Data by id.",
        "mimeType": "application/json",
    }
    assert result("resources/read", uri="test://static-binary") == {
        "contents": [{"uri": "test://static-binary", "mimeType": "image/png", "blob": base64.b64encode(PNG).decode()}]
    }
    read = result("resources/read", uri="test://template/Gr%C3%B6%C3%9Fe/data")
    assert (
        read["contents"][0]["text"]
        == '{"id": "Gr\\u00f6\\u00dfe", "templateTest": true, "data": "Data for ID: Gr\\u00f6\\u00dfe"}'
    )


@pytest.mark.parametrize(
    "uri", ["test://template/1/2/data", "test://template//data", "test://static-tex", "", "x" * 500]
)
def test_an_address_that_nothing_has_is_not_found(uri):
    assert ask("resources/read", uri=uri)["error"] == {
        "code": -32002,
        "message": "There is no such resource; resources/list names them.",
        "data": {"uri": uri},
    }


def complete(ref, name, value, **more):
    return ask("completion/complete", ref=ref, argument={"name": name, "value": value}, **more)


def test_completions_suggest_for_prompts_and_families():
    prompt = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
    assert complete(prompt, "arg1", "park")["result"] == {
        "completion": {"values": ["park"], "total": 1, "hasMore": False}
    }
    assert complete(prompt, "arg1", "pa", context={"arguments": {"arg2": "x"}})["result"]["completion"]["total"] == 3
    nothing = {"completion": {"values": [], "total": 0, "hasMore": False}}
    assert complete(prompt, "arg2", "x")["result"] == nothing
    assert complete(prompt, "unknown", "x")["result"] == nothing
    family = {"type": "ref/resource", "uri": "test://template/{id}/data"}
    assert complete(family, "id", "12")["result"]["completion"]["values"] == ["12", "123"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"ref": {"type": "ref/prompt", "name": "nope"}, "argument": {"name": "a", "value": "b"}},
        {"ref": {"type": "ref/resource", "uri": "nope://"}, "argument": {"name": "a", "value": "b"}},
        {"ref": {"type": "ref/tool", "name": "x"}, "argument": {"name": "a", "value": "b"}},
        {"ref": "x", "argument": {"name": "a", "value": "b"}},
        {"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"}, "argument": {"name": "a"}},
        {"ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"}, "argument": {"name": "a", "value": 5}},
        {"ref": {"type": "ref/prompt", "name": ["x"]}, "argument": {"name": "a", "value": "b"}},
    ],
)
def test_a_completion_for_nothing_is_a_protocol_error(params):
    assert error("completion/complete", **params)[0] == -32602


def test_at_most_a_hundred_suggestions_are_sent():
    many = ResourceTemplate(
        "many://{x}",
        "many",
        "Many",
        "Many.",
        "text/plain",
        ANY_READ,
        lambda call: "",
        {"x": lambda typing: [str(number) for number in range(101)]},
    )
    served = Session(Grant.everything(), (), instructions=lambda: "", resource_templates=(many,))
    params = {"ref": {"type": "ref/resource", "uri": "many://{x}"}, "argument": {"name": "x", "value": ""}}
    found = handle_message(message("completion/complete", params), served)["result"]["completion"]
    assert (len(found["values"]), found["total"], found["hasMore"]) == (100, 101, True)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("prompts/get", "prompts/get"),
        ("resources/read", "resources/read"),
        ("completion/complete", "completion/complete"),
        ("prompts/list", None),
        ("tools/list", None),
        ("ping", None),
    ],
)
def test_what_runs_a_parts_code_gets_a_process_of_its_own(method, name):
    work = work_of(read_message(message(method, {})), session())
    assert (work.name if work else None) == name


def result_of(client, method, params=None):
    return client.ask(method, params)["result"]


@pytest.mark.parametrize("isolation", ["--isolation=fork", "--isolation=spawn", "--in-process"])
def test_over_stdio_every_kind_of_isolation_serves_them(isolation):
    with StdioClient(isolation, settings=SETTINGS) as client:
        result_of(client, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}})
        assert len(result_of(client, "prompts/list")["prompts"]) == 5
        made = result_of(client, "prompts/get", {"name": "test_simple_prompt"})
        assert made["messages"][0]["content"]["text"] == "This is a simple prompt for testing."
        read = result_of(client, "resources/read", {"uri": "test://template/12/data"})
        assert read["contents"][0]["uri"] == "test://template/12/data"
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }
        call = {"name": "test_input_required_result_request_state", "arguments": {}, "_meta": meta}
        asked = result_of(client, "tools/call", call)
        assert asked["resultType"] == "input_required"
        answers = {"confirm": {"action": "accept", "content": {"ok": True}}}
        again = {**call, "inputResponses": answers, "requestState": asked["requestState"]}
        assert result_of(client, "tools/call", again)["content"] == [{"type": "text", "text": "state-ok"}]
