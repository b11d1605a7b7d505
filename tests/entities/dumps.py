"""Every row of the store, and which of two dumps' differences no change accounts for."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import connection

from configbox.entities.registry import entities
from configbox.languages.models import Language, Text
from configbox.languages.tags import flat_key
from configbox.properties.entity import Entity, properties, translated_properties
from configbox.properties.files import File
from configbox.properties.json_values import read_json
from configbox.properties.owned import References
from configbox.properties.url_label import UrlLabel
from configbox.system.models import Change

LOG_TABLES = ("configbox_change_sets", "configbox_changes", "configbox_sequences")
# Every write moves these: they tell when, not what.
STAMPS = ("rev", "since")

Row = dict[str, Any]
Dump = dict[str, list[Row]]
# Entity, id and image key under which a change accounts for a value.
Place = tuple[str, int, str]


def dump(*, log: bool = True) -> Dump:
    """Return every row of every table of the store by table, in an order that depends on their values alone."""
    dumped: Dump = {}
    with connection.cursor() as cursor:
        names = [name for name in connection.introspection.table_names(cursor) if name.startswith("configbox_")]
        for name in sorted(names):
            if not log and name in LOG_TABLES:
                continue
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            columns = [column[0] for column in cursor.description]
            dumped[name] = [dict(zip(columns, row, strict=True)) for row in sorted(cursor.fetchall(), key=repr)]
    return dumped


def records(*, without: Iterable[str] = ()) -> Dump:
    """Return what the records hold: the dump without the log, stamps, and the columns named in `without`.

    A language that was active once stays known; only active ones count.
    """
    left_out = {*STAMPS, *without}
    held = dump(log=False)
    held[Language._meta.db_table] = [row for row in held[Language._meta.db_table] if row["active"]]
    return {
        table: [{name: value for name, value in row.items() if name not in left_out} for row in rows]
        for table, rows in held.items()
    }


def unaccounted(before: Dump, after: Dump, changes: Iterable[Change]) -> list[str]:
    """Return a line per value that differs between two dumps and that none of the changes holds."""
    held = set(_held(changes))
    found = []
    for table in sorted({*before, *after} - set(LOG_TABLES)):
        for row, column in _differences(before.get(table, []), after.get(table, []), table):
            places = list(_places(table, row, column))
            if not held & set(places):
                found.append(f"{table}.{column}: {_identity(table, row)} stands in no change")
    return found


def _held(changes: Iterable[Change]) -> Iterator[Place]:
    for change in changes:
        before, after, hidden = (read_json(text) for text in (change.before, change.after, change.hidden))
        assert isinstance(before, dict)
        assert isinstance(after, dict)
        assert isinstance(hidden, list)
        for key in {*before, *after, *hidden}:
            if key in hidden or before.get(key) != after.get(key):
                yield change.entity, change.record, key
        if change.operation != Change.Operation.UPDATE:
            yield change.entity, change.record, "id"
            # A value that is empty on both sides of a create or a delete comes and goes with the row.
            for key in {*before, *after}:
                yield change.entity, change.record, key


def _identity(table: str, row: Row) -> tuple[Any, ...]:
    keys = {
        Text._meta.db_table: ("field", "record", "language"),
        "configbox_url_labels": ("entity", "scope", "language", "label"),
        Language._meta.db_table: ("tag",),
    }.get(table, ("id",) if "id" in row else tuple(row))
    return tuple(row[key] for key in keys)


def _differences(before: list[Row], after: list[Row], table: str) -> Iterator[tuple[Row, str]]:
    """Yield each row that came, went or changed, with the column in question."""
    old = {_identity(table, row): row for row in before}
    new = {_identity(table, row): row for row in after}
    for identity in old.keys() | new.keys():
        left, right = old.get(identity), new.get(identity)
        for column in left or right or {}:
            if column in STAMPS:
                continue
            if left is None or right is None or left[column] != right[column]:
                for row in (left, right):
                    if row is not None:
                        yield row, column


def _places(table: str, row: Row, column: str) -> Iterator[Place]:
    """Yield where a change may account for one column of one row."""
    if table == Text._meta.db_table:
        model, name = _text_owner(row["field"])
        yield model.options().name, row["record"], flat_key(name, row["language"])
    elif table == "configbox_url_labels":
        model = entities()[row["entity"]]
        for each in properties(model).values():
            if isinstance(each, UrlLabel):
                yield row["entity"], row["record"], flat_key(each.name, row["language"])
                if each.within:
                    # A page that moves takes its labels along.
                    yield row["entity"], row["record"], each.within + "_id"
    elif table == Language._meta.db_table:
        yield "settings", 1, "active_languages"
    else:
        yield from _column_places(table, row, column)


def _text_owner(number: int) -> tuple[type[Entity], str]:
    for model in entities().values():
        for each in translated_properties(model):
            if each.number == number:
                return model, each.name
    raise KeyError(number)


def _column_places(table: str, row: Row, column: str) -> Iterator[Place]:
    for name, model in entities().items():
        if model._meta.db_table != table:
            continue
        if column == "id":
            yield name, row["id"], "id"
        for each in properties(model).values():
            if getattr(each, "column", None) == column:
                yield name, row["id"], each.key
        for owner in entities().values():
            for each in properties(owner).values():
                if isinstance(each, References) and each.through is model:
                    yield owner.options().name, row[f"{each.own}_id"], each.key


def file_keys(model: type[Entity]) -> list[str]:
    """Return the keys of a model's images and files."""
    return [each.key for each in properties(model).values() if isinstance(each, File)]
