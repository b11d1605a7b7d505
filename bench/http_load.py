"""Clients that ask one HTTP server again and again: each sends its next request as soon as it has its answer.

All of them live in one thread and know as little of HTTP as the answers need, so that they take little of the machine.
Connections are kept where the server keeps them.
"""

import selectors
import socket
import time
from dataclasses import dataclass, field

# Seconds without any answer after which a server is taken for dead.
PATIENCE = 30
QUICK: int | None = getattr(socket, "TCP_QUICKACK", None)


@dataclass
class Target:
    """One request to one server, and the body that every answer to it must have; None until the first is known."""

    name: str
    port: int
    request: bytes
    body: bytes | None = None


@dataclass
class Taken:
    """What bursts came to: a duration for each answer, what went wrong, and how long the bursts lasted together."""

    durations: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0


def http_request(method: str, port: int, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """Return a request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


class Client:
    """One client: its connection, what has arrived of the present answer, and when it was asked for."""

    def __init__(self, target: Target, selector: selectors.BaseSelector) -> None:
        self.target = target
        self.selector = selector
        self.connection: socket.socket | None = None
        self.arrived = b""
        self.started = 0.0

    def ask(self) -> None:
        """Send the request, on a new connection if there is none."""
        self.arrived = b""
        self.started = time.perf_counter()
        if self.connection is None:
            self.connection = socket.create_connection(("127.0.0.1", self.target.port), PATIENCE)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(self.connection, selectors.EVENT_READ, self)
        self.connection.sendall(self.target.request)
        # uvicorn's processes send head and body apart and wait for the first to be acknowledged, which the system
        # puts off for 40 ms on a connection that is kept. Linux acknowledges at once if told so each time.
        if QUICK is not None:
            self.connection.setsockopt(socket.IPPROTO_TCP, QUICK, 1)

    def receive(self) -> tuple[int, bytes] | None:
        """Take what has arrived; return status and body once the answer is whole. Raises OSError."""
        if self.connection is None:
            raise ConnectionError("there is no connection")
        more = self.connection.recv(1 << 16)
        if not more:
            raise ConnectionError(f"the connection ended after {len(self.arrived)} bytes")
        self.arrived += more
        head, separator, body = self.arrived.partition(b"\r\n\r\n")
        if not separator:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if "content-length" not in headers:
            raise ConnectionError(f"the answer has no Content-Length: {head!r}")
        if len(body) < int(headers["content-length"]):
            return None
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(first.split()[1]), body

    def close(self) -> None:
        if self.connection is not None:
            self.selector.unregister(self.connection)
            self.connection.close()
            self.connection = None


def burst(target: Target, clients: int, seconds: float, taken: Taken) -> None:
    """Ask with that many clients at once for that long, let the last answers come in, and add all to `taken`.

    An answer fails that is not a 200 or has another body than the first that the target gave.
    """
    with selectors.DefaultSelector() as selector:
        asking = {Client(target, selector) for _ in range(clients)}
        started = time.perf_counter()
        for client in asking:
            client.ask()
        while asking:
            ready = selector.select(PATIENCE)
            if not ready:
                raise RuntimeError(f"{target.name} has not answered for {PATIENCE} seconds.")
            for key, _ in ready:
                client = key.data
                if not _take(client, taken):
                    continue
                if time.perf_counter() - started < seconds:
                    client.ask()
                else:
                    client.close()
                    asking.discard(client)
        taken.seconds += time.perf_counter() - started


def _take(client: Client, taken: Taken) -> bool:
    """Return whether a client has its answer, right or wrong."""
    try:
        answer = client.receive()
    except OSError as error:
        client.close()
        taken.failures.append(f"{client.target.name}: {error}")
        return True
    if answer is None:
        return False
    taken.durations.append(time.perf_counter() - client.started)
    if answer[0] != 200 or answer[1] != client.target.body:
        taken.failures.append(f"{client.target.name}: status {answer[0]}, {answer[1][:300]!r}")
    return True


def ask_once(target: Target) -> bytes:
    """Return the body of one answer. Raises RuntimeError where it is not a 200."""
    with selectors.DefaultSelector() as selector:
        client = Client(target, selector)
        client.ask()
        answer = None
        while answer is None:
            answer = client.receive()
        client.close()
    if answer[0] != 200:
        raise RuntimeError(f"{target.name} was answered with {answer[0]}: {answer[1][:500]!r}")
    return answer[1]
