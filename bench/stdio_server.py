"""A running `manage.py mcp` for a bench: requests in, answers out, as bare as a client can be."""

import json
import subprocess
import sys
from typing import Any, Self

from scratch import ROOT


class StdioServer:
    """One server process with the given options. Use as a context manager, which ends it."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "mcp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        self.sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.stdin and self.process.stdout:
            self.process.stdin.close()
            self.process.wait(20)
            self.process.stdout.close()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send one request and return its result. Raises RuntimeError where there is none."""
        line = self.ask_line(method, params)
        answer: dict[str, Any] = json.loads(line)
        if "result" not in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{method} was answered with {line[:500]!r}")
        result: dict[str, Any] = answer["result"]
        return result

    def ask_line(self, method: str, params: dict[str, Any]) -> bytes:
        """Send one request and return the line that answers it."""
        if not self.process.stdin or not self.process.stdout:
            raise RuntimeError("The server has no pipes.")
        self.sent += 1
        request = {"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def open(self) -> dict[str, Any]:
        """Open the session as a client of the older era does, and return the server's answer."""
        client = {"name": "bench", "version": "1"}
        return self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
