"""The settings for the conformance suite, with every tool of the product beside the fixtures."""

from tests.mcp_conformance.settings import *  # noqa: F403

del MCP_TOOL_MODULES  # noqa: F821
