"""Which records a list holds: filters by equality, and a search over the texts that are flagged for it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Collate, Upper

from configbox.languages.models import Text as TextRow
from configbox.properties.base import Property
from configbox.properties.columns import Code, LongText, Text
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, Refused, no_such, shown
from configbox.properties.json_values import check_text
from configbox.properties.numbers import possible_ids, read_whole
from configbox.properties.owned import References
from configbox.properties.references import Reference
from configbox.properties.translated import Translated

BYTES = "utf8mb4_nopad_bin"
MAX_SEARCH = 255
MAX_FILTER_VALUES = 1000


def filter_properties(model: type[Entity]) -> dict[str, Property]:
    """Return what a list may be filtered by, by key, `id` aside."""
    return {each.key: each for each in properties(model).values() if each.filterable or isinstance(each, References)}


def filtered(model: type[Entity], rows: QuerySet[Any], filters: Any, issues: list[Issue]) -> QuerySet[Any]:
    """Return the rows whose values equal the filters'; what cannot be taken is added to `issues`."""
    if not isinstance(filters, Mapping):
        issues.append(Issue("filters", "type", f"filters must be an object of names and values, got {shown(filters)}."))
        return rows
    known = filter_properties(model)
    for name, wanted in filters.items():
        if name != "id" and name not in known:
            issues.append(Issue(f"filters.{name}", "unknown", no_such("filter", name, ["id", *known])))
            continue
        if isinstance(wanted, list | tuple) and len(wanted) > MAX_FILTER_VALUES:
            message = f"Filter {name} may name at most {MAX_FILTER_VALUES} values, got {len(wanted)}."
            issues.append(Issue(f"filters.{name}", "length", message))
            continue
        values = []
        for one in wanted if isinstance(wanted, list | tuple) else [wanted]:
            try:
                values.append(_filter_value(known.get(name), one))
            except Refused as refusal:
                issues.append(Issue(f"filters.{name}", refusal.code, f"Filter {name} {refusal.message}"))
        rows = _matching(rows, known.get(name), values)
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


def _matching(rows: QuerySet[Any], each: Property | None, values: list[Any]) -> QuerySet[Any]:
    if each is None:
        return rows.filter(pk__in=possible_ids(values))
    if isinstance(each, References):
        linked = each.through.objects.filter(**{f"{each.other}_id__in": possible_ids(values)})
        return rows.filter(pk__in=linked.values(f"{each.own}_id"))
    if isinstance(each, Translated):
        texts = _exactly(TextRow.objects.filter(field=each.number), "text", values)
        return rows.filter(pk__in=texts.values("record"))
    if isinstance(each, Text | LongText) and not isinstance(each, Code):
        return _exactly(rows, each.attname, values)
    column: Any = each
    wanted = [column.to_column(value) for value in values if value is not None]
    if isinstance(each, Reference):
        wanted = possible_ids(wanted)
    condition = Q(**{f"{column.attname}__in": wanted})
    return rows.filter(condition | Q(**{f"{column.attname}__isnull": True}) if None in values else condition)


def _exactly(rows: QuerySet[Any], column: str, values: list[Any]) -> QuerySet[Any]:
    """Compare texts by bytes, also where MariaDB's column does not mind case, accents or spaces at the end."""
    if connection.vendor != "mysql":
        return rows.filter(**{f"{column}__in": values})
    exact: QuerySet[Any] = rows.alias(**{f"{column}_exact": Collate(column, BYTES)}).filter(
        **{f"{column}_exact__in": values}
    )
    return exact


def searched(
    model: type[Entity], rows: QuerySet[Any], search: Any, tags: Sequence[str], issues: list[Issue]
) -> QuerySet[Any]:
    """Return the rows in which a flagged text contains `search`, in one of the languages `tags`."""
    if search is None or search == "":
        return rows
    fault = check_text(search) if isinstance(search, str) else f"it must be text, got {shown(search)}."
    if fault is None and len(search) > MAX_SEARCH:
        fault = f"it may have at most {MAX_SEARCH} characters, got {len(search)}."
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
            rows = rows.alias(**{f"{each.name}_upper": Upper(each.name)})
            # SQLite's own UPPER knows ASCII alone, so the text as it was typed counts too.
            condition |= Q(**{f"{each.name}_upper__contains": search.upper()}) | Q(**{f"{each.name}__contains": search})
        else:
            condition |= Q(**{f"{each.name}__icontains": search})
    return rows.filter(condition) if condition else rows.none()
