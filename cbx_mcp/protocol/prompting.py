"""Answers `prompts/list` and `prompts/get`."""

from typing import Any

from cbx_mcp.asking import InputRequired
from cbx_mcp.prompts import Prompt
from cbx_mcp.protocol.eras import Era
from cbx_mcp.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.paging import refuse_cursor
from cbx_mcp.protocol.running import NotAskable, PartFailed, asked_result, call_of, guarded
from cbx_mcp.protocol.session import Session
from configbox.properties.issues import no_such


def list_prompts(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return the prompts that the session's grant opens."""
    refuse_cursor(request)
    return {"prompts": [prompt.shown() for prompt in session.prompts if prompt.is_permitted(session.grant)]}


def find_prompt(name: object, session: Session) -> Prompt:
    """Return the prompt of that name. Raises ProtocolError where there is none that the grant opens."""
    permitted = {prompt.name: prompt for prompt in session.prompts if prompt.is_permitted(session.grant)}
    if isinstance(name, str) and name in permitted:
        return permitted[name]
    raise ProtocolError(INVALID_PARAMS, no_such("prompt", name, permitted))


def get_prompt(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return a prompt's messages. Raises ProtocolError for an unknown prompt and for arguments that are not its own."""
    prompt = find_prompt(request.params.get("name"), session)
    arguments = _arguments(prompt, request.params.get("arguments"))
    call = call_of(request, era, session, arguments)
    try:
        made = guarded(prompt.name, lambda: prompt.run(call))
        if isinstance(made, InputRequired):
            return asked_result(prompt.name, made, request, era, session)
    except NotAskable as error:
        raise ProtocolError(INVALID_PARAMS, str(error)) from None
    except PartFailed as error:
        raise ProtocolError(INTERNAL_ERROR, str(error)) from None
    return {"description": prompt.description, "messages": [message.shown() for message in made]}


def _arguments(prompt: Prompt, given: object) -> dict[str, Any]:
    given = {} if given is None else given
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given.values()):
        raise ProtocolError(INVALID_PARAMS, "The arguments of a prompt must be an object of texts.")
    known = {each.name: each for each in prompt.arguments}
    faults = [no_such("argument", name, known) for name in given if name not in known]
    faults += [f"{name} is missing." for name, each in known.items() if each.required and name not in given]
    if faults:
        raise ProtocolError(INVALID_PARAMS, f"{prompt.name}: {' '.join(faults)}")
    return given
