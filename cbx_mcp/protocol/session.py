"""What stays the same over the messages of one caller, whichever transport brought them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cbx_mcp.prompts import Prompt, prompts
from cbx_mcp.resources import Resource, ResourceTemplate, resource_templates, resources
from cbx_mcp.tools.tool import Tool
from configbox import __version__
from configbox.access.grants import Grant

SERVER_INFO = {"name": "configbox", "title": "ConfigBox", "version": __version__}


def _nowhere(notification: dict[str, Any]) -> None:
    """Stand for a transport that carries no notifications."""


def _nothing() -> str | None:
    """Stand for a store that is ready."""
    return None


@dataclass(frozen=True)
class Session:
    """One caller: what it holds, under which name it acts, which tools exist, and how progress reaches it.

    `instructions` is asked only where it is answered. `hindrance` says in a sentence why tools that need the
    database cannot run now, or None.
    """

    grant: Grant
    tools: tuple[Tool, ...]
    instructions: Callable[[], str]
    prompts: tuple[Prompt, ...] = field(default_factory=prompts)
    resources: tuple[Resource, ...] = field(default_factory=resources)
    resource_templates: tuple[ResourceTemplate, ...] = field(default_factory=resource_templates)
    actor: str = "stdio"
    door: str = "stdio"
    language: str | None = None
    change_set: str | None = None
    emit: Callable[[dict[str, Any]], None] = _nowhere
    hindrance: Callable[[], str | None] = _nothing

    def tool(self, name: str) -> Tool | None:
        """Return the tool of that name, permitted or not."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def visible(self) -> list[Tool]:
        """Return the tools that `tools/list` shows: permitted, and of use to this grant; sorted by name."""
        shown = (
            tool for tool in self.tools if tool.is_permitted(self.grant) and tool.schema_for(self.grant) is not None
        )
        return sorted(shown, key=lambda tool: tool.name)
