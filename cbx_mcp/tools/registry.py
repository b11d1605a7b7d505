"""Gathers the tools: the values TOOL and TOOLS of the modules named here, and those of customizations, once."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.tools.tool import Tool
from configbox.customization.hooks import MCP_TOOLS

# Each module declares TOOL (one tool) or TOOLS (several). The setting MCP_TOOL_MODULES takes others in their place.
TOOL_MODULES: Final[tuple[str, ...]] = ("cbx_mcp.tools.entity_tools",)


@cache
def tools() -> tuple[Tool, ...]:
    """Return every tool of this installation, permitted to somebody or not.

    Raises ImproperlyConfigured where a module declares none, or two tools share a name.
    """
    return gather(getattr(settings, "MCP_TOOL_MODULES", TOOL_MODULES), MCP_TOOLS.parts())


def gather(modules: Iterable[str], added: Iterable[tuple[str, Tool]] = ()) -> tuple[Tool, ...]:
    """Return the tools that modules declare, and those `added`, each with where it comes from; in their order."""
    found: dict[str, Tool] = {}
    homes: dict[str, str] = {}
    for path, tool in (*_declared_in(modules), *added):
        if tool.name in found:
            raise ImproperlyConfigured(
                f"Two tools are named {tool.name}: one in {homes[tool.name]}, one in {path}. Rename one."
            )
        found[tool.name], homes[tool.name] = tool, path
    return tuple(found.values())


def _declared_in(modules: Iterable[str]) -> Iterator[tuple[str, Tool]]:
    """Yield the tools that modules declare, each with its module's path."""
    for path in modules:
        module = import_module(path)
        declared = [*getattr(module, "TOOLS", ()), *([module.TOOL] if hasattr(module, "TOOL") else [])]
        if not declared:
            raise ImproperlyConfigured(f"{path} is listed as a module of tools but declares neither TOOL nor TOOLS.")
        for tool in declared:
            if not isinstance(tool, Tool):
                raise ImproperlyConfigured(f"{path} declares {tool!r} among its tools; each must be a Tool.")
            yield path, tool
