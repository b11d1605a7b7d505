"""The store's tools with a fault each, where an environment variable asks for it.

LACKING names a field (`product.baseprice`) that cbx_describe_entity keeps quiet about, REFUSED an entity of which
cbx_create_entity makes none.
"""

import os
from dataclasses import replace

from cbx_mcp.call import Call
from cbx_mcp.tools import entity_tools
from cbx_mcp.tools.tool import Result, ToolError

LACKING = "TEST_LACKING_FIELD"
REFUSED = "TEST_REFUSED_ENTITY"

_tools = {tool.name: tool for tool in entity_tools.TOOLS}


def _describe(call: Call) -> Result:
    described = dict(_tools["cbx_describe_entity"].run(call).content)
    entity, _, field = os.environ.get(LACKING, "").partition(".")
    if described["entity"] == entity:
        del described["fields"]["properties"][field]
    return Result(described)


def _create(call: Call) -> Result:
    if call.arguments["entity"] == os.environ.get(REFUSED):
        raise ToolError("No more of these today.")
    return _tools["cbx_create_entity"].run(call)


_faulty = {"cbx_describe_entity": _describe, "cbx_create_entity": _create}
TOOLS = tuple(replace(tool, run=_faulty.get(name, tool.run)) for name, tool in _tools.items())
