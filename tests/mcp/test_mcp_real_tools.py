"""The store's own tools as each grant is shown them: no client chokes on a definition, no list is too long (G30)."""

import pytest

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access.grants import Grant, parse_scopes, read_only
from configbox.access.scopes import GRANTABLE, PRESETS
from configbox.properties.json_values import read_json, write_json
from tests.mcp.schema_lint import lint_tools

GRANTS = {
    "nothing": Grant.nothing(),
    "shell": Grant.everything(),
    "read-only": read_only(Grant.everything()),
    "storefront": parse_scopes(["storefront:write"]),
    **{preset: parse_scopes([], [preset]) for preset in PRESETS},
    **{scope: parse_scopes([scope]) for scope in GRANTABLE},
}
MAX_LIST = 40_000


def listed(grant):
    session = Session(grant, gather(TOOL_MODULES), instructions=lambda: "")
    answer = handle_message(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}', session)
    line = write_json(answer)
    return read_json(line)["result"]["tools"], len(line)


@pytest.mark.parametrize("name", GRANTS)
def test_every_definition_passes_the_lint_and_the_list_is_short(name):
    tools, size = listed(GRANTS[name])
    assert lint_tools(tools) == []
    assert size < MAX_LIST


@pytest.mark.parametrize("name", ["cbx_create_entity", "cbx_update_entity", "cbx_delete_entity"])
def test_an_empty_change_set_is_refused_and_no_set_is_opened(name):
    sent = {"entity": "product", "id": 1, "fields": {}, "change_set": ""}
    tool = next(tool for tool in gather(TOOL_MODULES) if tool.name == name)
    known = tool.schema_for(GRANTS["shell"])["properties"]
    arguments = {key: value for key, value in sent.items() if key in known}
    session = Session(GRANTS["shell"], (tool,), instructions=lambda: "")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    result = handle_message(write_json(message).encode(), session)["result"]
    assert result["isError"] is True
    assert "- change_set must not be empty; leave it out if you have none." in result["content"][0]["text"]


def test_a_grant_is_shown_what_it_may_use():
    reading = ["cbx_describe_entity", "cbx_get_entity", "cbx_list_entities"]
    writing = ["cbx_create_entity", "cbx_delete_entity", "cbx_update_entity"]

    def names(grant):
        return [tool["name"] for tool in listed(grant)[0] if tool["name"] in (*reading, *writing)]

    assert names(GRANTS["shell"]) == sorted(reading + writing)
    assert names(GRANTS["author"]) == sorted(reading + writing)
    for grant in ("nothing", "read-only", "insights", "code:write", "catalog:read", "orders:write"):
        assert names(GRANTS[grant]) == reading
    assert names(GRANTS["storefront"]) == []
