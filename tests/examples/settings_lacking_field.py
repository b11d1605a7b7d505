"""Settings of a server whose description of an entity lacks a field."""

from configbox.settings import *  # noqa: F403

MCP_TOOL_MODULES = ("tests.examples.describe_lacking_field",)
