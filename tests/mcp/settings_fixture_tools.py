"""Settings of a server that has only the tools of `fixture_tools`, which misbehave on demand.

Without a DATABASE_URL its database is empty and in memory: these tools need none.
"""

import os

from configbox.settings import *  # noqa: F403

MCP_TOOL_MODULES = ("tests.mcp.fixture_tools",)

if "DATABASE_URL" not in os.environ:
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
