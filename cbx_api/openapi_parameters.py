"""The parameters of the OpenAPI document: what an address's query takes, per entity, and the headers of writes."""

from collections.abc import Sequence
from typing import Any, Final

from cbx_api.api_view import CHOICES
from cbx_api.etags import ANY, ETAG
from configbox.entities.listing import DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET
from configbox.entities.selecting import MAX_FILTER_VALUES, MAX_SEARCH, filter_properties
from configbox.entities.sorting import sort_properties
from configbox.languages.tags import flat_key
from configbox.properties.entity import Entity, properties
from configbox.properties.numbers import MAX_ID
from configbox.properties.owned import References
from configbox.properties.schema import listing_schema, readable_keys
from configbox.properties.translated import Translated

Parameter = dict[str, Any]

# The longest whole number that is read from a text has twenty digits.
MOST: Final = 10**20 - 1
NO_NUL: Final = "^[^\\u0000]*$"
ANY_ID: Final = {"type": "integer", "minimum": -MOST, "maximum": MOST}

ID: Final[Parameter] = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "minimum": 1, "maximum": MAX_ID},
    "description": "The record's id.",
}
IF_MATCH: Final[Parameter] = {
    "name": "If-Match",
    "in": "header",
    "schema": {"type": "string", "pattern": f"^({ETAG}|\\{ANY})$"},
    "description": "The ETag that was read: refuses the write, with the present values, if the record changed since.",
}


def parameters_of(
    names: Sequence[str], tags: Sequence[str], model: type[Entity] | None = None, operation: str = ""
) -> list[Parameter]:
    """Return the parameters of these names at an address, of an entity where it belongs to one."""
    found: list[Parameter] = []
    for name in names:
        if name == "filter" and model is not None:
            found += _filters(model)
        else:
            found.append(_parameter(name, tags, model, operation))
    return found


def _parameter(name: str, tags: Sequence[str], model: type[Entity] | None, operation: str) -> Parameter:
    schema: dict[str, Any]
    match name:
        case "language":
            return _query(name, "Of display values, sorting, search and messages.", _choice(tags))
        case "dry_run":
            return _query(name, "true: check everything, answer as if done, keep nothing.", {"type": "boolean"})
        case "for":
            return _query(name, "Of what the schema is; create unless said.", _choice(CHOICES["for"]))
        case "change_set":
            told = "The handle that an earlier write of yours gave, at most a day ago: adds to its set."
            return _query(name, told, {"type": "string"})
        case "search":
            schema = {"type": "string", "maxLength": MAX_SEARCH, "pattern": NO_NUL}
            return _query(name, "Text that must occur in a searchable field.", schema)
        case "limit":
            schema = {"type": "integer", "minimum": 1, "maximum": MOST, "default": DEFAULT_LIMIT}
            return _query(name, f"Rows per page; more than {MAX_LIMIT} is taken as {MAX_LIMIT}, and said.", schema)
        case "offset":
            schema = {"type": "integer", "minimum": 0, "maximum": MAX_OFFSET, "default": 0}
            return _query(name, "How many rows to skip: next_offset of the page before.", schema)
    if model is None:
        raise ValueError(f"The parameter {name} belongs to an entity.")
    if name == "sort":
        keys = sort_keys(model, tags)
        return _listed(name, "Names to sort by, the first first; - turns one round.", keys)
    keys = list(listing_schema(model, tags)["properties"]) if operation == "list" else list(readable_keys(model, tags))
    return _listed(name, "The keys that are wanted; all unless said.", keys)


def sort_keys(model: type[Entity], tags: Sequence[str]) -> list[str]:
    """Return what a list may be sorted by, each name as it is and turned round."""
    names = ["id", *sort_properties(model)]
    for each in properties(model).values():
        if isinstance(each, Translated) and each.sortable:
            names += [flat_key(each.name, tag) for tag in tags]
    return [prefix + name for name in names for prefix in ("", "-")]


def _filters(model: type[Entity]) -> list[Parameter]:
    found = [_filter("id", ANY_ID, "The record's id.")]
    for name, each in filter_properties(model).items():
        schema = ANY_ID if isinstance(each, References) else each.value_schema()
        if schema.get("type") == "string" and "enum" not in schema and "format" not in schema:
            schema = schema | {"pattern": NO_NUL}
        if each.accepts_null():
            schema = schema | {"type": [schema["type"], "string"], "pattern": "^$"}
        found.append(_filter(name, schema, f"{each.prop.label}."))
    return found


def _filter(name: str, schema: dict[str, Any], description: str) -> Parameter:
    several = {"type": "array", "items": schema, "minItems": 1, "maxItems": MAX_FILTER_VALUES}
    empty = " Empty: none." if schema.get("pattern") == "^$" else ""
    told = f"{description}{empty} Sent several times, also as filter[{name}][]: equal to one of these."
    return _query(f"filter[{name}]", told, several) | {"style": "form", "explode": True}


def _query(name: str, description: str, schema: dict[str, Any]) -> Parameter:
    return {"name": name, "in": "query", "description": description, "schema": schema}


def _choice(values: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _listed(name: str, description: str, keys: Sequence[str]) -> Parameter:
    schema = {"type": "array", "items": _choice(keys), "minItems": 1}
    return _query(name, description, schema) | {"style": "form", "explode": False}
