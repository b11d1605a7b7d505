"""Answers `completion/complete`: suggestions for an argument of a prompt or a variable of a resource template."""

from typing import Any, Final

from cbx_mcp.completion import Complete, Typing
from cbx_mcp.protocol.eras import Era
from cbx_mcp.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.prompting import find_prompt
from cbx_mcp.protocol.running import PartFailed, guarded
from cbx_mcp.protocol.session import Session

MAX_VALUES: Final = 100


def complete(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return up to 100 suggestions. An argument that has none gets an empty list, an unknown prompt an error."""
    argument = request.params.get("argument")
    name = argument.get("name") if isinstance(argument, dict) else None
    value = argument.get("value") if isinstance(argument, dict) else None
    if not isinstance(name, str) or not isinstance(value, str):
        raise ProtocolError(INVALID_PARAMS, "params.argument must have a name and a value, both texts.")
    suggest = _completion(request.params.get("ref"), name, session)
    values: list[str] = []
    if suggest:
        typing = Typing(value, session.grant, _others(request.params.get("context")))
        try:
            values = list(guarded(f"The completion of {name}", lambda: suggest(typing)))
        except PartFailed as error:
            raise ProtocolError(INTERNAL_ERROR, str(error)) from None
    return {
        "completion": {"values": values[:MAX_VALUES], "total": len(values), "hasMore": len(values) > MAX_VALUES},
    }


def _completion(ref: object, name: str, session: Session) -> Complete | None:
    kind = ref.get("type") if isinstance(ref, dict) else None
    if isinstance(ref, dict) and kind == "ref/prompt":
        prompt = find_prompt(ref.get("name"), session)
        return next((each.complete for each in prompt.arguments if each.name == name), None)
    if isinstance(ref, dict) and kind == "ref/resource":
        templates = (each for each in session.resource_templates if each.is_permitted(session.grant))
        template = next((each for each in templates if each.uri_template == ref.get("uri")), None)
        if template:
            return template.complete.get(name)
        raise ProtocolError(INVALID_PARAMS, "There is no such resource template; resources/templates/list names them.")
    raise ProtocolError(
        INVALID_PARAMS, 'params.ref must be {"type": "ref/prompt", "name": …} or {"type": "ref/resource", "uri": …}.'
    )


def _others(context: object) -> dict[str, str]:
    arguments = context.get("arguments") if isinstance(context, dict) else None
    given = arguments if isinstance(arguments, dict) else {}
    return {name: value for name, value in given.items() if isinstance(value, str)}
