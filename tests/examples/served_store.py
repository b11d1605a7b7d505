"""A store served as an installation serves it: gunicorn with the repository's own configuration, on a free port."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.own_store import ROOT, OwnStore


class ServedStore:
    """Where the store answers (`url`, without a slash at its end) and what its processes have logged."""

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self.log = log

    def logged(self) -> str:
        """Return the log so far: decisions, faults, and a line for each request."""
        return self.log.read_text()


@contextmanager
def served_store(store: OwnStore, log: Path, **env: str) -> Iterator[ServedStore]:
    """Serve `store` until the block ends; `env` is added to the environment of the server."""
    # The port is taken here and handed over: nobody else can take it meanwhile, and early requests wait.
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener, log.open("wb") as output:
        number = listener.fileno()
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--bind", f"fd://{number}", "--access-logfile", "-", "configbox.wsgi"],
            cwd=ROOT, env={**store.env, "LOG_LEVEL": "INFO", **env}, pass_fds=[number],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )  # fmt: skip
        try:
            yield ServedStore(f"http://127.0.0.1:{listener.getsockname()[1]}", log)
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
