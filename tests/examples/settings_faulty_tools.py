"""Settings of a server with the tools of `faulty_tools`."""

from configbox.settings import *  # noqa: F403

MCP_TOOL_MODULES = ("tests.examples.faulty_tools",)
