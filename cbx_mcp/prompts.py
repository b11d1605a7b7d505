"""What a prompt is: a ready text that a person picks in their client, with arguments, made into messages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.asking import InputRequired
from cbx_mcp.call import Call
from cbx_mcp.completion import Complete
from cbx_mcp.content import Block
from configbox.access.grants import Grant, grant_includes
from configbox.customization.hooks import MCP_PROMPTS


@dataclass(frozen=True)
class PromptArgument:
    """One argument: always text. `complete` suggests values."""

    name: str
    description: str
    required: bool = False
    complete: Complete | None = None


@dataclass(frozen=True)
class PromptMessage:
    """One message of the conversation that a prompt begins."""

    content: Block
    role: Literal["user", "assistant"] = "user"

    def shown(self) -> dict[str, Any]:
        return {"role": self.role, "content": self.content.shown()}


@dataclass(frozen=True)
class Prompt:
    """One prompt. `run` gets its arguments as texts."""

    name: str
    title: str
    description: str
    scope: str
    run: Callable[[Call], tuple[PromptMessage, ...] | InputRequired]
    arguments: tuple[PromptArgument, ...] = ()

    def is_permitted(self, grant: Grant) -> bool:
        """Say whether the grant holds the scope the prompt needs."""
        return grant_includes(grant, self.scope)

    def shown(self) -> dict[str, Any]:
        """Return how `prompts/list` shows it."""
        arguments = [
            {"name": each.name, "description": each.description, "required": each.required} for each in self.arguments
        ]
        return {"name": self.name, "title": self.title, "description": self.description, "arguments": arguments}


@cache
def prompts() -> tuple[Prompt, ...]:
    """Return every prompt of this installation, by name. Raises ImproperlyConfigured for two of one name."""
    found: dict[str, Prompt] = {}
    for home, prompt in MCP_PROMPTS.parts():
        if prompt.name in found:
            raise ImproperlyConfigured(f"Two prompts are named {prompt.name}; the second is in {home}. Rename one.")
        found[prompt.name] = prompt
    return tuple(found[name] for name in sorted(found))
