"""Answers messages. Stateless: all that a message needs is in it and in the session."""

import logging
import secrets
from dataclasses import dataclass
from typing import Any

from cbx_mcp.protocol.calls import find_tool
from cbx_mcp.protocol.eras import era_of
from cbx_mcp.protocol.errors import INTERNAL_ERROR, METHOD_NOT_FOUND, ProtocolError, success
from cbx_mcp.protocol.messages import Request, read_message
from cbx_mcp.protocol.methods import methods
from cbx_mcp.protocol.results import error_result
from cbx_mcp.protocol.session import SERVER_INFO, Session

logger = logging.getLogger("configbox.mcp")


def handle_message(message: bytes, session: Session) -> dict[str, Any] | None:
    """Return the answer to one message, None where it must not be answered. Raises nothing."""
    try:
        request = read_message(message)
    except ProtocolError as error:
        return error.answer()
    return answer_request(request, session) if isinstance(request, Request) else None


def answer_request(request: Request, session: Session) -> dict[str, Any]:
    """Return the answer to one request. Raises nothing; what went wrong inside is logged under an incident id."""
    try:
        era = era_of(request)
        method = methods().get(request.method)
        if method is None or not method.exists_in(era):
            raise ProtocolError(METHOD_NOT_FOUND, f"There is no method {ascii(request.method)[1:-1][:60]}.")
        result = method.answer(request, era, session)
        return success(request.id, era.dress(result, SERVER_INFO, method.cacheable))
    except ProtocolError as error:
        return error.answer(request.id)
    except Exception:
        incident = secrets.token_hex(4)
        logger.exception("A message of method %a could not be answered, incident %s", request.method[:60], incident)
        return ProtocolError(
            INTERNAL_ERROR, f"The server failed to answer; its log has the details under incident {incident}."
        ).answer(request.id)


@dataclass(frozen=True)
class Work:
    """What a sound request sets going: its name for people, and how long it may take (None: as the server says)."""

    name: str
    deadline: float | None = None


def work_of(request: Request, session: Session) -> Work | None:
    """Return what a sound and permitted request runs; None where it is answered without running anything."""
    method = methods().get(request.method)
    if method is None or not method.isolated or request.unreadable:
        return None
    try:
        if not method.exists_in(era_of(request)):
            return None
        if request.method != "tools/call":
            return Work(request.method)
        tool = find_tool(request, session)
    except ProtocolError:
        return None
    return Work(tool.name, tool.deadline) if tool.is_permitted(session.grant) else None


def answer_for(request: Request, failure: str) -> dict[str, Any]:
    """Return the answer to a sound request whose work could not answer itself: a tool's result, else an error."""
    if request.method == "tools/call":
        return answer_with_result(request, error_result(failure))
    return ProtocolError(INTERNAL_ERROR, failure).answer(request.id)


def answer_with_result(request: Request, result: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a sound call with a result that was made elsewhere: an error for a dead worker."""
    return success(request.id, era_of(request).dress(result, SERVER_INFO))
