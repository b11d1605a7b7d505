"""Settings of a server for the official conformance suite: its fixtures alone, no token, messages of every client."""

from configbox.settings import *  # noqa: F403
from configbox.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.mcp_conformance"]
ROOT_URLCONF = "tests.mcp_conformance.urls"
MCP_TOOL_MODULES = ()
