"""In which order a list stands: by properties, by texts in a language, by the title of what a reference names."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from configbox.languages.models import Text as TextRow
from configbox.properties.base import Property
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, no_such, shown
from configbox.properties.references import Reference
from configbox.properties.translated import Translated


def sort_properties(model: type[Entity]) -> dict[str, Property]:
    """Return what a list may be sorted by, by property name and by key, `id` aside."""
    found: dict[str, Property] = {}
    for each in properties(model).values():
        if each.sortable or each.name in model.options().ordering:
            found[each.name] = each
            if not each.translated:
                found[each.key] = each
    return found


def sorted_by(model: type[Entity], rows: QuerySet[Any], sort: Any, language: str, issues: list[Issue]) -> QuerySet[Any]:
    """Return the rows in the wanted order, or in the entity's own; the id breaks every tie."""
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
            turned = " Put - before a name to turn it round."
            issues.append(Issue("sort", "unknown", no_such("sort", name, ["id", *known]) + turned))
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
