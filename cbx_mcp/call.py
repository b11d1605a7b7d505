"""One call of what stands behind a method: its arguments, who asks, what they hold, and ways to speak meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from configbox.access.grants import Grant

Schema = dict[str, Any]


class Progress(Protocol):
    """Tells the client how far a call has come; does nothing where the client did not ask."""

    def __call__(self, current: int, total: int | None = None, message: str | None = None) -> None: ...

    def close(self) -> None:
        """Send nothing more: the call is being answered."""


class Notify(Protocol):
    """Sends the client a notification that belongs to this call, before its answer."""

    def __call__(self, method: str, params: Mapping[str, Any]) -> None: ...


class Silent:
    """Stands for a client that asked for no progress."""

    def __call__(self, current: int, total: int | None = None, message: str | None = None) -> None:
        pass

    def close(self) -> None:
        pass


def _unheard(method: str, params: Mapping[str, Any]) -> None:
    """Stand for a transport that carries no notifications."""


@dataclass(frozen=True)
class Call:
    """One call of a tool, prompt or resource: checked arguments, who asks, and what they hold.

    `actor` names the caller for changes and audit lines (`stdio`), `door` the way the call came,
    `language` the tag that holds unless its arguments say another; `change_set` is the
    handle of the session's open change set, if it has one. `input_responses` is what a client sent back on being
    asked, by the name of the request, and `state` what was to be remembered meanwhile (see cbx_mcp.asking).
    """

    arguments: dict[str, Any]
    grant: Grant
    actor: str = "stdio"
    door: str = "stdio"
    language: str | None = None
    change_set: str | None = None
    progress: Progress = field(default_factory=Silent)
    notify: Notify = _unheard
    client_capabilities: Mapping[str, Any] = field(default_factory=dict)
    input_responses: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    state: Any = None
