"""Lists of records: filtering, searching, sorting, paging, in a number of queries that does not grow with the rows."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Upper

from configbox.entities.errors import Invalid
from configbox.entities.images import load
from configbox.entities.records import titles_of
from configbox.entities.registry import model_of
from configbox.entities.view import current, view_language, view_tags
from configbox.languages.models import Text as TextRow
from configbox.properties.base import Property
from configbox.properties.columns import Code
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, Refused, shown
from configbox.properties.json_values import check_text
from configbox.properties.numbers import read_whole
from configbox.properties.owned import References
from configbox.properties.references import Reference
from configbox.properties.schema import listing_properties
from configbox.properties.translated import Translated

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
) -> Listing:
    """Return one page of an entity. Raises Invalid naming every argument that cannot be taken, with the valid ones."""
    model = model_of(name)
    current().require(model, "read")
    tags = view_tags()
    language = view_language(tags)
    issues: list[Issue] = []
    rows: QuerySet[Any] = model.objects.all()
    total = rows.count()
    rows = _filtered(model, rows, filters or {}, issues)
    rows = _searched(model, rows, search, [current().language] if current().language else tags, issues)  # type: ignore[list-item]
    rows = _sorted(model, rows, sort, language, issues)
    size, notes = _limit(limit, issues)
    start = _offset(offset, issues)
    if issues:
        raise Invalid("request", issues)
    matched = rows.count()
    page = list(rows[start : start + size])
    return Listing(model, _rows(model, page, tags, language), total, matched, size, start, notes)


def _rows(model: type[Entity], page: Sequence[Entity], tags: Sequence[str], language: str) -> list[dict[str, Any]]:
    """Return the listing columns of each record; a reference also shows what it names."""
    columns = listing_properties(model)
    shown_tags = [language] if current().language else list(tags)
    load(page, columns, shown_tags)
    named = {each.name: _display(each, page, tags, language) for each in columns if isinstance(each, Reference)}
    rows = []
    for record in page:
        row: dict[str, Any] = {"id": record.pk}
        for each in columns:
            image = each.image(record, shown_tags)
            for key in each.keys(shown_tags):
                row[key] = each.present(image[key])
            if each.name in named:
                row[f"{each.key}_display_value"] = named[each.name].get(row[each.key], "")
        rows.append(row)
    return rows


def _display(of: Reference, page: Sequence[Entity], tags: Sequence[str], language: str) -> dict[int, str]:
    ids = {getattr(record, of.attname) for record in page} - {None}
    return titles_of(of.target, list(of.target.objects.filter(pk__in=ids)), tags, language)


def filter_properties(model: type[Entity]) -> dict[str, Property]:
    """Return what a list may be filtered by, by key, `id` aside."""
    return {each.key: each for each in properties(model).values() if each.filterable or isinstance(each, References)}


def _filtered(model: type[Entity], rows: QuerySet[Any], filters: Any, issues: list[Issue]) -> QuerySet[Any]:
    if not isinstance(filters, Mapping):
        issues.append(Issue("filters", "type", f"filters must be an object of names and values, got {shown(filters)}."))
        return rows
    known = filter_properties(model)
    for name, wanted in filters.items():
        if name != "id" and name not in known:
            issues.append(_unknown("filter", name, ["id", *known]))
            continue
        values = []
        for one in wanted if isinstance(wanted, list | tuple) else [wanted]:
            try:
                values.append(_filter_value(known.get(name), one))
            except Refused as refusal:
                issues.append(Issue(f"filters.{name}", refusal.code, f"Filter {name} {refusal.message}"))
        rows = rows.filter(_matches(known.get(name), values))
    return rows


def _filter_value(each: Property | None, wanted: Any) -> Any:
    if each is None or isinstance(each, References):
        number = read_whole(wanted)
        if number is None:
            raise Refused("type", f"must be an id or a list of ids, got {shown(wanted)}.")
        return number
    if wanted is None and each.accepts_null():
        return None
    return each.read(wanted)


def _matches(each: Property | None, values: list[Any]) -> Q:
    if each is None:
        return Q(pk__in=values)
    if isinstance(each, References):
        linked = each.through.objects.filter(**{f"{each.other}_id__in": values}).values(f"{each.own}_id")
        return Q(pk__in=linked)
    if isinstance(each, Translated):
        return Q(pk__in=TextRow.objects.filter(field=each.number, text__in=values).values("record"))
    column: Any = each
    found = Q(**{f"{column.attname}__in": [column.to_column(value) for value in values if value is not None]})
    return found | Q(**{f"{column.attname}__isnull": True}) if None in values else found


def _searched(
    model: type[Entity], rows: QuerySet[Any], search: Any, tags: Sequence[str], issues: list[Issue]
) -> QuerySet[Any]:
    if search is None or search == "":
        return rows
    fault = check_text(search) if isinstance(search, str) else f"it must be text, got {shown(search)}."
    if fault:
        issues.append(Issue("search", "type", f"search cannot be used: {fault}"))
        return rows
    condition = Q()
    for each in properties(model).values():
        if not each.prop.search:
            continue
        if isinstance(each, Translated):
            texts = TextRow.objects.filter(field=each.number, language__in=tags, text__icontains=search)
            condition |= Q(pk__in=texts.values("record"))
        elif isinstance(each, Code):
            # Codes compare by bytes on MariaDB; a search does not mind the case on either database.
            rows = rows.annotate(**{f"{each.name}_upper": Upper(each.name)})
            condition |= Q(**{f"{each.name}_upper__contains": search.upper()})
        else:
            condition |= Q(**{f"{each.name}__icontains": search})
    return rows.filter(condition) if condition else rows.none()


def sort_properties(model: type[Entity]) -> dict[str, Property]:
    """Return what a list may be sorted by, by property name and by key, `id` aside."""
    found: dict[str, Property] = {}
    for each in properties(model).values():
        if each.sortable or each.name in model.options().ordering:
            found[each.name] = each
            if not each.translated:
                found[each.key] = each
    return found


def _sorted(model: type[Entity], rows: QuerySet[Any], sort: Any, language: str, issues: list[Issue]) -> QuerySet[Any]:
    known = sort_properties(model)
    wanted = model.options().ordering
    if sort is not None:
        wanted = tuple(part.strip() for part in sort.split(",")) if isinstance(sort, str) else (shown(sort),)
    order: list[Any] = []
    for part in wanted:
        name = part.removeprefix("-")
        if name == "id":
            order.append(part)
            continue
        if name not in known:
            issues.append(_unknown("sort", name, ["id", *known], "sort", " Put - before a name to turn it round."))
            continue
        rows, expression = _sort_by(rows, known[name], language)
        order.append(("-" if part.startswith("-") else "") + expression)
    return rows.order_by(*order, *(() if any(part.lstrip("-") == "id" for part in order) else ("pk",)))


def _sort_by(rows: QuerySet[Any], each: Property, language: str) -> tuple[QuerySet[Any], str]:
    if isinstance(each, Translated):
        return _annotated(rows, each, each, "pk", language)
    if isinstance(each, Reference):
        title = properties(each.target)[each.target.options().title]
        if isinstance(title, Translated):
            return _annotated(rows, each, title, each.attname, language)
        return rows, f"{each.name}__{title.name}"
    return rows, each.name


def _annotated(
    rows: QuerySet[Any], each: Property, text: Translated, record: str, language: str
) -> tuple[QuerySet[Any], str]:
    texts = TextRow.objects.filter(field=text.number, record=OuterRef(record), language=language)
    return rows.annotate(**{f"{each.name}_text": Subquery(texts.values("text")[:1])}), f"{each.name}_text"


def _unknown(what: str, name: object, valid: Sequence[str], field: str | None = None, more: str = "") -> Issue:
    close = difflib.get_close_matches(str(name), valid, n=1)
    hint = f' Did you mean "{close[0]}"?' if close else ""
    message = f"There is no {what} {shown(name)}.{hint} Valid are {', '.join(dict.fromkeys(valid))}.{more}"
    return Issue(field or f"{what}s.{name}", "unknown", message)


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
