"""Hooks: where a store's own parts are looked for, and what is said of a customization that is wrong."""

import sys
from types import ModuleType

import pytest
from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.prompts import Prompt, prompts
from cbx_mcp.protocol.methods import methods
from cbx_mcp.resources import Resource, resources
from cbx_mcp.tools.registry import gather, tools
from configbox.access.scopes import ANY_READ
from configbox.customization import checks, hooks
from configbox.customization.hooks import HOOKS, MCP_PROMPTS, MCP_TOOLS, customizations
from tests.mcp_conformance.fixture_tools import TOOLS

CACHES = (customizations, tools, prompts, resources, methods)


@pytest.fixture
def own_shop(monkeypatch):
    """Return a module that is taken for the one customization there is."""
    module = ModuleType("own_shop.customization")
    monkeypatch.setattr(hooks, "customizations", lambda: (module,))
    monkeypatch.setattr(checks, "customizations", lambda: (module,))
    clear()
    yield module
    monkeypatch.undo()
    clear()


def clear():
    for each in CACHES:
        getattr(each, "cache_clear", lambda: None)()


def own_function(module, name, parts):
    def function():
        return parts

    function.__module__ = module.__name__
    setattr(module, name, function)


def test_customizations_are_the_modules_of_that_name_of_installed_apps(settings):
    customizations.cache_clear()
    assert customizations() == ()
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "tests.mcp_conformance"]
    customizations.cache_clear()
    assert [module.__name__ for module in customizations()] == ["tests.mcp_conformance.customization"]
    customizations.cache_clear()
    sys.modules.pop("tests.mcp_conformance.customization")


def test_a_hooks_parts_join_the_built_in_ones(own_shop):
    own_function(own_shop, "mcp_tools", TOOLS[:1])
    assert [tool.name for tool in tools()][-1] == "test_simple_text"
    assert "cbx_get_entity" in [tool.name for tool in tools()]


def test_a_part_of_another_class_is_refused_by_name(own_shop):
    own_function(own_shop, "mcp_prompts", [TOOLS[0]])
    with pytest.raises(ImproperlyConfigured) as refused:
        list(MCP_PROMPTS.parts())
    assert str(refused.value).startswith("own_shop.customization.mcp_prompts() returns Tool(name='test_simple_text'")
    assert str(refused.value).endswith("; each part must be a cbx_mcp.prompts.Prompt.")


def test_a_tool_of_a_name_that_is_taken_is_refused(own_shop):
    own_function(own_shop, "mcp_tools", [TOOLS[0], TOOLS[0]])
    with pytest.raises(ImproperlyConfigured, match=r"Two tools are named test_simple_text: one in own_shop"):
        gather((), MCP_TOOLS.parts())


def test_two_prompts_or_resources_of_one_name_are_refused(own_shop):
    prompt = Prompt("greet", "Greet", "Greets.", ANY_READ, lambda call: ())
    own_function(own_shop, "mcp_prompts", [prompt, prompt])
    with pytest.raises(ImproperlyConfigured, match="Two prompts are named greet"):
        prompts()
    for uri in ("no address", "shop://guide"):
        resource = Resource(uri, "guide", "Guide", "A guide.", "text/plain", ANY_READ, lambda call: "")
        own_function(own_shop, "mcp_resources", [resource, resource])
        with pytest.raises(ImproperlyConfigured, match=r"an address must be a URI, such as shop://guide"):
            resources()


def test_a_function_that_no_hook_calls_is_told_with_the_closest_hook(own_shop):
    own_function(own_shop, "mcp_tool", [])
    own_function(own_shop, "_mcp_part", [])
    own_function(own_shop, "mcp_prompts", [])
    own_shop.elsewhere = list
    [warning] = checks.unknown_hooks(None)
    assert warning.id == "configbox.customization.W001"
    assert warning.msg == "own_shop.customization defines mcp_tool(), which no hook calls."
    assert warning.hint.startswith("Did you mean mcp_tools? Hooks are mcp_tools, mcp_prompts, ")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.name)
def test_each_hook_names_a_class_that_exists(hook):
    assert isinstance(hooks._class_at(hook.returns), type)
