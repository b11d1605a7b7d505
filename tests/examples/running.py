"""Runs of the authoring examples through each door, and what their output and the store's log must say of them."""

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.examples.served_store import ServedStore
from tests.own_store import LOG_TABLES, ROOT, Dump, OwnStore

WRITES = 1 + 1 + 23 + 285 + 60
ANSWERS = 285
CHANGE_SET = "Change set: "
UNDO = "Undo:       "
# Whether somebody has asked with it is no part of what a shop consists of.
TOKENS = "configbox_tokens"


@dataclass(frozen=True)
class ServedExample:
    """A client of a served store: its script, the address it takes, and the door its writes come through."""

    script: str
    path: str
    door: str


MCP_OVER_HTTP = ServedExample("author_pc_shop.py", "/cb-api/v1/mcp", "http")
REST = ServedExample("author_pc_shop_rest.py", "/cb-api/v1/", "rest")
SERVED = (MCP_OVER_HTTP, REST)


def run_over_stdio(store: OwnStore, **env: str) -> subprocess.CompletedProcess[str]:
    """Let the example start its own server; both have `env`."""
    return _run("author_pc_shop.py", env={**store.env, **env})


def run_served(example: ServedExample, url: str, token: str | None) -> subprocess.CompletedProcess[str]:
    """Run a client that knows an address and a token and nothing of where the store is."""
    known = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CONFIGBOX_TOKEN")}
    if token is not None:
        known["CONFIGBOX_TOKEN"] = token
    done = _run(example.script, "--url", url, env=known)
    assert token is None or token not in done.stdout + done.stderr
    return done


def run_against(example: ServedExample, served: ServedStore, token: str) -> subprocess.CompletedProcess[str]:
    return run_served(example, served.url + example.path, token)


def minted(store: OwnStore, *options: str) -> str:
    """Make a token and return its text."""
    return store.manage("token_mint", "example", *options).stdout.strip()


def _run(script: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=110, check=False)


def change_set_in(output: str) -> str:
    [line] = [line for line in output.splitlines() if line.startswith(CHANGE_SET)]
    return line.removeprefix(CHANGE_SET)


def without_log(dump: Dump) -> Dump:
    """Return a dump without what tells of writes and of requests."""
    return {table: rows for table, rows in dump.items() if table not in (*LOG_TABLES, TOKENS)}


def assert_summary(output: str, change_set: str, runs_before: int = 0) -> None:
    """Check everything that is printed; an id is never given again, so each run before has used some up."""
    lines = output.splitlines()
    low, high, first, second = (number + runs_before * ANSWERS for number in (32, 34, 36, 38))
    assert lines[:6] == [
        f"PC RICHMOND F: product {1 + runs_before}, base price 841.90",
        "23 questions, 8 of them required, 285 answers: titles, prices,",
        "groups and required flags are as in the file",
        f"Apart: 'MSI Gaming X 8G' 524.80 ({low}), 'MSI GAMING X 8G' 1511.80 ({high})",
        f"Apart: 'MSI GAMING X 11G' 764.80 ({first}), 'MSI Gaming X 11G' 1977.80 ({second})",
        "12 implications in 60 answer rules, read back as written:",
    ]
    assert [int(line.split()[-2]) for line in lines[6:18]] == [15, 3, 6, 3, 6, 18, 3, 3, 6, 2, 5, 4]
    assert lines[18:] == [CHANGE_SET + change_set, f"{UNDO}{sys.executable} {ROOT}/manage.py changes undo {change_set}"]


def assert_one_change_set(before: Dump, after: Dump, change_set: str, actor: str, door: str) -> None:
    """Check that the log has this one change set more, with every write in it."""
    new = [row for row in after["configbox_change_sets"] if row not in before["configbox_change_sets"]]
    shown: list[tuple[Any, ...]] = [(row["handle"], row["actor"], row["door"], row["state"]) for row in new]
    assert shown == [(change_set, actor, door, "open")]
    made = [row for row in after["configbox_changes"] if row["change_set_id"] == new[0]["id"]]
    assert len(made) == WRITES == len(after["configbox_changes"]) - len(before["configbox_changes"])
