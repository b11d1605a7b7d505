"""Programs of tests/node: where they are, and ways to run them against a store over both transports."""

import json
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.mcp.http_server import ADDRESS, HttpServer
from tests.own_store import ROOT, OwnStore

FOLDER = ROOT / "tests" / "node"
PACKAGES = FOLDER / "node_modules"
SECONDS = 100


def installed(path: Path) -> Path:
    """Return the path of a program of a package; an AssertionError says how to get it."""
    folder = path.relative_to(FOLDER).as_posix().partition("/node_modules/")[0]
    place = FOLDER if folder == path.relative_to(FOLDER).as_posix() else FOLDER / folder
    assert path.exists(), f"{path.name} is missing: run `npm ci` in {place.relative_to(ROOT)}, or bin/test, which does."
    return path
