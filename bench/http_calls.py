"""One record over HTTP, read with `cbx_get_entity` and over REST, beside the same tool on other MCP servers.

Every server has two processes, checks the same token and reads the same store. Short bursts go to all in turn, so that
whatever else the machine does hits all alike.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from http_load import Taken, Target, ask_once, burst, http_request
from http_servers import django_mcp_python, free_port, own_server, sdk_server, serving
from scratch import scratch_store
from table import milliseconds, print_table

CLIENTS = (1, 8, 32)
# Seconds of a burst whose figures are dropped: each process imports and connects on its first requests.
WARM_UP = 1.0
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "cbx_get_entity", "arguments": {"entity": "question", "id": 1}},
}
JSON = "application/json"


@contextmanager
def targets(token: str) -> Iterator[list[Target]]:
    """Start all servers and yield what is asked of them, the first answers included."""
    bearer = {"Authorization": f"Bearer {token}", "Accept": JSON}
    own, sdk, library = free_port(), free_port(), free_port()

    def call(name: str, port: int, path: str) -> Target:
        headers = bearer | {
            "Accept": f"{JSON}, text/event-stream",
            "Content-Type": JSON,
            "MCP-Protocol-Version": "2025-11-25",
        }
        return Target(name, port, http_request("POST", port, path, headers, json.dumps(CALL).encode()))

    with tempfile.TemporaryDirectory(prefix="configbox-bench-servers-") as folder, ExitStack() as stack:
        logs = Path(folder)
        python = django_mcp_python(logs / "django-mcp-server")
        stack.enter_context(serving(own_server(sys.executable, own), own, logs / "own"))
        stack.enter_context(serving(sdk_server(sdk), sdk, logs / "sdk"))
        settings = {"DJANGO_SETTINGS_MODULE": "django_mcp_app.settings"}
        stack.enter_context(serving(own_server(python, library), library, logs / "library", **settings))
        asked = [
            call("ConfigBox, tools/call", own, "/cb-api/v1/mcp"),
            Target("ConfigBox, REST", own, http_request("GET", own, "/cb-api/v1/question/1", bearer)),
            call("MCP SDK's server", sdk, "/mcp"),
            call("django-mcp-server", library, "/mcp"),
        ]
        for each in asked:
            each.body = ask_once(each)
        yield asked


def record_of(target: Target) -> dict[str, Any]:
    """Return the record in an answer: REST has it under `data`, a tool in its structured content."""
    answer = json.loads(target.body or b"{}")
    record: dict[str, Any] = answer["data"] if "data" in answer else answer["result"]["structuredContent"]["record"]
    return record


def check_equal(asked: Sequence[Target]) -> None:
    """Raise RuntimeError unless all servers give the same record."""
    first, *others = asked
    for other in others:
        if record_of(other) != record_of(first):
            raise RuntimeError(f"{other.name} gives {record_of(other)}, {first.name} gives {record_of(first)}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each burst lasts")
    options = parser.parse_args()
    with scratch_store() as system:
        from configbox.access.grants import parse_scopes
        from configbox.access.tokens import mint
        from configbox.operations.demo import load_demo

        load_demo()
        _, token = mint("bench", parse_scopes([], ["author"]), created_by="bench", expires=None)
        with targets(token) as asked:
            check_equal(asked)
            taken = {(each.name, clients): Taken() for each in asked for clients in CLIENTS}
            for each in asked:
                burst(each, max(CLIENTS), WARM_UP, Taken())
            for number in range(options.rounds):
                for clients in CLIENTS:
                    start = number % len(asked)
                    for each in (*asked[start:], *asked[:start]):
                        burst(each, clients, options.seconds, taken[each.name, clients])
    report(system, options.rounds, options.seconds, taken)


def report(system: str, rounds: int, seconds: float, taken: dict[tuple[str, int], Taken]) -> None:
    """Print the table, and end the program with 1 where a request failed."""
    failures = [failure for each in taken.values() for failure in each.failures]
    requests = sum(len(each.durations) for each in taken.values())
    print(
        f"{platform.system()} on {os.cpu_count()} {platform.machine()} cores, which the clients share; "
        f"Python {platform.python_version()}, {system}; {rounds} bursts of {seconds:g} s each"
    )
    print(f"{requests} answers, each compared with the first of its server, whose records are equal")
    print(f"{len(failures)} failures", *failures[:5], sep="\n  ")
    rows = [
        (name, clients, len(each.durations), f"{len(each.durations) / each.seconds:.0f}", *milliseconds(each.durations))
        for (name, clients), each in sorted(taken.items(), key=lambda item: item[0][1])
    ]
    print_table(("server", "clients", "answers", "answers/s", "median ms", "p95 ms"), rows)
    if failures:
        sys.exit(1)


if __name__ == "__main__":
    main()
