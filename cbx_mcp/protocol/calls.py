"""Runs `tools/call`: finds the tool, asks the grant, reads the arguments, runs, and tells failures in words."""

import logging
import secrets
import time
from difflib import get_close_matches
from typing import Any

from cbx_mcp.asking import InputRequired
from cbx_mcp.call import Schema
from cbx_mcp.protocol.arguments import read_arguments
from cbx_mcp.protocol.eras import Era
from cbx_mcp.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.results import error_result, tool_result
from cbx_mcp.protocol.running import NotAskable, PartFailed, asked_result, call_of, guarded
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.tool import Tool, ToolError
from configbox.access.audit import Outcome, write_decision
from configbox.access.grants import Grant
from configbox.access.scopes import ANY_READ, ANY_WRITE, ANY_WRITE_SCOPES

logger = logging.getLogger("configbox.mcp")


class CallRefused(Exception):
    """The grant does not open the tool; the message names the scope that would."""


def call_tool(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return the result of one tool call; what the model can mend is a result marked as an error.

    Raises ProtocolError for a call that is malformed or names no tool, and for an answer that has no JSON form.
    Writes one audit line, however it ends.
    """
    started = time.monotonic()
    outcome: Outcome = "error"
    try:
        result = _run(request, era, session)
        outcome = "error" if result.get("isError") else "ok"
        return result
    except CallRefused as refused:
        outcome = "refused"
        return error_result(str(refused))
    finally:
        elapsed = time.monotonic() - started
        write_decision("tool", request.params.get("name"), session.actor, session.grant, outcome, elapsed)


def find_tool(request: Request, session: Session) -> Tool:
    """Return the tool a request names; raises ProtocolError where there is none."""
    name = request.params.get("name")
    if not isinstance(name, str):
        raise ProtocolError(INVALID_PARAMS, "A tools/call must name its tool: params.name is missing or no text.")
    if tool := session.tool(name):
        return tool
    names = [tool.name for tool in session.visible()]
    closest = get_close_matches(name[:60], names, n=1)
    hint = f"did you mean {closest[0]}?" if closest else f"known are {', '.join(names) or 'none'}."
    raise ProtocolError(INVALID_PARAMS, f"There is no tool {ascii(name)[1:-1][:60]}; {hint}")


def _run(request: Request, era: Era, session: Session) -> dict[str, Any]:
    tool = find_tool(request, session)
    schema = _permitted_schema(tool, session.grant)
    given = request.params.get("arguments")
    if given is not None and not isinstance(given, dict):
        raise ProtocolError(INVALID_PARAMS, "The arguments of a tools/call must be an object.")
    if request.unreadable:
        return error_result(_wrong_arguments(tool, [request.unreadable.message.replace("params.arguments.", "", 1)]))
    arguments, faults = read_arguments(schema, given or {})
    if faults:
        return error_result(_wrong_arguments(tool, faults))
    if tool.needs_database and (hindrance := session.hindrance()):
        return error_result(f"{tool.name} cannot run now. {hindrance}")
    call = call_of(request, era, session, arguments)
    try:
        result = guarded(tool.name, lambda: tool.run(call), ToolError)
        call.progress.close()
        if isinstance(result, InputRequired):
            return asked_result(tool.name, result, request, era, session)
        return tool_result(tool.name, result)
    except (ToolError, PartFailed, NotAskable) as error:
        return error_result(str(error))
    except (TypeError, ValueError, RecursionError):
        incident = secrets.token_hex(4)
        logger.exception("The answer of %s has no JSON form, incident %s", tool.name, incident)
        raise ProtocolError(
            INTERNAL_ERROR, f"{tool.name} gave an answer that cannot be sent; the server's log has incident {incident}."
        ) from None


def _permitted_schema(tool: Tool, grant: Grant) -> Schema:
    """Return the tool's schema; raises CallRefused, naming the scope, where the grant does not open it."""
    if not tool.is_permitted(grant):
        needed = {
            ANY_READ: "a read scope",
            ANY_WRITE: f"a write scope ({', '.join(ANY_WRITE_SCOPES)})",
        }.get(tool.scope, f"the scope {tool.scope}")
        raise CallRefused(
            f"{tool.name} needs {needed}; this connection holds {grant.describe()}. "
            "Whoever runs the server or made the token can grant more; nothing was done."
        )
    schema = tool.schema_for(grant)
    if schema is None:
        raise CallRefused(
            f"{tool.name} has nothing it could act on with the scopes of this connection ({grant.describe()}); "
            "nothing was done."
        )
    return schema


def _wrong_arguments(tool: Tool, faults: list[str]) -> str:
    lines = "\n".join(f"- {fault}" for fault in faults)
    return f"{tool.name} was not run, its arguments are not valid:\n{lines}\nCall it again with these mended."
