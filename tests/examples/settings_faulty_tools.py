"""Settings of a store with the tools of `faulty_tools` and the schemas of `faulty_schema`."""

from configbox.settings import *  # noqa: F403
from configbox.settings import MIDDLEWARE as _MIDDLEWARE

MCP_TOOL_MODULES = ("tests.examples.faulty_tools",)
MIDDLEWARE = [*_MIDDLEWARE, "tests.examples.faulty_schema.lacking"]
