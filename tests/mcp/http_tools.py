"""More tools for tests, for what only an HTTP server has: several processes, and clients that go away."""

import os
import subprocess
import time
from pathlib import Path

from django.contrib.auth.models import Group
from django.db import transaction

from cbx_mcp.asking import InputRequired, sampling
from cbx_mcp.call import Call
from cbx_mcp.tools.tool import Annotations, Result, Tool
from configbox.access.scopes import ANY_READ

READS = Annotations(read_only=True, destructive=False, idempotent=True)
TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "A path."}},
    "required": ["text"],
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _process(call: Call) -> Result:
    return Result({"pid": os.getpid()})


def _hold(call: Call) -> Result:
    """Keep this process busy for as long as the file is there; say in another that it is."""
    path = Path(call.arguments["text"])
    Path(f"{path}.new").write_text(str(os.getpid()))
    Path(f"{path}.new").rename(f"{path}.held")
    while path.exists():
        time.sleep(0.01)
    return Result({"pid": os.getpid()})


def _write_tell_and_hang(call: Call) -> Result:
    """Write a row, start a process, name it in the file, tell of it, and never end."""
    path = Path(call.arguments["text"])
    with transaction.atomic():
        Group.objects.create(name="half")
        child = subprocess.Popen(["sleep", "600"])
        Path(f"{path}.new").write_text(str(child.pid))
        Path(f"{path}.new").rename(path)
        call.progress(1, 2, "half")
        time.sleep(600)
    return Result({})


def _ask_model(call: Call) -> InputRequired:
    return InputRequired({"question": sampling("What is the capital of France?", 100)})


def _tool(name, run, schema=NOTHING, needs_database=False):
    return Tool(name, name.capitalize(), f"For tests: {name}.", schema, ANY_READ, READS, run, None, needs_database)


TOOLS = (
    _tool("process", _process),
    _tool("hold", _hold, TEXT),
    _tool("write_tell_and_hang", _write_tell_and_hang, TEXT, needs_database=True),
    _tool("ask_model", _ask_model),
)
