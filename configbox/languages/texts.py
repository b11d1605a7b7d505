"""Reading and writing rows of the strings table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db import connection

from configbox.languages.models import Text


def texts_of(
    field_numbers: Iterable[int], records: Iterable[int], tags: Iterable[str] | None = None
) -> dict[int, dict[int, dict[str, str]]]:
    """Return `{field number: {record id: {tag: text}}}` in one query, of all languages unless `tags` names some."""
    rows = Text.objects.filter(field__in=list(field_numbers), record__in=list(records))
    if tags is not None:
        rows = rows.filter(language__in=list(tags))
    found: dict[int, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for field, record, language, text in rows.values_list("field", "record", "language", "text"):
        found[field][record][language] = text
    return found


def write_texts(field_number: int, record: int, texts: Mapping[str, str]) -> None:
    """Store the texts of one field of one record; an empty text removes its row, other languages stay."""
    empty = [tag for tag, text in texts.items() if text == ""]
    if empty:
        Text.objects.filter(field=field_number, record=record, language__in=empty).delete()
    rows = [Text(field=field_number, record=record, language=tag, text=text) for tag, text in texts.items() if text]
    if rows:
        Text.objects.bulk_create(
            rows,
            update_conflicts=True,
            update_fields=["text"],
            # MariaDB has no conflict target; SQLite and PostgreSQL need one.
            unique_fields=None if connection.vendor == "mysql" else ["field", "record", "language"],
        )
