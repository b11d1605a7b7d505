"""The methods a client may ask for, and what a server that answers them declares."""

from functools import cache
from typing import Any, Final

from cbx_mcp.protocol.calls import call_tool
from cbx_mcp.protocol.completing import complete
from cbx_mcp.protocol.eras import MODERN_VERSIONS, Era, negotiated
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.method import Method
from cbx_mcp.protocol.paging import refuse_cursor
from cbx_mcp.protocol.prompting import get_prompt, list_prompts
from cbx_mcp.protocol.resource_reading import list_resources, list_templates, read_resource
from cbx_mcp.protocol.session import SERVER_INFO, Session
from cbx_mcp.tools.tool import Tool
from configbox.access.grants import Grant
from configbox.customization.hooks import MCP_METHODS


def _initialize(request: Request, era: Era, session: Session) -> dict[str, Any]:
    return {
        "protocolVersion": negotiated(request.params.get("protocolVersion")),
        "capabilities": capabilities(era),
        "serverInfo": SERVER_INFO,
        "instructions": session.instructions(),
    }


def _discover(request: Request, era: Era, session: Session) -> dict[str, Any]:
    # Only the versions that need no handshake: a client picks from this list.
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": capabilities(era),
        "instructions": session.instructions(),
    }


def _ping(request: Request, era: Era, session: Session) -> dict[str, Any]:
    return {}


def _list_tools(request: Request, era: Era, session: Session) -> dict[str, Any]:
    refuse_cursor(request)
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


# Prompts and resources are declared even where there are none: clients ask for them anyway, and take an error for a
# failure.
METHODS: Final = (
    Method("initialize", _initialize, modern=False),
    Method("ping", _ping, modern=False),
    Method("server/discover", _discover, legacy=False, cacheable=True),
    Method("tools/list", _list_tools, capability={"tools": {}}, cacheable=True),
    Method("tools/call", call_tool, isolated=True),
    Method("prompts/list", list_prompts, capability={"prompts": {}}, cacheable=True),
    Method("prompts/get", get_prompt, isolated=True),
    Method("resources/list", list_resources, capability={"resources": {}}, cacheable=True),
    Method("resources/templates/list", list_templates, cacheable=True),
    Method("resources/read", read_resource, cacheable=True, isolated=True),
    Method("completion/complete", complete, capability={"completions": {}}, isolated=True),
)


@cache
def methods() -> dict[str, Method]:
    """Return every method by its name, those of customizations too."""
    return {method.name: method for method in (*METHODS, *(added for _, added in MCP_METHODS.parts()))}


def capabilities(era: Era) -> dict[str, Any]:
    """Return what the server declares in an era: what the methods that exist there declare, put together."""
    declared: dict[str, dict[str, Any]] = {}
    for method in methods().values():
        for name, details in method.capability.items() if method.exists_in(era) else ():
            declared[name] = declared.get(name, {}) | details
    return declared
