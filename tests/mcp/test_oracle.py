"""Every answer the server can give, in every revision, held against the official SDK's own models of that revision.

The SDK knows two shapes: one for all revisions that open with `initialize`, one for 2026-07-28. Revisions before
2025-11-25 allow members they do not name (title, structuredContent), so nothing is taken out of answers. Blocks of a
kind that an old revision does not know (audio, links) are sent as well: no message says which one was agreed on.
"""

import json

import mcp_types._v2025_11_25 as legacy_models
import mcp_types._v2026_07_28 as modern_models
import pytest
from mcp_types import jsonrpc
from mcp_types import methods as oracle
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS
from pydantic import TypeAdapter

from cbx_mcp.content import ResourceLink
from cbx_mcp.prompts import prompts
from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.eras import LEGACY_VERSIONS, MODERN_VERSIONS, Era
from cbx_mcp.protocol.methods import methods
from cbx_mcp.protocol.session import Session
from cbx_mcp.resources import resource_templates, resources
from cbx_mcp.tools.registry import tools
from cbx_mcp.tools.tool import Result
from configbox.access.grants import Grant
from configbox.customization import hooks
from configbox.properties.json_values import write_json
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.entities.shop import ENTITY_NAMES, records_of
from tests.mcp_conformance import customization, fixture_tools
from tests.mcp_conformance.fixture_methods import METHODS as FIXTURE_METHODS

pytestmark = pytest.mark.django_db

VERSIONS = (*LEGACY_VERSIONS, *MODERN_VERSIONS)
CAPABILITIES = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}
CLIENT = {"name": "oracle", "version": "1"}
PROMPT_ARGUMENTS = {"arg1": "a", "arg2": "b", "resourceUri": "test://x"}

# What a client sends as params of each method beside _meta. tools/call is made from the tools there are.
SAMPLES = {
    "initialize": lambda version: [{"protocolVersion": version, "capabilities": CAPABILITIES, "clientInfo": CLIENT}],
    "ping": lambda version: [{}],
    "server/discover": lambda version: [{}],
    "tools/list": lambda version: [{}],
    "tools/call": lambda version: [{"name": name, "arguments": {}} for name in ARGUMENTLESS],
    "prompts/list": lambda version: [{}],
    "prompts/get": lambda version: [
        {"name": each.name, "arguments": {one.name: PROMPT_ARGUMENTS[one.name] for one in each.arguments}}
        for each in prompts()
        if asks_nothing(each.name, version)
    ],
    "resources/list": lambda version: [{}],
    "resources/templates/list": lambda version: [{}],
    "resources/read": lambda version: [
        {"uri": uri} for uri in [*(each.uri for each in resources()), "test://template/123/data"]
    ],
    "completion/complete": lambda version: [
        {
            "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
            "argument": {"name": "arg1", "value": "par"},
        },
        {"ref": {"type": "ref/resource", "uri": "test://template/{id}/data"}, "argument": {"name": "id", "value": "1"}},
        {
            "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
            "argument": {"name": "arg2", "value": ""},
            "context": {"arguments": {"arg1": "paris"}},
        },
    ],
    "logging/setLevel": lambda version: [{"level": "info"}],
    "resources/subscribe": lambda version: [{"uri": "test://watched-resource"}],
    "resources/unsubscribe": lambda version: [{"uri": "test://watched-resource"}],
}
# Tools that need arguments beside those of the store, which the tests of the store's tools call.
ARGUMENTS = {
    "json_schema_2020_12_tool": {"name": "A", "email": "a@example.com", "contactMethod": "email"},
    "test_sampling": {"prompt": "Name a town."},
    "test_elicitation": {"message": "Who are you?"},
}
ARGUMENTLESS = [each.name for each in customization.mcp_tools() if each.name not in ARGUMENTS]
ASKED_IN_MODERN = ("test_input_required_result_prompt",)


def asks_nothing(name, version):
    return version in MODERN_VERSIONS or name not in ASKED_IN_MODERN


@pytest.fixture(autouse=True)
def parts_of_the_suite(monkeypatch):
    """Let the parts of the conformance suite be a customization of this installation, beside the store's tools."""
    caches = (methods, prompts, resources, resource_templates, tools)
    monkeypatch.setattr(hooks, "customizations", lambda: (customization,))
    monkeypatch.setattr(fixture_tools.time, "sleep", lambda seconds: None)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


def meta(version):
    if version not in MODERN_VERSIONS:
        return {}
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
        "io.modelcontextprotocol/clientInfo": CLIENT,
    }


def ask(method, version, params, emit=None, grant=None, **more_meta):
    """Return the answer a client reads from the wire; the request itself is checked to be a sound one."""
    carried = meta(version) | more_meta
    if carried:
        params = {**params, "_meta": carried}
    if (method, version) in oracle.CLIENT_REQUESTS:
        oracle.validate_client_request(method, version, params)
    return answer_to({"jsonrpc": "2.0", "id": "a-1", "method": method, "params": params}, emit, grant)


def answer_to(message, emit=None, grant=None):
    more = {"emit": emit} if emit else {}
    session = Session(grant or Grant.everything(), tools(), instructions=lambda: "Describe first.", **more)
    raw = message if isinstance(message, bytes) else json.dumps(message).encode()
    answer = handle_message(raw, session)
    return None if answer is None else json.loads(write_json(answer))


def checked(method, version, answer):
    """Return the result of an answer that the SDK takes whole: valid, and with nothing in it that it does not know."""
    assert jsonrpc.JSONRPCResponse.model_validate(answer).model_dump() == answer
    result = answer["result"]
    oracle.parse_server_result(method, version, result)
    adapter = TypeAdapter(oracle.SERVER_RESULTS[(method, version)])
    taken = adapter.validate_python(result, by_name=False)
    assert adapter.dump_python(taken, by_alias=True, mode="json", exclude_unset=True) == result
    return result


def error_of(version, answer):
    """Return the error of an answer that both the SDK's envelope and its model of the revision take whole."""
    models = modern_models if version in MODERN_VERSIONS else legacy_models
    model = models.JSONRPCErrorResponse.model_validate(answer)
    assert model.model_dump(mode="json", exclude_unset=True) == answer
    # The SDK's own envelope wants the member, null where no id could be read; the specification leaves it out.
    jsonrpc.JSONRPCError.model_validate({"id": None} | answer)
    return answer["error"]


def test_the_sdk_knows_the_same_revisions():
    assert sorted(VERSIONS) == sorted(KNOWN_PROTOCOL_VERSIONS)


def test_every_method_has_a_sample():
    assert sorted(SAMPLES) == sorted(methods())
    assert {each.name for each in FIXTURE_METHODS} < set(methods())


@pytest.mark.parametrize("version", VERSIONS)
def test_a_revision_has_the_methods_that_the_sdk_knows_in_it(version):
    known = {method for method, each in oracle.CLIENT_REQUESTS if each == version}
    served = {name for name, method in methods().items() if method.exists_in(Era(version))}
    # Nothing is announced that one could listen to.
    assert known - served == ({"subscriptions/listen"} if version in MODERN_VERSIONS else set())
    assert served - known == set()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", SAMPLES)
def test_every_result_is_one_of_its_revision(method, version):
    samples = SAMPLES[method](version)
    assert samples
    for params in samples:
        answer = ask(method, version, params)
        if methods()[method].exists_in(Era(version)):
            result = checked(method, version, answer)
            assert ("resultType" in result) is (version in MODERN_VERSIONS)
        elif method == "server/discover":
            # A client that asks for it without saying a version is told how it is asked.
            assert error_of(version, answer)["code"] == -32602
        else:
            assert error_of(version, answer)["code"] == -32601


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ARGUMENTS)
def test_results_of_tools_with_arguments(name, version):
    checked("tools/call", version, ask("tools/call", version, {"name": name, "arguments": ARGUMENTS[name]}))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_kind_of_content_is_among_what_was_checked(version):
    kinds = set()
    for params in SAMPLES["tools/call"](version):
        result = checked("tools/call", version, ask("tools/call", version, params))
        kinds.update(block["type"] for block in result.get("content", ()))
    assert kinds == {"text", "image", "audio", "resource"}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_link_to_a_resource(version, monkeypatch):
    link = ResourceLink("test://static-text", "static-text", "A text that stays the same.", "text/plain")
    tool = fixture_tools.fixture("test_link", lambda call: Result(blocks=(link,)))
    monkeypatch.setattr(customization, "mcp_tools", lambda: [tool])
    tools.cache_clear()
    answer = ask("tools/call", version, {"name": "test_link"})
    assert [each["type"] for each in checked("tools/call", version, answer)["content"]] == ["resource_link"]


ELICITED = {"action": "accept"}
RESPONSES = {
    "name": ELICITED | {"content": {"name": "Ada"}},
    "user_name": ELICITED | {"content": {"name": "Ada"}},
    "confirm": ELICITED | {"content": {"ok": True}},
    "step1": ELICITED | {"content": {"name": "Ada"}},
    "step2": ELICITED | {"content": {"color": "blue"}},
    "user_context": ELICITED | {"content": {"context": "a shop"}},
    "capital_question": {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"},
    "greeting": {"role": "assistant", "content": {"type": "text", "text": "Hello"}, "model": "m"},
    "client_roots": {"roots": [{"uri": "file:///home"}]},
}
ASKING = [
    *(("tools/call", each) for each in ARGUMENTLESS if each.startswith("test_input_required")),
    *(("prompts/get", each) for each in ASKED_IN_MODERN),
]
ROUNDS = {
    "test_input_required_result_multi_round": ["input_required", "input_required", "complete"],
    # It asks as often as it is called.
    "test_input_required_result_capabilities": ["input_required"] * 4,
}


@pytest.mark.parametrize("version", MODERN_VERSIONS)
@pytest.mark.parametrize(("method", "name"), ASKING)
def test_what_asks_first_is_answered_to_its_end(method, name, version):
    params = {"name": name}
    kinds = []
    for _ in range(4):
        result = checked(method, version, ask(method, version, params))
        kinds.append(result["resultType"])
        if kinds[-1] == "complete":
            break
        responses = {key: RESPONSES[key] for key in result["inputRequests"]}
        params = {"name": name, "inputResponses": responses}
        if "requestState" in result:
            params["requestState"] = result["requestState"]
    assert kinds == ROUNDS.get(name, ["input_required", "complete"])


@pytest.mark.parametrize("version", VERSIONS)
def test_the_answers_of_the_stores_own_tools(version, shop):  # noqa: F811
    def result_of(name, **arguments):
        result = checked("tools/call", version, ask("tools/call", version, {"name": name, "arguments": arguments}))
        assert result["isError"] is False, result
        return result["structuredContent"]

    records = records_of(shop)
    assert sorted(records) == ENTITY_NAMES
    for entity, number in records.items():
        result_of("cbx_describe_entity", entity=entity)
        assert result_of("cbx_list_entities", entity=entity, limit=2)["items"]
        record = result_of("cbx_get_entity", entity=entity, id=number)["record"]
        result_of("cbx_update_entity", entity=entity, id=number, rev=record["rev"], fields={}, dry_run=True)
    made = result_of("cbx_create_entity", entity="product", fields={"title_en_GB": "Shelf", "title_de_DE": "Regal"})
    result_of("cbx_update_entity", entity="product", id=made["id"], fields={"baseprice": "12.50"})
    result_of("cbx_delete_entity", entity="product", id=made["id"])
    for arguments in ({"entity": "product", "id": made["id"]}, {"entity": "poduct", "id": 1}, {}):
        refused = ask("tools/call", version, {"name": "cbx_get_entity", "arguments": arguments})
        assert checked("tools/call", version, refused)["isError"] is True
    params = {"name": "cbx_get_entity", "arguments": {"entity": "product", "id": shop.product}}
    forbidden = ask("tools/call", version, params, grant=Grant.nothing())
    assert checked("tools/call", version, forbidden)["isError"] is True


@pytest.mark.parametrize("version", VERSIONS)
def test_the_lists_of_a_grant_that_opens_nothing(version):
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
        checked(method, version, ask(method, version, {}, grant=Grant.nothing()))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("token", ["p-1", 7, 0])
def test_notifications_of_a_call_are_of_its_revision(token, version):
    heard = []
    ask("tools/call", version, {"name": "test_tool_with_progress"}, emit=heard.append, progressToken=token)
    ask("tools/call", version, {"name": "test_tool_with_logging"}, emit=heard.append, progressToken=token)
    sent = [json.loads(write_json(each)) for each in heard]
    assert [each["method"] for each in sent] == ["notifications/progress"] * 2 + ["notifications/message"] * 3
    for each in sent:
        assert jsonrpc.JSONRPCNotification.model_validate(each).model_dump() == each
        model = oracle.SERVER_NOTIFICATIONS[(each["method"], version)].model_validate(each)
        assert model.model_dump(mode="json", by_alias=True, exclude_none=True) == each
        oracle.parse_server_notification(each["method"], version, each["params"])
    assert {each["params"].get("progressToken", token) for each in sent} == {token}


FAULTS = {
    "no JSON": (b"{", -32700),
    "NaN": (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', -32700),
    "a batch": (b"[]", -32600),
    "an id of null": ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
    "no method": ({"jsonrpc": "2.0", "id": 1}, -32600),
    "another JSON-RPC": ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
    "params that are a list": ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("fault", FAULTS)
def test_errors_about_the_message_are_errors_of_the_revision(fault, version):
    message, code = FAULTS[fault]
    assert error_of(version, answer_to(message))["code"] == code


@pytest.mark.parametrize("version", VERSIONS)
def test_errors_about_the_request_are_errors_of_the_revision(version):
    is_modern = version in MODERN_VERSIONS
    expected = {
        ("no/such", ()): -32601,
        ("tools/call", (("name", "no_such_tool"),)): -32602,
        ("tools/list", (("cursor", "x"),)): -32602,
        ("prompts/get", (("name", "no_such_prompt"),)): -32602,
        ("resources/read", (("uri", "test://nowhere"),)): -32602 if is_modern else -32002,
        ("completion/complete", ()): -32602,
    }
    for (method, params), code in expected.items():
        given = {**dict(params), "_meta": meta(version)}
        answer = answer_to({"jsonrpc": "2.0", "id": 0, "method": method, "params": given})
        assert error_of(version, answer)["code"] == code
        assert answer["id"] == 0


def test_the_errors_that_only_the_modern_revision_has():
    unknown = meta(MODERN_VERSIONS[-1]) | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    answer = answer_to({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": unknown}})
    modern_models.UnsupportedProtocolVersionError.model_validate(answer)
    assert answer["error"]["data"] == {"supported": list(MODERN_VERSIONS), "requested": "2099-01-01"}
    incapable = meta(MODERN_VERSIONS[-1]) | {"io.modelcontextprotocol/clientCapabilities": {}}
    params = {"name": "test_missing_capability", "_meta": incapable}
    answer = answer_to({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    modern_models.MissingRequiredClientCapabilityError.model_validate(answer)
    assert answer["error"]["data"] == {"requiredCapabilities": {"sampling": {}}}
