"""`manage.py mcp`: serves the tools to one assistant over standard input and output."""

import gc
import os
import secrets
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from cbx_mcp import prose
from cbx_mcp.protocol.dispatch import answer_request
from cbx_mcp.protocol.session import Session
from cbx_mcp.spawn import FreshProcess, answer_line
from cbx_mcp.stdio import Isolation, StdioServer
from cbx_mcp.streams import claim_standard_output, log_patiently
from cbx_mcp.tools.registry import tools
from cbx_mcp.workers import ask
from configbox.access.grants import Grant, read_only
from configbox.access.management.scope_options import USAGE_ERROR, add_scope_options, grant_asked_for
from configbox.operations.database_state import hindrance
from configbox.properties.json_values import write_json

MAX_CHANGE_SET_NAME: Final = 60
# How long the answer to `initialize` may wait to learn whether the database is ready.
DATABASE_PATIENCE: Final = 0.25


class Command(BaseCommand):
    help = "Serves the store's tools to an assistant (MCP) over standard input and output. Logs go to standard error."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_scope_options(parser, default="every scope")
        parser.add_argument(
            "--read-only", action="store_true", help="Keep only the reading part of the scopes. Recommended to begin."
        )
        parser.add_argument(
            "--isolation",
            choices=["fork", "spawn"],
            default="fork",
            help="How each call gets a process of its own: forked from this one, or started afresh (sees edited code).",
        )
        parser.add_argument("--in-process", action="store_true", help="Run calls in this process. For debugging.")
        parser.add_argument(
            "--call",
            action="store_true",
            help='Run one call: a line {"name": ..., "arguments": {...}} in, a line out; exit code 1 for an error.',
        )
        parser.add_argument(
            "--change-set", metavar="NAME", help="Collect every write of this session in one change set of this name."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        output = claim_standard_output()
        grant = _grant(options)
        handle = _change_set_handle(options["change_set"])
        if options["call"]:
            session = Session(grant, tools(), instructions=lambda: "", change_set=handle, hindrance=hindrance)
            result = answer_line(sys.stdin.buffer.readline(), session)
            os.write(output, write_json(result).encode() + b"\n")
            sys.exit(1 if result["isError"] else 0)

        isolation: Isolation | None = answer_request
        if options["isolation"] == "spawn":
            isolation = FreshProcess(_call_command(options))
        if options["in_process"]:
            isolation = None

        def instructions() -> str:
            # Asked in a worker: a server that isolates its calls reads no database itself.
            found = ask(hindrance, DATABASE_PATIENCE, [output]) if isolation else hindrance()
            return prose.instructions(grant, found, handle)

        session = Session(grant, tools(), instructions, change_set=handle, hindrance=hindrance)
        log_patiently()
        # What exists now is shared with every worker; leaving it out of collections keeps its pages unwritten.
        gc.freeze()
        StdioServer(session, output, isolation).run()


def _grant(options: dict[str, Any]) -> Grant:
    grant = grant_asked_for(options["scope"], options["preset"]) or Grant.everything()
    if grant.storefront:
        raise CommandError(
            "Storefront scopes belong to tokens of one customer over HTTP; this server is the back office's.",
            returncode=USAGE_ERROR,
        )
    return read_only(grant) if options["read_only"] else grant


def _change_set_handle(name: str | None) -> str | None:
    """Return a handle that no other session has and that ends with the set's name."""
    if name is None:
        return None
    if not 0 < len(name) <= MAX_CHANGE_SET_NAME or not name.isprintable():
        raise CommandError(
            f"--change-set takes a name of 1 to {MAX_CHANGE_SET_NAME} printable characters.", returncode=USAGE_ERROR
        )
    return f"{secrets.token_hex(8)}:{name}"


def _call_command(options: dict[str, Any]) -> tuple[str, ...]:
    """Return the command that runs one call with the same grant."""
    narrowing = [
        *(f"--scope={each}" for each in options["scope"]),
        *(f"--preset={each}" for each in options["preset"]),
        *(["--read-only"] if options["read_only"] else []),
    ]
    return (sys.executable, sys.argv[0], "mcp", "--call", *narrowing)
