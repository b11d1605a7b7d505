"""The store's tools, except that cbx_describe_entity keeps quiet about the field that an environment variable names."""

import os
from dataclasses import replace

from cbx_mcp.tools import entity_tools
from cbx_mcp.tools.tool import Call, Result

LACKING = "TEST_LACKING_FIELD"


def _describe(call: Call) -> Result:
    described = dict(entity_tools._describe(call).content)
    entity, _, field = os.environ[LACKING].partition(".")
    if described["entity"] == entity:
        del described["fields"]["properties"][field]
    return Result(described)


TOOLS = tuple(
    replace(tool, run=_describe) if tool.name == "cbx_describe_entity" else tool for tool in entity_tools.TOOLS
)
