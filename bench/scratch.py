"""A store of its own for a bench: SQLite in a temporary folder, or a new database on the server of DATABASE_URL.

Both are gone afterwards; the store that DATABASE_URL or `var/` names is never opened. Imported before anything of
ConfigBox, because the settings are read once.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def scratch_store() -> Iterator[str]:
    """Set Django up on an empty, migrated store and yield the name of its database system.

    Programs that are started inside find the same store through the environment.
    """
    with tempfile.TemporaryDirectory(prefix="configbox-bench-") as folder:
        given = os.environ.get("DATABASE_URL", "")
        on_server = given.startswith("mysql:")
        os.environ |= {
            "CONFIGBOX_VAR": folder,
            "DATABASE_URL": given if on_server else f"sqlite:///{folder}/configbox.sqlite3",
            "DJANGO_SETTINGS_MODULE": "configbox.settings",
            "LOG_LEVEL": "ERROR",
        }
        sys.path.insert(0, str(ROOT))
        import django
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        if not on_server:
            call_command("migrate", verbosity=0)
            yield "SQLite"
            connection.close()
            return
        own = connection.settings_dict["NAME"]
        name = f"{own}_bench_{os.getpid()}"
        connection.settings_dict["TEST"]["NAME"] = name
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        os.environ["DATABASE_URL"] = urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
        try:
            yield "MariaDB"
        finally:
            connection.creation.destroy_test_db(own, verbosity=0)
