"""Tools as values: what is wrong with one is said when it is declared; the lint sees what clients would choke on."""

import sys
from types import ModuleType

import pytest
from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.protocol.methods import definition
from cbx_mcp.tools.registry import gather
from cbx_mcp.tools.tool import Annotations, Result, Tool
from configbox.access.grants import Grant
from tests.mcp.fixture_tools import NO_ARGUMENTS, TOOLS, TYPED
from tests.mcp.schema_lint import lint_tools

GOOD = {
    "name": "a_tool",
    "title": "A tool",
    "description": "Does something.",
    "input_schema": NO_ARGUMENTS,
    "scope": "catalog:read",
    "annotations": Annotations(read_only=True, destructive=False, idempotent=True),
    "run": lambda call: Result({}),
}


@pytest.mark.parametrize("name", ["", "Tool", "1tool", "a-tool", "a.tool", "a tool", "a" * 49, "ä", "a\n"])
def test_a_name_that_clients_refuse_is_refused(name):
    with pytest.raises(ImproperlyConfigured, match="a name starts with a small letter"):
        Tool(**{**GOOD, "name": name})


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [
        ("description", "", "needs a title and a description"),
        ("title", "", "needs a title and a description"),
        ("description", "x" * 1001, "has 1001 characters; at most 1000"),
        ("scope", "catalog:delete", "needs the scope 'catalog:delete', which does not exist"),
    ],
)
def test_what_is_missing_or_wrong_is_said(member, value, words):
    with pytest.raises(ImproperlyConfigured, match=words):
        Tool(**{**GOOD, member: value})


@pytest.mark.parametrize("member", ["scope", "annotations", "input_schema", "run"])
def test_nothing_that_decides_about_a_call_has_a_default(member):
    with pytest.raises(TypeError, match=member):
        Tool(**{name: value for name, value in GOOD.items() if name != member})


def test_all_hints_but_open_world_must_be_said():
    with pytest.raises(TypeError):
        Annotations(read_only=True, destructive=False)


@pytest.fixture
def module():
    found = ModuleType("tests_of_registration")
    sys.modules[found.__name__] = found
    yield found
    del sys.modules[found.__name__]


def test_tools_of_modules_are_gathered_in_order(module):
    module.TOOL = Tool(**GOOD)
    assert [tool.name for tool in gather(["tests.mcp.fixture_tools", module.__name__])] == [
        *(tool.name for tool in TOOLS),
        "a_tool",
    ]


def test_two_tools_of_one_name_are_refused_with_both_homes(module):
    module.TOOLS = (Tool(**{**GOOD, "name": "echo"}),)
    with pytest.raises(ImproperlyConfigured) as caught:
        gather(["tests.mcp.fixture_tools", module.__name__])
    assert str(caught.value) == (
        "Two tools are named echo: one in tests.mcp.fixture_tools, one in tests_of_registration. Rename one."
    )


def test_a_module_without_tools_and_a_value_that_is_none_are_refused(module):
    with pytest.raises(ImproperlyConfigured, match="declares neither TOOL nor TOOLS"):
        gather([module.__name__])
    module.TOOL = "not a tool"
    with pytest.raises(ImproperlyConfigured, match="each must be a Tool"):
        gather([module.__name__])


def listed(**changes):
    return {**definition(Tool(**GOOD), Grant.everything()), **changes}


def test_the_fixture_tools_pass_the_lint():
    grant = Grant.everything()
    shown = [definition(tool, grant) for tool in TOOLS if tool.is_permitted(grant) and tool.schema_for(grant)]
    assert lint_tools(shown) == []


def with_value(schema):
    return listed(inputSchema={**TYPED, "properties": {"value": {"description": "A value.", **schema}}})


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        (listed(name="Tool"), "the name is not one"),
        (listed(description=""), "the description is missing"),
        (listed(description="Call cbx_other first."), "mentions cbx_other, which is not listed"),
        (listed(annotations={"title": "A tool", "readOnlyHint": True}), "the annotations are not complete"),
        (listed(inputSchema={"type": "object"}), "top level must be exactly"),
        (listed(inputSchema={**NO_ARGUMENTS, "anyOf": []}), "top level must be exactly"),
        (listed(inputSchema={**NO_ARGUMENTS, "type": "array"}), "top level must be exactly"),
        (listed(inputSchema={**NO_ARGUMENTS, "required": ["x"]}), "a required argument is not declared"),
        (listed(inputSchema={**NO_ARGUMENTS, "additionalProperties": True}), "unknown arguments are not refused"),
        (with_value({}), "value has no single type"),
        (with_value({"type": ["string", "null"]}), "value has no single type"),
        (with_value({"type": "string", "enum": []}), "value has an enum that is empty"),
        (with_value({"type": "string", "enum": [f"v{number}" for number in range(51)]}), "value has an enum"),
        (with_value({"type": "integer", "enum": [1, 2]}), "value has an enum"),
        (with_value({"type": "array"}), "value[] has no single type"),
        (with_value({"type": "object", "$ref": "#/$defs/x"}), "value uses $ref"),
        (with_value({"type": "string", "description": ""}), "value has no description"),
        (
            with_value({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
            "value[][] is nested deeper than 3",
        ),
    ],
)
def test_the_lint_sees_each_fault(tool, words):
    assert any(words in fault for fault in lint_tools([tool])), lint_tools([tool])


def test_the_lint_sees_names_that_clients_would_merge():
    assert lint_tools([listed(), listed()])[0] == "two tools share a name"
