"""Reading one record, and describing an entity."""

from collections.abc import Sequence
from typing import Any

from configbox.entities.errors import Invalid, NotFound
from configbox.entities.images import image_of
from configbox.entities.records import present_record
from configbox.entities.registry import model_of
from configbox.entities.selecting import filter_properties
from configbox.entities.sorting import sort_properties
from configbox.entities.view import current, view_tags
from configbox.entities.writing import record_id
from configbox.properties.entity import Entity, key_map, properties
from configbox.properties.issues import Issue, shown
from configbox.properties.owned import Computed
from configbox.properties.schema import (
    create_schema,
    listing_schema,
    property_schema,
    readable_keys,
    unsupported_fields,
)


def get(name: str, pk: Any, *, only: Sequence[str] | None = None) -> dict[str, Any]:
    """Return one record, whole or the named keys of it beside `id` and `rev`."""
    model = model_of(name)
    current().require(model, "read")
    number = record_id(model, pk)
    tags = view_tags()
    wanted = _only(model, only, tags)
    try:
        record = model.objects.get(pk=number)
    except model.DoesNotExist:
        raise NotFound.record(model, number) from None
    shown_record = present_record(record, image_of(record, tags), tags)
    return shown_record if wanted is None else {key: value for key, value in shown_record.items() if key in wanted}


def _only(model: type[Entity], only: Sequence[str] | None, tags: Sequence[str]) -> set[str] | None:
    if only is None:
        return None
    known = readable_keys(model, tags)
    unknown = [key for key in only if key not in known and key not in ("id", "rev")]
    if unknown:
        message = f"only names {', '.join(shown(key) for key in unknown)}; the keys of a record are {', '.join(known)}."
        raise Invalid("request", [Issue("only", "unknown", message)])
    return {"id", "rev", *only}


def describe(name: str) -> dict[str, Any]:
    """Return everything a caller needs to read and write an entity, made from its properties."""
    model = model_of(name)
    current().require(model, "read")
    tags = view_tags()
    options = model.options()
    described: dict[str, Any] = {
        "entity": options.name,
        "label": str(model._meta.verbose_name),
        "area": options.area,
        "scopes": {"read": f"{options.area}:read", "write": f"{options.area}:write"},
        "operations": list(options.operations),
        "fields": create_schema(model, tags),
        "read_only": _read_only(model, tags),
        "listing": {
            "columns": list(listing_schema(model, tags)["properties"]),
            "sort": ["id", *sort_properties(model)],
            "ordering": list(options.ordering),
            "search": [each.name for each in properties(model).values() if each.prop.search],
        },
        "filters": ["id", *filter_properties(model)],
        "languages": tags,
        "unsupportedFields": unsupported_fields(model),
    }
    if options.frozen:
        described["frozen"] = options.frozen
    return described


def _read_only(model: type[Entity], tags: Sequence[str]) -> dict[str, Any]:
    """Return the keys that a record shows and no write takes; sent back unchanged, they pass."""
    found: dict[str, Any] = {
        "id": {"type": "integer", "description": "The record's id."},
        "rev": {"type": "integer", "description": "Grows with every change; send it as rev to refuse a stale write."},
    }
    for key, each in key_map(model, tags).items():
        if each.representable and (each.prop.readonly or isinstance(each, Computed)):
            found[key] = property_schema(each, key)
    return found
