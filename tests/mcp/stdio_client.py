"""A bare client of a stdio server, for tests: sends bytes, reads lines with a time limit, sees the exit code."""

import json
import os
import select
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parent.parent.parent
MODERN = "2026-07-28"
FIXTURE_SETTINGS = "tests.mcp.settings_fixture_tools"


class StdioClient:
    """One running `manage.py mcp`. Use as a context manager: it ends the server, whatever happened."""

    def __init__(
        self, *options: str, settings: str = FIXTURE_SETTINGS, env: dict[str, str] | None = None, **popen: Any
    ):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "mcp", *options],
            stdin=popen.pop("stdin", subprocess.PIPE),
            stdout=subprocess.PIPE,
            stderr=popen.pop("stderr", subprocess.PIPE),
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": settings, **(env or {})},
            **popen,
        )
        self.buffer = b""
        self.ids = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def read_line(self, seconds: float = 20) -> bytes:
        """Return the next line with its end, b"" at the end of the output; TimeoutError if none comes."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError(f"no line within {seconds} s; so far {self.buffer[:200]!r}")
            data = os.read(self.process.stdout.fileno(), 65_536)
            if not data:
                return b""
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line + b"\n"

    def read(self, seconds: float = 20) -> Any:
        return json.loads(self.read_line(seconds), parse_float=Decimal)

    def is_silent(self, seconds: float = 0.3) -> bool:
        """Say whether nothing comes for a while."""
        return not self.buffer and not select.select([self.process.stdout], [], [], seconds)[0]

    def request(self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False) -> int:
        """Send a request and return its id; the answer is for `read` or `answer_to`."""
        self.ids += 1
        params = dict(params or {})
        if modern:
            params["_meta"] = modern_meta() | params.get("_meta", {})
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return self.ids

    def ask(
        self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False, seconds: float = 20
    ) -> Any:
        """Send a request and return the whole answer, which must be the next message."""
        number = self.request(method, params, modern=modern)
        answer = self.read(seconds)
        assert answer.get("id") == number, answer
        return answer

    def call(self, name: str, arguments: dict[str, Any] | None = None, seconds: float = 20) -> Any:
        """Call a tool and return its result."""
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}}, seconds=seconds)["result"]

    def start_call(self, name: str, arguments: dict[str, Any] | None = None) -> int:
        return self.request("tools/call", {"name": name, "arguments": arguments or {}})

    def close_input(self) -> None:
        self.process.stdin.close()

    def finish(self, seconds: float = 20) -> tuple[int, bytes, bytes]:
        """Close the input; return exit code, remaining output and standard error."""
        self.close_input()
        out = b""
        try:
            while line := self.read_line(seconds):
                out += line
        except TimeoutError:
            pass
        out += self.buffer
        code = self.process.wait(seconds)
        return code, out, self.process.stderr.read() if self.process.stderr else b""


def modern_meta(version: str = MODERN) -> dict[str, Any]:
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }


def text_of(result: dict[str, Any]) -> str:
    """Return the text of a tool's result."""
    return result["content"][0]["text"]


def wait_for(path: Path, seconds: float = 10) -> None:
    """Wait until a tool has made a file."""
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.02)


def assert_ends(pid: int, seconds: float = 15) -> None:
    """Assert that a process is gone, or a zombie that nobody here may reap."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return
        if state == "Z":
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")
