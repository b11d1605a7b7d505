"""Asking the person or the host behind a client: a call answers `InputRequired`, the client repeats it with answers.

Nothing waits meanwhile: what must be remembered travels as `state`, signed and bound to caller and request.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import jsonschema_rs

from cbx_mcp.call import Call, Schema
from configbox.properties.json_values import write_json

# What a client must have declared to be asked so (its name among the client's capabilities).
CAPABILITY_OF: Final = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


@dataclass(frozen=True)
class InputRequest:
    """One thing to ask: an MCP request of the kinds in CAPABILITY_OF, and its params."""

    method: str
    params: Mapping[str, Any]

    def __post_init__(self) -> None:
        if self.method not in CAPABILITY_OF:
            raise ValueError(f"A client can be asked by {', '.join(CAPABILITY_OF)}, not by {self.method!r}.")

    @property
    def capability(self) -> str:
        """Return the capability that a client declares if it can be asked so."""
        return CAPABILITY_OF[self.method]


@dataclass(frozen=True)
class InputRequired:
    """What a tool, prompt or resource answers that must ask first: named requests, and what to remember meanwhile.

    `state` is any JSON value; it comes back as `call.state`, and only to the same caller with the same arguments.
    """

    requests: Mapping[str, InputRequest] = field(default_factory=dict)
    state: Any = None

    def __post_init__(self) -> None:
        if not self.requests and self.state is None:
            raise ValueError("What asks for input names at least one request or a state.")

    def messages(self) -> str:
        """Return what it asks, as one text for a client that cannot be asked."""
        asked = [str(each.params.get("message", each.method)) for each in self.requests.values()]
        return " ".join(asked)


def elicitation(message: str, schema: Schema) -> InputRequest:
    """Return a question to the person: a flat object of texts, numbers, switches and choices. Never ask for secrets."""
    return InputRequest("elicitation/create", {"message": message, "requestedSchema": schema})


def sampling(text: str, max_tokens: int) -> InputRequest:
    """Return a request to the host's model."""
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return InputRequest("sampling/createMessage", {"messages": messages, "maxTokens": max_tokens})


def roots() -> InputRequest:
    """Return the question which folders the client works in."""
    return InputRequest("roots/list", {})


def elicited(call: Call, name: str, schema: Schema) -> dict[str, Any] | None:
    """Return what the person entered; None where nothing valid came, so that it is asked again."""
    response = call.input_responses.get(name, {})
    content = response.get("content")
    if response.get("action") != "accept" or not isinstance(content, dict):
        return None
    is_valid = jsonschema_rs.Draft202012Validator(write_json(schema)).is_valid(content)
    return content if is_valid else None


def declined(call: Call, name: str) -> bool:
    """Say whether the person refused to answer, or closed the question."""
    return call.input_responses.get(name, {}).get("action") in ("decline", "cancel")
