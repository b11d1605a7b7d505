"""Every signature by which a store adds its own parts, and their discovery.

A customization is an installed Django app with a module `customization`. There it defines functions named like the
hooks below; each takes nothing and returns an iterable of values.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

MODULE: Final = "customization"


@dataclass(frozen=True)
class Hook:
    """One kind of part: the function's name, and the class of what it returns, by import path."""

    name: str
    returns: str

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Yield each part with the module that it comes from. Raises ImproperlyConfigured for one of another class."""
        expected = _class_at(self.returns)
        for module in customizations():
            function: Callable[[], Iterable[Any]] | None = getattr(module, self.name, None)
            for part in function() if function else ():
                if not isinstance(part, expected):
                    raise ImproperlyConfigured(
                        f"{module.__name__}.{self.name}() returns {part!r}; each part must be a {self.returns}."
                    )
                yield module.__name__, part


MCP_TOOLS: Final = Hook("mcp_tools", "cbx_mcp.tools.tool.Tool")
MCP_PROMPTS: Final = Hook("mcp_prompts", "cbx_mcp.prompts.Prompt")
MCP_RESOURCES: Final = Hook("mcp_resources", "cbx_mcp.resources.Resource")
MCP_RESOURCE_TEMPLATES: Final = Hook("mcp_resource_templates", "cbx_mcp.resources.ResourceTemplate")
MCP_METHODS: Final = Hook("mcp_methods", "cbx_mcp.protocol.method.Method")

HOOKS: Final = (MCP_TOOLS, MCP_PROMPTS, MCP_RESOURCES, MCP_RESOURCE_TEMPLATES, MCP_METHODS)


@cache
def customizations() -> tuple[ModuleType, ...]:
    """Return the customization modules of the installed apps, in their order."""
    paths = [f"{config.name}.{MODULE}" for config in apps.get_app_configs() if config.name != "configbox.customization"]
    return tuple(import_module(path) for path in paths if find_spec(path))


def _class_at(path: str) -> type:
    module, _, name = path.rpartition(".")
    found: type = getattr(import_module(module), name)
    return found
