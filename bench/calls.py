"""One `cbx_get_entity` over stdio: in a forked worker, in a fresh process, and in the server's own process.

The three servers run side by side and are asked in turn, so that whatever else the machine does hits all alike.
"""

import argparse
import time

from scratch import scratch_store
from stdio_server import StdioServer
from table import milliseconds, print_table

WAYS = ("forked", "spawned", "in process")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    options = parser.parse_args()
    with scratch_store() as system:
        from configbox.operations.demo import load_demo

        load_demo()
        call = {"name": "cbx_get_entity", "arguments": {"entity": "question", "id": 1}}
        taken: dict[str, list[float]] = {name: [] for name in WAYS}
        with StdioServer() as forked, StdioServer("--isolation=spawn") as spawned, StdioServer("--in-process") as own:
            servers = dict(zip(WAYS, (forked, spawned, own), strict=True))
            for server in servers.values():
                server.open()
                server.ask("tools/call", call)
            for _ in range(options.times):
                for name, server in servers.items():
                    started = time.perf_counter()
                    server.ask("tools/call", call)
                    taken[name].append(time.perf_counter() - started)
        print(f"On {system}, {options.times} calls each")
        print_table(("cbx_get_entity", "median ms", "p95 ms"), [(name, *milliseconds(taken[name])) for name in WAYS])


if __name__ == "__main__":
    main()
