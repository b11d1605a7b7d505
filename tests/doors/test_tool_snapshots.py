"""What clients are told of each tool, held against a file per tool, so that no word changes unnoticed.

After a wanted change run `CONFIGBOX_WRITE_SNAPSHOTS=1 pytest tests/doors/test_tool_snapshots.py` and read what changed.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access.grants import Grant, parse_scopes, read_only
from configbox.properties.json_values import read_json, write_json

SNAPSHOTS = Path(__file__).parent.parent / "snapshots" / "tools"
WRITE = os.environ.get("CONFIGBOX_WRITE_SNAPSHOTS", "0") not in ("", "0")
HOW = "If this is wanted: CONFIGBOX_WRITE_SNAPSHOTS=1 pytest tests/doors/test_tool_snapshots.py"
# The lists differ by grant: the snapshot is what a shell sees, and which entities the others see of it.
GRANTS = {
    "author": parse_scopes([], ["author"]),
    "operator": parse_scopes([], ["operator"]),
    "nothing": Grant.nothing(),
    "read-only": read_only(Grant.everything()),
}


def listed(grant: Grant) -> dict[str, Any]:
    """Return the tools that `tools/list` shows a grant, by name."""
    session = Session(grant, gather(TOOL_MODULES), instructions=lambda: "")
    answer: Any = handle_message(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}', session)
    read: Any = read_json(write_json(answer))
    return {tool["name"]: tool for tool in read["result"]["tools"]}


def entities_of(tool: dict[str, Any] | None) -> list[str] | None:
    return tool and tool["inputSchema"]["properties"]["entity"]["enum"]


def shown(name: str) -> str:
    """Return a tool's snapshot: its definition, and the entities that other grants may choose."""
    entities = {grant: entities_of(listed(held).get(name)) for grant, held in GRANTS.items()}
    return json.dumps({"tool": listed(Grant.everything())[name], "entities": entities}, indent=2) + "\n"


@pytest.mark.parametrize("name", [tool.name for tool in gather(TOOL_MODULES)])
def test_a_tool_is_shown_as_its_snapshot(name: str) -> None:
    path = SNAPSHOTS / f"{name}.json"
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown(name))
    assert path.is_file(), f"{path.name} is missing. {HOW}"
    assert shown(name) == path.read_text(), HOW


def test_no_snapshot_is_left_of_a_tool_that_is_gone() -> None:
    assert sorted(path.stem for path in SNAPSHOTS.glob("*")) == sorted(listed(Grant.everything()))
