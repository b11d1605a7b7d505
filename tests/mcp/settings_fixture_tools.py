"""Settings of a server that has only the tools of `fixture_tools`, which misbehave on demand.

Without MCP_TEST_DATABASE_URL its database is empty and in memory: most of these tools need none.
"""

import os

from configbox.settings import *  # noqa: F403
from configbox.settings import env

MCP_TOOL_MODULES = ("tests.mcp.fixture_tools",)

if "MCP_TEST_DATABASE_URL" in os.environ:
    DATABASES = {"default": env.db_url("MCP_TEST_DATABASE_URL")}
else:
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
