"""What the definitions of the tools take of an assistant's context: bytes of the answer to `tools/list` per preset."""

import json

from scratch import scratch_store
from stdio_server import StdioServer
from table import print_table


def main() -> None:
    with scratch_store():
        from configbox.access.scopes import PRESETS

        choices = [(), ("--read-only",), *((f"--preset={name}",) for name in PRESETS)]
        rows = []
        for chosen in choices:
            with StdioServer(*chosen) as server:
                server.open()
                line = server.ask_line("tools/list", {})
            rows.append((" ".join(chosen) or "every scope", len(json.loads(line)["result"]["tools"]), len(line)))
        print_table(("manage.py mcp", "tools", "bytes"), rows)


if __name__ == "__main__":
    main()
