"""What a tool is: one value that says its name, words, arguments, scope, hints and what it does."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.asking import InputRequired
from cbx_mcp.call import Call, Schema
from cbx_mcp.content import Block
from configbox.access.grants import Grant, grant_includes
from configbox.access.scopes import NEEDS

NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,47}")
MAX_DESCRIPTION: Final = 1000


@dataclass(frozen=True)
class Annotations:
    """The four hints by which a host decides whether to ask its user; they permit and forbid nothing."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False


@dataclass(frozen=True)
class Result:
    """What a tool answers: `content`, a JSON object shown as text and as structured content, or `text` alone.

    `blocks` follow the text; an answer may be of blocks alone.
    """

    content: Mapping[str, Any] | None = None
    text: str | None = None
    blocks: tuple[Block, ...] = ()
    is_error: bool = False


class ToolError(Exception):
    """What the caller can mend: its message is the answer, marked as an error. Say what is wrong and what to do."""


@dataclass(frozen=True)
class Tool:
    """One tool. A description or schema may depend on the grant; a schema of None withholds the tool from it."""

    name: str
    title: str
    description: str | Callable[[Grant], str]
    input_schema: Schema | Callable[[Grant], Schema | None]
    scope: str
    annotations: Annotations
    run: Callable[[Call], Result | InputRequired]
    # Seconds until a call is ended; None takes the server's, infinity is for what must never be stopped half way.
    deadline: float | None = None
    # Whether a database that is behind its migrations is answered instead of running the tool.
    needs_database: bool = True

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ImproperlyConfigured(
                f"A tool is named {self.name!r}: a name starts with a small letter and has up to 48 small letters, "
                "digits and underscores, since clients cut or refuse others."
            )
        if not self.title or not self.description:
            raise ImproperlyConfigured(f"Tool {self.name} needs a title and a description: models choose by them.")
        if isinstance(self.description, str) and len(self.description) > MAX_DESCRIPTION:
            raise ImproperlyConfigured(
                f"The description of tool {self.name} has {len(self.description)} characters; at most "
                f"{MAX_DESCRIPTION} reach every client. Move details to what the tool answers."
            )
        if isinstance(self.input_schema, dict) and self.input_schema.get("additionalProperties") is not False:
            raise ImproperlyConfigured(
                f'The input schema of tool {self.name} must say "additionalProperties": false: a misspelt argument '
                "that is silently ignored is a fault nobody sees."
            )
        if self.scope not in NEEDS:
            raise ImproperlyConfigured(
                f"Tool {self.name} needs the scope {self.scope!r}, which does not exist; valid are {', '.join(NEEDS)}."
            )

    def schema_for(self, grant: Grant) -> Schema | None:
        """Return the input schema this grant sees, or None where the tool has no use for it."""
        return self.input_schema(grant) if callable(self.input_schema) else self.input_schema

    def description_for(self, grant: Grant) -> str:
        """Return the description this grant sees."""
        return self.description(grant) if callable(self.description) else self.description

    def is_permitted(self, grant: Grant) -> bool:
        """Say whether the grant holds the scope the tool needs."""
        return grant_includes(grant, self.scope)
