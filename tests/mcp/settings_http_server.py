"""Settings of a real HTTP server whose tools are the store's own and those of the tests, which misbehave on demand."""

from configbox.settings import *  # noqa: F403

MCP_TOOL_MODULES = ("cbx_mcp.tools.entity_tools", "tests.mcp.fixture_tools", "tests.mcp.http_tools")
