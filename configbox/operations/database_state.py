"""Says whether the database is ready for use: reachable, and with every migration applied. Changes nothing."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

_was_ready = False


def hindrance() -> str | None:
    """Return in a sentence why tools that need the database cannot run, or None."""
    try:
        missing = pending_migrations()
    except DatabaseError as error:
        return _not_reachable(type(error).__name__)
    return _not_migrated(missing) if missing else None


def hindrance_until_ready() -> str | None:
    """Return the same for a process that answers many requests: once the database was ready it is asked no more."""
    global _was_ready
    found = None if _was_ready else hindrance()
    _was_ready = found is None
    return found


def pending_migrations() -> list[str]:
    """Return `app.migration` of what is on disk and not applied.

    Compares file names with what is recorded, which takes a millisecond; only where they differ are the migrations
    loaded, to tell a squashed one from a missing one.
    """
    recorded = set(MigrationRecorder(connection).applied_migrations())
    on_disk = _on_disk()
    if not recorded:
        return [".".join(key) for key in sorted(on_disk)]
    if not on_disk.difference(recorded):
        return []
    loader = MigrationLoader(connection)
    return [".".join(key) for key in sorted(loader.graph.nodes) if key not in loader.applied_migrations]


@cache
def _on_disk() -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for config in apps.get_app_configs():
        module, _ = MigrationLoader.migrations_module(config.label)
        spec = find_spec(module) if module else None
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            names = (path.stem for path in Path(folder).glob("*.py"))
            found.update((config.label, name) for name in names if name[0] not in "_~")
    return found


def _not_migrated(names: list[str]) -> str:
    """Say which migrations a database lacks and what to do."""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (
        f"The database of this store lacks {len(names)} migrations ({shown}). Ask whoever runs the store to run "
        "python manage.py migrate; this server never does it by itself."
    )


def _not_reachable(kind: str) -> str:
    """Say that the database does not answer."""
    return (
        f"The database of this store cannot be reached ({kind}). Ask whoever runs the store to check DATABASE_URL and "
        "the database server."
    )
