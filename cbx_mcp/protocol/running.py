"""Runs what stands behind a method, a tool, prompt or resource, so that nothing it raises gets past."""

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from cbx_mcp.asking import InputRequired
from cbx_mcp.call import Call
from cbx_mcp.protocol.eras import CAPABILITIES_KEY, Era
from cbx_mcp.protocol.errors import INVALID_PARAMS, MISSING_CAPABILITY, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.progress import ProgressReporter
from cbx_mcp.protocol.request_state import seal, unseal
from cbx_mcp.protocol.session import Session

logger = logging.getLogger("configbox.mcp")

Answered = TypeVar("Answered")


def call_of(request: Request, era: Era, session: Session, arguments: dict[str, Any]) -> Call:
    """Return the call that a request makes. Raises ProtocolError for answers or a state that cannot be taken."""
    capabilities = request.meta.get(CAPABILITIES_KEY) if era.is_modern else None
    state = request.params.get("requestState")
    return Call(
        arguments=arguments,
        grant=session.grant,
        actor=session.actor,
        door=session.door,
        language=session.language,
        change_set=session.change_set,
        progress=ProgressReporter(request.meta.get("progressToken"), session.emit),
        notify=lambda method, params: session.emit({"jsonrpc": "2.0", "method": method, "params": dict(params)}),
        client_capabilities=capabilities if isinstance(capabilities, dict) else {},
        input_responses=_responses(request) if era.is_modern else {},
        state=None if state is None or not era.is_modern else unseal(state, request, session),
    )


def _responses(request: Request) -> Mapping[str, Mapping[str, Any]]:
    """Return what the client answered. Raises ProtocolError for what is no object of objects."""
    given = request.params.get("inputResponses", {})
    if not isinstance(given, dict) or not all(isinstance(each, dict) for each in given.values()):
        raise ProtocolError(INVALID_PARAMS, "inputResponses must be an object with an object for each request.")
    return given


def asked_result(name: str, asked: InputRequired, request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return the result that asks the client.

    Raises ProtocolError where the client did not declare that it can be asked so; NotAskable where its revision of
    the protocol has no such thing.
    """
    if not era.is_modern:
        raise NotAskable(f"{name} has to ask something first, which this client cannot be asked. {asked.messages()}")
    declared = request.meta[CAPABILITIES_KEY]
    missing = sorted({each.capability for each in asked.requests.values()}.difference(declared))
    if missing:
        raise ProtocolError(
            MISSING_CAPABILITY,
            f"{name} needs a client that declares {', '.join(missing)}.",
            data={"requiredCapabilities": {capability: {} for capability in missing}},
        )
    result: dict[str, Any] = {"resultType": "input_required"}
    if asked.requests:
        result["inputRequests"] = {
            key: {"method": each.method, "params": dict(each.params)} for key, each in asked.requests.items()
        }
    if asked.state is not None:
        result["requestState"] = seal(asked.state, request, session)
    return result


class NotAskable(Exception):
    """The client speaks a revision in which nothing can be asked; the message says what would have been."""


def guarded(name: str, run: Callable[[], Answered], *passing: type[Exception]) -> Answered:
    """Return what `run` returns. What it raises is let through if it is one of `passing`, else logged.

    Raises PartFailed in its place.
    """
    try:
        return run()
    except passing:
        raise
    except (Exception, SystemExit):
        # A part that ends the process must not end a server that runs it in its own.
        incident = secrets.token_hex(4)
        logger.exception("%s failed, incident %s", name, incident)
        raise PartFailed(name, incident) from None


class PartFailed(Exception):
    """A tool, prompt or resource failed for a reason that its caller cannot mend; the log has it."""

    def __init__(self, name: str, incident: str) -> None:
        self.incident = incident
        super().__init__(
            f"{name} failed for a reason that is not yours to mend. The server's log has the details under "
            f"incident {incident}. Read the records concerned before you try again."
        )
