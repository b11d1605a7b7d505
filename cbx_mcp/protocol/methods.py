"""The methods a client may ask for, per era. `tools/call` is the only one that runs a tool."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from cbx_mcp.protocol.calls import call_tool
from cbx_mcp.protocol.eras import MODERN_VERSIONS, Era, negotiated
from cbx_mcp.protocol.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.session import SERVER_INFO, Session
from cbx_mcp.tools.tool import Tool
from configbox.access.grants import Grant

# Prompts and resources are declared though empty: clients ask for them anyway and take an error for a failure.
CAPABILITIES: Final[dict[str, Any]] = {"tools": {}, "prompts": {}, "resources": {}}

# Methods that run tool code or read the database; a transport that isolates calls isolates these.
RUNS_TOOLS: Final = frozenset({"tools/call"})

Answer = Callable[[Request, Era, Session], dict[str, Any]]


@dataclass(frozen=True)
class Method:
    """One method: what answers it, in which eras it exists, whether modern answers say how long they keep."""

    answer: Answer
    legacy: bool = True
    modern: bool = True
    cacheable: bool = False


def _initialize(request: Request, era: Era, session: Session) -> dict[str, Any]:
    return {
        "protocolVersion": negotiated(request.params.get("protocolVersion")),
        "capabilities": CAPABILITIES,
        "serverInfo": SERVER_INFO,
        "instructions": session.instructions(),
    }


def _discover(request: Request, era: Era, session: Session) -> dict[str, Any]:
    # Only the versions that need no handshake: a client picks from this list.
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": CAPABILITIES,
        "instructions": session.instructions(),
    }


def _ping(request: Request, era: Era, session: Session) -> dict[str, Any]:
    return {}


def _list_tools(request: Request, era: Era, session: Session) -> dict[str, Any]:
    _refuse_cursor(request)
    return {"tools": [definition(tool, session.grant) for tool in session.visible()]}


def definition(tool: Tool, grant: Grant) -> dict[str, Any]:
    """Return how `tools/list` shows a tool to a grant; the tool must be visible to it."""
    hints = tool.annotations
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description_for(grant),
        "inputSchema": tool.schema_for(grant),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": hints.read_only,
            "destructiveHint": hints.destructive,
            "idempotentHint": hints.idempotent,
            "openWorldHint": hints.open_world,
        },
    }


def _call(request: Request, era: Era, session: Session) -> dict[str, Any]:
    return call_tool(request, session)


def _empty(member: str) -> Answer:
    def answer(request: Request, era: Era, session: Session) -> dict[str, Any]:
        _refuse_cursor(request)
        return {member: []}

    return answer


def _no_prompt(request: Request, era: Era, session: Session) -> dict[str, Any]:
    raise ProtocolError(INVALID_PARAMS, "There is no such prompt: this server has none.")


def _no_resource(request: Request, era: Era, session: Session) -> dict[str, Any]:
    uri = request.params.get("uri")
    if not isinstance(uri, str):
        raise ProtocolError(INVALID_PARAMS, "A resources/read must name its resource: params.uri is missing.")
    code = INVALID_PARAMS if era.is_modern else RESOURCE_NOT_FOUND
    raise ProtocolError(code, "There is no such resource: this server has none.", data={"uri": uri})


def _refuse_cursor(request: Request) -> None:
    """Refuse every cursor, the empty one too: each list is one page, so none was ever given out."""
    if request.params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "This cursor is not valid: the list has one page; ask without a cursor.")


METHODS: Final[dict[str, Method]] = {
    "initialize": Method(_initialize, modern=False),
    "ping": Method(_ping, modern=False),
    "server/discover": Method(_discover, legacy=False, cacheable=True),
    "tools/list": Method(_list_tools, cacheable=True),
    "tools/call": Method(_call),
    "prompts/list": Method(_empty("prompts"), cacheable=True),
    "prompts/get": Method(_no_prompt),
    "resources/list": Method(_empty("resources"), cacheable=True),
    "resources/templates/list": Method(_empty("resourceTemplates"), cacheable=True),
    "resources/read": Method(_no_resource, cacheable=True),
}
