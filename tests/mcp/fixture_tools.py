"""Tools for tests alone: each misbehaves in one way, so that tests can see that no other call is harmed."""

import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

from django.contrib.auth.models import Group
from django.db import transaction

from cbx_mcp.call import Call
from cbx_mcp.tools.tool import Annotations, Result, Tool, ToolError
from configbox.access.scopes import ANY_READ, ANY_WRITE

READS = Annotations(read_only=True, destructive=False, idempotent=True)
WRITES = Annotations(read_only=False, destructive=True, idempotent=False)
NO_ARGUMENTS = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TYPED = {
    "type": "object",
    "properties": {
        "whole": {"type": "integer", "minimum": 1, "description": "A whole number."},
        "number": {"type": "number", "description": "A number."},
        "flag": {"type": "boolean", "description": "A switch."},
        "words": {"type": "array", "items": {"type": "string"}, "description": "Words."},
        "numbers": {"type": "array", "items": {"type": "integer"}, "description": "Numbers."},
        "fields": {"type": "object", "properties": {}, "description": "Anything."},
        "text": {"type": "string", "description": "A text."},
        "kind": {"type": "string", "enum": ["question", "answer", "page"], "description": "A kind."},
    },
    "required": [],
    "additionalProperties": False,
}


def _echo(call: Call) -> Result:
    return Result({"arguments": call.arguments, "actor": call.actor, "change_set": call.change_set or ""})


def _pollute(call: Call) -> Result:
    print("printed")
    sys.__stdout__.write("written to the original stream\n")
    sys.__stdout__.flush()
    os.write(1, b"written to descriptor 1\n")
    subprocess.run(["echo", "written by a child"], check=True)
    return Result({"polluted": True})


def _exit(call: Call) -> Result:
    os._exit(3)


def _leave(call: Call) -> Result:
    sys.exit(4)


def _crash(call: Call) -> Result:
    os.kill(os.getpid(), signal.SIGSEGV)
    return Result({})


def _hang(call: Call) -> Result:
    # The grandchild shows that a whole group is stopped; the file tells the test its number.
    child = subprocess.Popen(["sleep", "600"])
    if path := call.arguments.get("text"):
        # In one step: a test that sees the file finds the number in it.
        Path(path + ".new").write_text(str(child.pid))
        Path(path + ".new").rename(path)
    time.sleep(600)
    return Result({})


def _flood(call: Call) -> Result:
    for _ in range(400):
        os.write(2, b"x" * 65_535 + b"\n")
        os.write(1, b"y" * 65_535 + b"\n")
        call.progress(_)
    return Result({"rows": ["z" * 1000] * 100_000})


def _break_frames(call: Call) -> Result:
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"garbage that is no frame")
        except OSError:
            continue
    time.sleep(600)
    return Result({})


def _nan(call: Call) -> Result:
    return Result({"price": Decimal("NaN")})


def _long(call: Call) -> Result:
    return Result({"text": "x" * 50_000})


def _progress(call: Call) -> Result:
    for step in (1, 2, 2, 1, 3):
        call.progress(step, 3, f"step {step}")
        time.sleep(0.12)
    call.progress(4, 4)
    return Result({"done": True})


def _refuse(call: Call) -> Result:
    raise ToolError("This cannot be done: the moon is full. Wait for another moon.")


def _fail(call: Call) -> Result:
    raise RuntimeError("secret detail of the inside")


def _sleep(call: Call) -> Result:
    time.sleep(float(call.arguments["number"]))
    return Result({"slept": call.arguments["number"]})


def _daemon(call: Call) -> Result:
    """Leave a process behind that keeps the worker's pipe open."""
    if os.fork() == 0:
        time.sleep(600)
    os._exit(5)


def _count(call: Call) -> Result:
    return Result({"groups": Group.objects.count()})


def _write_and_hang(call: Call) -> Result:
    """Write two rows in one transaction with a wait between; the file tells the test when the first is there."""
    with transaction.atomic():
        Group.objects.create(name="first half")
        Path(call.arguments["text"]).touch()
        time.sleep(600)
        Group.objects.create(name="second half")
    return Result({})


def _tool(name, run, *, schema=NO_ARGUMENTS, scope=ANY_READ, annotations=READS, deadline=None, **more):
    return Tool(
        name=name,
        title=name.capitalize(),
        description=f"A tool for tests: {name}.",
        input_schema=schema,
        scope=scope,
        annotations=annotations,
        run=run,
        deadline=deadline,
        needs_database=more.get("needs_database", False),
    )


TOOLS = (
    _tool("echo", _echo, schema=TYPED),
    _tool("pollute", _pollute),
    _tool("exit", _exit),
    _tool("leave", _leave),
    _tool("crash", _crash),
    _tool("hang", _hang, schema=TYPED),
    _tool("hang_briefly", _hang, schema=TYPED, deadline=0.5),
    _tool("flood", _flood),
    _tool("break_frames", _break_frames),
    _tool("nan", _nan),
    _tool("long", _long),
    _tool("progress", _progress),
    _tool("refuse", _refuse),
    _tool("fail", _fail),
    _tool("sleep", _sleep, schema=TYPED),
    _tool("daemon", _daemon),
    _tool("write_catalog", _echo, scope="catalog:write", annotations=WRITES),
    _tool("write_anything", _echo, scope=ANY_WRITE, annotations=WRITES),
    _tool("shop", _echo, scope="storefront:read"),
    _tool("ask_database", _echo, needs_database=True),
    _tool("count", _count, needs_database=True),
    _tool("write_and_hang", _write_and_hang, schema=TYPED, scope=ANY_WRITE, annotations=WRITES, needs_database=True),
    _tool("withheld", _echo, schema=lambda grant: None),
)
