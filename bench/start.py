"""How long an assistant waits for the first answer: from starting `manage.py mcp` to what it answers on opening.

Beside it, what any program of this size pays: Python alone, and Python with Django set up.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable

from scratch import ROOT, scratch_store
from stdio_server import StdioServer
from table import milliseconds, print_table

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}


def run_python(code: str) -> Callable[[], float]:
    def timed() -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
        return time.perf_counter() - started

    return timed


def until_initialized(*options: str) -> Callable[[], float]:
    def timed() -> float:
        started = time.perf_counter()
        with StdioServer(*options) as server:
            server.open()
            return time.perf_counter() - started

    return timed


def until_discovered() -> float:
    started = time.perf_counter()
    with StdioServer() as server:
        server.ask("server/discover", {"_meta": META})
        return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    options = parser.parse_args()
    with scratch_store() as system:
        starts: dict[str, Callable[[], float]] = {
            "python alone, to its end": run_python("pass"),
            "python with Django set up, to its end": run_python("import django; django.setup()"),
            "mcp to its answer to initialize": until_initialized(),
            "mcp to its answer to server/discover": until_discovered,
            "mcp --in-process to its answer to initialize": until_initialized("--in-process"),
        }
        taken: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(options.times):
            for name, start in starts.items():
                taken[name].append(start())
        print(f"On {system}, {options.times} starts each")
        print_table(("start", "median ms", "p95 ms"), [(name, *milliseconds(each)) for name, each in taken.items()])


if __name__ == "__main__":
    main()
