"""A store served by gunicorn as in production (sync workers), for tests: requests, streams, one worker at a time."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any, Self

from tests.mcp.stdio_client import wait_for
from tests.own_store import ROOT, OwnStore

ADDRESS = "/cb-api/v1/mcp"
BOTH = "application/json, text/event-stream"


@dataclass(frozen=True)
class Answer:
    """What came back as one document."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body, parse_float=Decimal)

    @property
    def result(self) -> dict[str, Any]:
        assert self.status == 200, self.body
        found: dict[str, Any] = self.document["result"]
        return found


class Stream:
    """A response that is read while it comes. `close` is what a client does that has lost interest."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self.connection = connection
        self.response = response
        self.headers = response.headers

    def block(self) -> str:
        """Return the next event or comment, "" at the end."""
        lines = []
        while line := self.response.readline().decode():
            if line == "\n":
                break
            lines.append(line)
        return "".join(lines)

    def message(self) -> Any:
        """Return the next event's message; comments are skipped."""
        while (block := self.block()).startswith(":"):
            pass
        kind, data = block.splitlines()
        assert kind == "event: message"
        return json.loads(data.removeprefix("data: "), parse_float=Decimal)

    def close(self) -> None:
        self.response.close()
        self.connection.close()


class HttpServer:
    """A running gunicorn. Use as a context manager: it ends the server, whatever happened."""

    def __init__(self, store: OwnStore, folder: Path, workers: int = 2, **env: str) -> None:
        self.folder = folder
        self.workers = workers
        self.log_path = folder / "gunicorn.log"
        self.secret = ""
        self.holds = 0
        with socket.create_server(("127.0.0.1", 0)) as listening, self.log_path.open("ab") as log:
            self.port = listening.getsockname()[1]
            # The server takes over a socket that listens already: no request comes too early, no port is lost.
            bind = f"fd://{listening.fileno()}"
            self.process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "configbox.wsgi", "--bind", bind, "--workers", str(workers)],
                cwd=ROOT,
                env=store.env | {"DJANGO_SETTINGS_MODULE": "tests.mcp.settings_http_server"} | env,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[listening.fileno()],
            )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            for pid in self.pids():
                subprocess.run(["kill", "-9", str(pid)], check=False)
            self.process.kill()
            self.process.wait()

    @property
    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def pids(self) -> set[int]:
        """Return the worker processes."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(each) for each in path.read_text().split()}

    def open(self, body: bytes | str, seconds: float = 60, **headers: str | None) -> Stream:
        """Send a request and return its response unread."""
        given = {"Authorization": f"Bearer {self.secret}", "Accept": BOTH, "Content-Type": "application/json"} | headers
        connection = HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        sent = {name: value for name, value in given.items() if value is not None}
        connection.request("POST", ADDRESS, body if isinstance(body, bytes) else body.encode(), sent)
        return Stream(connection, connection.getresponse())

    def send(self, body: bytes | str, **headers: str | None) -> Answer:
        """Send a request and return its whole answer."""
        stream = self.open(body, **headers)
        answer = Answer(stream.response.status, stream.headers, stream.response.read())
        stream.close()
        return answer

    def post(self, method: str, params: dict[str, Any] | None = None, secret: str | None = None) -> Answer:
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        return self.send(message(method, params), **headers)

    def call(self, name: str, arguments: dict[str, Any] | None = None, secret: str | None = None) -> dict[str, Any]:
        """Call a tool and return its result, which must come as JSON."""
        return self.post("tools/call", {"name": name, "arguments": arguments or {}}, secret).result

    def watch(self, name: str, arguments: dict[str, Any] | None = None) -> Stream:
        """Call a tool and ask for its progress."""
        params = {"name": name, "arguments": arguments or {}, "_meta": {"progressToken": "p"}}
        return self.open(message("tools/call", params))

    def start(self, name: str, arguments: dict[str, Any] | None = None, *, watched: bool = False) -> "Pending":
        """Call a tool without waiting for anything to come back."""
        params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
        if watched:
            params["_meta"] = {"progressToken": "p"}
        return Pending(self, message("tools/call", params))

    def raw(self, head: str, body: bytes = b"") -> bytes:
        """Send bytes as they are and return all that comes back; `{secret}` in the head is the token."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(head.replace("{secret}", self.secret).replace("\n", "\r\n").encode() + b"\r\n" + body)
            found = b""
            while data := connection.recv(65_536):
                found += data
        return found

    def hold(self) -> "Hold":
        """Keep one worker busy until the hold is released; it is busy when this returns."""
        self.holds += 1
        return Hold(self, self.folder / f"hold-{self.holds}")

    def each_worker(self) -> Iterator[int]:
        """Yield the process id of each of two workers, at a moment at which every request goes to that one."""
        first = self.hold()
        second = self.hold()
        assert {first.pid, second.pid} == self.pids()
        first.release()
        yield first.pid
        third = self.hold()
        assert third.pid == first.pid
        second.release()
        yield second.pid
        third.release()


class Pending:
    """A request that was sent and whose answer nobody waits for yet."""

    def __init__(self, server: HttpServer, body: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        headers = {"Authorization": f"Bearer {server.secret}", "Accept": BOTH, "Content-Type": "application/json"}
        self.connection.request("POST", ADDRESS, body, headers)

    def result(self) -> dict[str, Any]:
        """Wait for the answer, which must be JSON, and return its result."""
        response = self.connection.getresponse()
        assert response.headers["Content-Type"] == "application/json"
        found: dict[str, Any] = json.loads(response.read(), parse_float=Decimal)["result"]
        self.close()
        return found

    def close(self) -> None:
        self.connection.close()


class Hold:
    """A request that keeps its worker busy. `pid` is the worker's process."""

    def __init__(self, server: HttpServer, path: Path) -> None:
        self.path = path
        self.path.touch()
        self.pending = server.start("hold", {"text": str(path)})
        held = Path(f"{path}.held")
        wait_for(held)
        self.pid = int(held.read_text())

    def release(self) -> None:
        """Let the request end and wait until it has."""
        self.path.unlink()
        assert self.pending.result()["structuredContent"] == {"pid": self.pid}


def message(method: str, params: dict[str, Any] | None = None) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}})


MINT = """
import json, sys
from configbox.access.grants import Grant, parse_scopes
from configbox.access.tokens import mint
wanted = json.load(sys.stdin)
print(json.dumps([
    mint("test", Grant.everything() if names is None else parse_scopes(names), created_by="test", expires=None)[1]
    for names in wanted
]))
"""


def minted(store: OwnStore, *wanted: list[str] | None) -> list[str]:
    """Mint a token for each list of scopes (None: every scope) in a process of its own; return their texts."""
    store_input = json.dumps(wanted)
    done = store.manage("shell", "--no-imports", "--verbosity=0", "-c", MINT, input=store_input)
    found: list[str] = json.loads(done.stdout)
    return found


@contextmanager
def served(store: OwnStore, folder: Path, workers: int = 2, **env: str) -> Iterator[HttpServer]:
    """Serve a store, with a token that may do everything, and wait until every worker has started."""
    with HttpServer(store, folder, workers, **env) as server:
        [server.secret] = minted(store, None)
        deadline = time.monotonic() + 60
        while server.log.count("Booting worker") < workers:
            assert time.monotonic() < deadline, server.log
            time.sleep(0.05)
        yield server
