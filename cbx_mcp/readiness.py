"""The MCP server's part in whether a process is ready: it is opened and asked for its tools, as a client would."""

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.eras import LEGACY_VERSIONS
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import tools
from configbox.access.grants import Grant
from configbox.properties.json_values import write_json


def opens_and_lists() -> str | None:
    """Return what is wrong with the answers to `initialize` and `tools/list`, None where nothing is."""
    session = Session(Grant.everything(), tools(), instructions=lambda: "", actor="readiness", door="http")
    for method, member in (("initialize", "serverInfo"), ("tools/list", "tools")):
        params = {"protocolVersion": LEGACY_VERSIONS[-1], "capabilities": {}} if method == "initialize" else {}
        message = write_json({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
        answer = handle_message(message.encode(), session) or {}
        if not answer.get("result", {}).get(member):
            return f"{method} was answered without {member}: {write_json(answer)[:300]}"
    return None
