"""A fresh process per call: `manage.py mcp --call` takes one line and gives one line. For people who edit code."""

import os
import signal
import subprocess
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cbx_mcp.protocol.calls import call_tool
from cbx_mcp.protocol.dispatch import answer_request, answer_with_result
from cbx_mcp.protocol.eras import era_of
from cbx_mcp.protocol.errors import ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.results import error_result
from cbx_mcp.protocol.session import Session
from cbx_mcp.workers import describe_end, end_with
from configbox.access.audit import write_decision
from configbox.properties.json_values import JsonRefused, read_json, write_json


@dataclass(frozen=True)
class FreshProcess:
    """Answers each request by running `command`, which is this server's own with --call."""

    command: tuple[str, ...]

    def __call__(self, request: Request, session: Session) -> dict[str, Any]:
        """Return the answer to one request; called inside a worker, which is killed with what it started."""
        if request.method != "tools/call":
            return answer_request(request, session)
        started = time.monotonic()
        name = request.params["name"]
        call = {**request.params, "change_set": session.change_set}
        # The command is this very program's, put together from options that were checked on starting.
        # A worker without a timer runs what must not be stopped half way.
        seconds, _ = signal.getitimer(signal.ITIMER_REAL)
        ended = subprocess.run(  # noqa: S603
            self.command,
            input=write_json(call).encode(),
            stdout=subprocess.PIPE,
            check=False,
            preexec_fn=partial(end_with, os.getpid(), seconds) if seconds else None,
        )
        try:
            result = read_json(ended.stdout)
        except JsonRefused:
            result = None
        if not isinstance(result, dict):
            write_decision("tool", name, session.actor, session.grant, "error", time.monotonic() - started)
            result = error_result(f"{name} failed: {describe_end(ended.returncode)}.")
        return answer_with_result(request, result)


def answer_line(line: bytes, session: Session) -> dict[str, Any]:
    """Return the result of the call in `line`, `{"name": ..., "arguments": {...}}`; a faulty line is told as an error.

    `change_set` beside them is the handle that the calling server's session writes under.
    """
    try:
        call = read_json(line)
    except JsonRefused as refused:
        return error_result(f"This line cannot be read as a call. {refused.message}")
    if not isinstance(call, dict):
        return error_result('A call is an object: {"name": "cbx_get_entity", "arguments": {...}}.')
    if isinstance(handle := call.get("change_set"), str):
        session = replace(session, change_set=handle)
    request = Request(0, "tools/call", {key: value for key, value in call.items() if key != "change_set"})
    try:
        return call_tool(request, era_of(request), session)
    except ProtocolError as error:
        return error_result(error.message)
