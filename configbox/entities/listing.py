"""Lists of records, page by page, in a number of queries that does not grow with the rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from configbox.entities.errors import Invalid
from configbox.entities.images import load
from configbox.entities.records import titles_of
from configbox.entities.registry import model_of
from configbox.entities.selecting import filtered, searched
from configbox.entities.sorting import sorted_by
from configbox.entities.view import current, view_language, view_tags
from configbox.properties.base import Property
from configbox.properties.entity import Entity
from configbox.properties.issues import Issue, shown
from configbox.properties.numbers import read_whole
from configbox.properties.references import Reference
from configbox.properties.schema import display_key, listing_properties

MAX_LIMIT = 200
DEFAULT_LIMIT = 50
MAX_OFFSET = 10**9


@dataclass(frozen=True)
class Listing:
    """One page. `total` counts all records of the entity, `matched` those that filters and search leave."""

    model: type[Entity]
    items: list[dict[str, Any]]
    total: int
    matched: int
    limit: int
    offset: int
    notes: tuple[str, ...] = ()

    @property
    def next_offset(self) -> int | None:
        after = self.offset + len(self.items)
        return after if after < self.matched and self.items else None


def list_records(
    name: str,
    *,
    filters: Mapping[str, Any] | None = None,
    search: str | None = None,
    sort: str | None = None,
    limit: Any = None,
    offset: Any = None,
    only: Collection[str] | None = None,
) -> Listing:
    """Return one page of an entity; `only` names the columns that are wanted beside the id, None all.

    Raises Invalid naming every argument that cannot be taken, with the valid ones.
    """
    model = model_of(name)
    current().require(model, "read")
    tags = view_tags()
    language = view_language(tags)
    issues: list[Issue] = []
    rows: QuerySet[Any] = model.objects.all()
    total = rows.count()
    rows = filtered(model, rows, filters or {}, issues)
    rows = searched(model, rows, search, [current().language] if current().language else tags, issues)  # type: ignore[list-item]
    rows = sorted_by(model, rows, sort, tags, language, issues)
    size, notes = _limit(limit, issues)
    start = _offset(offset, issues)
    if issues:
        raise Invalid("request", issues)
    matched = rows.count()
    page = list(rows[start : start + size])
    return Listing(model, _rows(model, page, tags, language, only), total, matched, size, start, notes)


def _rows(
    model: type[Entity], page: Sequence[Entity], tags: Sequence[str], language: str, only: Collection[str] | None
) -> list[dict[str, Any]]:
    """Return the listing columns of each record; a reference also shows what it names."""
    shown_tags = [language] if current().language else list(tags)
    columns = [each for each in listing_properties(model) if only is None or _is_wanted(each, shown_tags, only)]
    load(page, columns, shown_tags)
    named = {each.name: _display(each, page, tags, language) for each in columns if isinstance(each, Reference)}
    rows = []
    for record in page:
        row: dict[str, Any] = {"id": record.pk}
        for each in columns:
            image = each.image(record, shown_tags)
            for key in each.keys(shown_tags):
                row[key] = each.present(image[key])
            if isinstance(each, Reference):
                row[display_key(each)] = named[each.name].get(row[each.key], "")
        rows.append(row if only is None else {key: row[key] for key in row if key == "id" or key in only})
    return rows


def _is_wanted(of: Property, tags: Sequence[str], only: Collection[str]) -> bool:
    """Say whether any key of a column is wanted: what is not, such as long rules, is not even read."""
    keys = [*of.keys(tags), *([display_key(of)] if isinstance(of, Reference) else [])]
    return any(key in only for key in keys)


def _display(of: Reference, page: Sequence[Entity], tags: Sequence[str], language: str) -> dict[int, str]:
    ids = {getattr(record, of.attname) for record in page} - {None}
    return titles_of(of.target, list(of.target.objects.filter(pk__in=ids)), tags, language)


def _limit(limit: Any, issues: list[Issue]) -> tuple[int, tuple[str, ...]]:
    if limit is None:
        return DEFAULT_LIMIT, ()
    number = read_whole(limit)
    if number is None or number < 1:
        issues.append(
            Issue("limit", "range", f"limit must be a whole number from 1 to {MAX_LIMIT}, got {shown(limit)}.")
        )
        return DEFAULT_LIMIT, ()
    if number > MAX_LIMIT:
        return MAX_LIMIT, (f"limit {number} was taken as {MAX_LIMIT}, the most one call returns.",)
    return number, ()


def _offset(offset: Any, issues: list[Issue]) -> int:
    if offset is None:
        return 0
    number = read_whole(offset)
    if number is None or not 0 <= number <= MAX_OFFSET:
        issues.append(Issue("offset", "range", f"offset must be a whole number from 0 on, got {shown(offset)}."))
        return 0
    return number
