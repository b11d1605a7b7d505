"""`tools/list` is the same on both doors for every grant, as data; and what a list and a call over HTTP cost."""

import json
from decimal import Decimal

import pytest

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import tools
from configbox.access.grants import Grant, parse_scopes, read_only
from configbox.access.scopes import GRANTABLE, PRESETS
from configbox.properties.json_values import write_json
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.mcp.http_door import HttpDoor, document
from tests.mcp.schema_lint import lint_tools
from tests.mcp.stdio_client import StdioClient

pytestmark = pytest.mark.django_db

GRANTS = {
    "none": Grant.nothing(),
    "shell": Grant.everything(),
    **{scope: parse_scopes([scope]) for scope in GRANTABLE},
    **{preset: parse_scopes([], [preset]) for preset in PRESETS},
    "shell, read-only": read_only(Grant.everything()),
    **{f"{preset}, read-only": read_only(parse_scopes([], [preset])) for preset in PRESETS},
}
# Active languages, the record, its texts, labels and lists, and whether it has pages, for each value that needs one.
QUERIES_OF_A_GET = 7
LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


def over_http(grant, method="tools/list", **more):
    return HttpDoor(grant).ask(method, **more)


def in_process(grant, method):
    """Return the result as the dispatcher gives it to a stdio server of this grant."""
    session = Session(grant, tools(), instructions=lambda: "")
    message = write_json({"jsonrpc": "2.0", "id": 1, "method": method})
    answer = json.loads(write_json(handle_message(message.encode(), session)), parse_float=Decimal)
    return answer["result"]


@pytest.mark.parametrize("grant", GRANTS)
def test_the_lists_of_a_grant_are_equal_on_both_doors(grant):
    for method in LISTS:
        assert over_http(GRANTS[grant], method) == in_process(GRANTS[grant], method)


@pytest.mark.parametrize("grant", GRANTS)
def test_both_eras_and_every_form_list_the_same(grant):
    door = HttpDoor(GRANTS[grant])
    listed = door.ask("tools/list")["tools"]
    assert lint_tools(listed) == []
    modern = door.ask("tools/list", modern=True)
    assert modern["tools"] == listed
    assert (modern["cacheScope"], modern["resultType"]) == ("private", "complete")
    assert door.ask("tools/list", address="/en/cb-api/v1/mcp/")["tools"] == listed


def test_lists_differ_where_grants_do():
    """The comparison above compares something: a list is not the same for everybody."""
    shown = {name: [tool["name"] for tool in over_http(grant)["tools"]] for name, grant in GRANTS.items()}
    reads = ["cbx_describe_entity", "cbx_get_entity", "cbx_list_entities"]
    assert shown["none"] == shown["orders:read"] == shown["author, read-only"] == reads
    everything = sorted([*reads, "cbx_create_entity", "cbx_delete_entity", "cbx_update_entity"])
    assert shown["shell"] == shown["author"] == shown["catalog:write"] == everything


# The options of a real server, and the grant that a token with the same words has.
PROCESSES = {
    "": GRANTS["shell"],
    "--read-only": GRANTS["shell, read-only"],
    "--preset=author": GRANTS["author"],
    "--preset=insights": GRANTS["insights"],
    "--preset=everything --read-only": GRANTS["everything, read-only"],
    "--scope=orders:write": GRANTS["orders:write"],
    "--scope=catalog:read,store:write": parse_scopes(["catalog:read", "store:write"]),
}


@pytest.mark.parametrize("options", PROCESSES)
def test_a_real_stdio_server_lists_what_http_lists(options):
    with StdioClient(*options.split(), settings="configbox.settings") as client:
        for method in LISTS:
            assert client.ask(method)["result"] == over_http(PROCESSES[options], method)
        modern = client.ask("tools/list", modern=True)["result"]
    assert modern == over_http(PROCESSES[options], modern=True)


# --- what it costs ------------------------------------------------------------------------------------------------
def test_a_list_over_http_asks_the_database_for_its_token_alone(django_assert_num_queries):
    door = HttpDoor(Grant.everything())
    with django_assert_num_queries(2) as first:
        door.ask("tools/list")
    # The use of a token is noted once a minute.
    assert [query["sql"].split()[0] for query in first.captured_queries] == ["SELECT", "UPDATE"]
    for method in (*LISTS, "ping"):
        with django_assert_num_queries(1):
            door.ask(method)


def test_a_call_over_http_costs_its_token_more_than_on_stdio(django_assert_num_queries, shop):  # noqa: F811
    door = HttpDoor(Grant.everything())
    params = {"name": "cbx_get_entity", "arguments": {"entity": "product", "id": shop.product}}
    # The first call of a process asks whether the database is ready, and notes the token's use.
    first = door.ask("tools/call", params)
    message = write_json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    session = Session(Grant.everything(), tools(), instructions=lambda: "")
    with django_assert_num_queries(QUERIES_OF_A_GET):
        answer = handle_message(message.encode(), session)
    with django_assert_num_queries(QUERIES_OF_A_GET + 1):
        response = door.post("tools/call", params)
    assert document(response) == json.loads(write_json(answer), parse_float=Decimal)
    assert document(response)["result"] == first
    # A language in the address is looked up among those of the store.
    with django_assert_num_queries(QUERIES_OF_A_GET + 2):
        door.ask("tools/call", params, address="/en/cb-api/v1/mcp")
