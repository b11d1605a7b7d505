"""In which order a list stands: by properties, by texts in a language, by the title of what a reference names."""

from collections.abc import Sequence
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from configbox.languages.models import Text as TextRow
from configbox.languages.tags import flat_key
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


def sorted_by(
    model: type[Entity], rows: QuerySet[Any], sort: Any, tags: Sequence[str], language: str, issues: list[Issue]
) -> QuerySet[Any]:
    """Return the rows in the wanted order, or in the entity's own; the id breaks every tie.

    A text is sorted in the view's language, or in the one its key names: `title_de_DE`.
    """
    known = {name: (each, language) for name, each in sort_properties(model).items()}
    if sort is None or sort == "":
        return _in_own_order(model, rows, language)
    for each in properties(model).values():
        if isinstance(each, Translated) and each.sortable:
            known |= {flat_key(each.name, tag): (each, tag) for tag in tags}
    order: list[str] = []
    for part in [part.strip() for part in sort.split(",")] if isinstance(sort, str) else [shown(sort)]:
        name = part.removeprefix("-")
        if name == "id":
            order.append(part)
        elif name in known:
            rows, names = _sort_by(rows, *known[name])
            order += [("-" if part.startswith("-") else "") + each for each in names]
        else:
            turned = " Put - before a name to turn it round."
            issues.append(Issue("sort", "unknown", no_such("sort", name, ["id", *known]) + turned))
    return rows.order_by(*order, *([] if {"id", "-id"} & set(order) else ["pk"]))


def _in_own_order(model: type[Entity], rows: QuerySet[Any], language: str) -> QuerySet[Any]:
    """Sort as the entity declares; parts stand together by the id of what they are part of."""
    order: list[str] = []
    for name in model.options().ordering:
        each = properties(model).get(name)
        if each is None or isinstance(each, Reference):
            order.append(name if each is None else each.attname)
        else:
            rows, names = _sort_by(rows, each, language)
            order += names
    return rows.order_by(*order, "pk")


def _sort_by(rows: QuerySet[Any], each: Property, language: str) -> tuple[QuerySet[Any], list[str]]:
    if isinstance(each, Translated):
        return _annotated(rows, each, each, "pk", language)
    if isinstance(each, Reference):
        title = properties(each.target)[each.target.options().title]
        if isinstance(title, Translated):
            rows, names = _annotated(rows, each, title, each.attname, language)
        else:
            names = [f"{each.name}__{title.name}"]
        # Records of equal titles stay apart.
        return rows, [*names, each.attname]
    return rows, [each.name]


def _annotated(
    rows: QuerySet[Any], each: Property, text: Translated, record: str, language: str
) -> tuple[QuerySet[Any], list[str]]:
    name = f"{flat_key(each.name, language)}_text"
    texts = TextRow.objects.filter(field=text.number, record=OuterRef(record), language=language)
    return rows.annotate(**{name: Subquery(texts.values("text")[:1])}), [name]
