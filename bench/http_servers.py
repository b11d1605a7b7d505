"""The servers that http_calls.py compares, each in two processes, started on free ports and ended with the bench."""

import os
import site
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scratch import ROOT

BENCH = ROOT / "bench"
# Seconds until a server that does not listen is given up.
PATIENCE = 60
PROCESSES = 2


def own_server(python: str, port: int) -> list[str]:
    """Return the command that serves a store, with the settings of gunicorn.conf.py."""
    return [python, "-m", "gunicorn", f"--bind=127.0.0.1:{port}", "--log-level=warning", "configbox.wsgi"]


def sdk_server(port: int) -> list[str]:
    """Return the command that serves sdk_app.py with uvicorn, which the SDK itself starts."""
    options = [f"--port={port}", f"--workers={PROCESSES}", "--log-level=warning", "--no-access-log"]
    return [sys.executable, "-m", "uvicorn", *options, "sdk_app:app"]


def django_mcp_python(folder: Path) -> str:
    """Make an environment with django-mcp-server and return its Python.

    That library needs an older SDK than the suite. Everything else comes from the environment that runs the bench:
    both serve with the same Django.
    """
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    where = [str(python), "-c", "import site; print(site.getsitepackages()[0])"]
    own = Path(subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip())
    (own / "bench.pth").write_text("\n".join(site.getsitepackages()) + "\n")
    requirements = BENCH / "requirements-django-mcp-server.txt"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--quiet", "-r", str(requirements)], check=True)
    return str(python)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(command: Sequence[str], port: int, log: Path, **environment: str) -> Iterator[None]:
    """Run a server until the block ends; what it says goes to `log`. Raises RuntimeError if it does not listen."""
    # It logs as a store does by default: one line for each decision of access.
    variables = os.environ | {"LOG_LEVEL": "INFO", "PYTHONPATH": str(BENCH)} | environment
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_until_it_listens(process, port, log)
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    given_up = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError as error:
            if process.poll() is not None or time.monotonic() > given_up:
                said = log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{process.args!r} does not listen on port {port}. It said: {said}") from error
            time.sleep(0.1)
        else:
            return
