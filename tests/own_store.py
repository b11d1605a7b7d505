"""A store that only one test has, for what runs in programs of its own: a migrated database, dumped table by table.

SQLite in the test's folder; where the suite runs on MariaDB, a database of its own on that server, dropped at the end.
"""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from environ import Env

ROOT = Path(__file__).resolve().parent.parent
# What tells of writes, beside the records themselves.
LOG_TABLES = ("configbox_change_sets", "configbox_changes", "configbox_sequences")
_numbers = count(1)

Row = dict[str, Any]
Dump = dict[str, list[Row]]


class OwnStore:
    """Where the store is (`env`), and ways to act on it and to look at it from outside."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self.env = {
            **os.environ,
            "CONFIGBOX_VAR": str(folder),
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "configbox.settings",
        }

    def manage(self, *arguments: str, input: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end; a failure raises AssertionError with what it said."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.env, input=input, capture_output=True, text=True, timeout=110, check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def call(self, name: str, **arguments: Any) -> Row:
        """Call a tool in a fresh process and return its structured content."""
        line = json.dumps({"name": name, "arguments": arguments})
        content: Row = json.loads(self.manage("mcp", "--call", input=line + "\n").stdout)["structuredContent"]
        return content

    def activate_german(self) -> None:
        self.call("cbx_update_entity", entity="settings", id=1, fields={"active_languages": ["en-GB", "de-DE"]})

    def rows(self, query: str) -> list[Row]:
        with closing(_connect(self.url)) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(query)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def dump(self) -> Dump:
        """Return every row of ConfigBox's own tables, in an order that depends on their values alone."""
        with closing(_connect(self.url)) as connection, closing(connection.cursor()) as cursor:
            is_mariadb = self.url.startswith("mysql:")
            cursor.execute("SHOW TABLES" if is_mariadb else "SELECT name FROM sqlite_master WHERE type = 'table'")
            names = sorted(row[0] for row in cursor.fetchall() if row[0].startswith("configbox_"))
            dumped: Dump = {}
            for name in names:
                cursor.execute(f"SELECT * FROM {name}")
                columns = [column[0] for column in cursor.description]
                rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
                dumped[name] = sorted(rows, key=lambda row: [str(value) for value in row.values()])
            return dumped

    def records(self) -> Dump:
        """Return the dump without what every write moves: log, counters, revisions, when a URL label was given."""
        return {
            table: [{name: value for name, value in row.items() if name not in ("rev", "since")} for row in rows]
            for table, rows in self.dump().items()
            if table not in LOG_TABLES
        }


@contextmanager
def own_store(folder: Path) -> Iterator[OwnStore]:
    """Make an empty, migrated store; `folder` takes its files."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("mysql:"):
        store = OwnStore(folder, f"sqlite:///{folder}/configbox.sqlite3")
        store.manage("migrate", "--verbosity=0")
        yield store
        return
    name = f"test_own_{os.getpid()}_{next(_numbers)}"
    with closing(_connect(given)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        try:
            store = OwnStore(folder, urlunsplit(urlsplit(given)._replace(path=f"/{name}")))
            store.manage("migrate", "--verbosity=0")
            yield store
        finally:
            cursor.execute(f"DROP DATABASE {name}")


def _connect(url: str) -> Any:
    config = Env.db_url_config(url)
    if not url.startswith("mysql:"):
        return sqlite3.connect(config["NAME"])
    import MySQLdb

    place = {"unix_socket": config["OPTIONS"]["unix_socket"]} if config.get("OPTIONS") else {}
    if config.get("HOST"):
        place |= {"host": config["HOST"], "port": int(config.get("PORT") or 3306)}
    return MySQLdb.connect(
        user=config["USER"], passwd=config["PASSWORD"], db=config["NAME"], charset="utf8mb4", **place
    )
