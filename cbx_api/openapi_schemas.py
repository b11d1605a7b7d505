"""Schemas of the OpenAPI document: the entities' own, moved to its components, and the envelope around them."""

from typing import Any, Final

from cbx_api.envelope import ISSUE_CODES, OTHER_CODE
from cbx_api.statuses import ERROR_STATUSES
from configbox.engine import rules
from configbox.properties.entity import OPERATIONS, Entity
from configbox.properties.numbers import PLAIN_INTEGER, PLAIN_NUMBER
from configbox.properties.schema import create_schema, listing_schema, read_schema, update_schema

Schema = dict[str, Any]

# What is taken as text too, since numbers of JSON lose digits in many programs.
AS_TEXT: Final = {
    "integer": f"^{PLAIN_INTEGER.pattern}$",
    "number": f"^{PLAIN_NUMBER.pattern}$",
    "boolean": "^(true|false)$",
}
LANGUAGE: Final = {
    "type": ["string", "null"],
    "description": "The language that was asked for, by parameter or address; null for none.",
}
WHOLE: Final = {"type": "integer", "minimum": 0}
TEXT: Final = {"type": "string"}


def closed(properties: Schema, required: list[str] | None = None, **more: Any) -> Schema:
    """Return the schema of an object that has these members and no others; all are required unless some are named."""
    names = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False} | more


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def list_of(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items} | more


def envelope(data: Schema, meta: Schema) -> Schema:
    return closed({"data": data, "meta": meta})


def general_schemas() -> dict[str, Schema]:
    """Return the schemas that belong to no entity, by name."""
    issue = {
        "field": {"type": "string", "description": "The field or the parameter that is at fault."},
        "code": {"type": "string", "enum": sorted({*ISSUE_CODES.values(), OTHER_CODE})},
        "message": {"type": "string", "description": "What is wrong, what was got, and what is valid."},
    }
    error = {
        "code": {"type": "string", "enum": [each.code for each in ERROR_STATUSES.values()]},
        "message": {"type": "string", "description": "The whole fault in words, fit to be shown."},
        "issues": list_of(ref("issue")),
        "present": {"type": "object", "description": "With status 412: the record as it is now."},
    }
    write_meta = {
        "warnings": list_of(ref("issue"), description="Faults that were there before."),
        "change_set": {
            "type": "string",
            "description": "The handle of the change set that the write is in; absent where nothing changed.",
        },
        "dry_run": {"const": True, "description": "Everything was checked and nothing kept."},
        "language": LANGUAGE,
    }
    page_meta = {
        "total": WHOLE | {"description": "All records of the entity."},
        "matched": WHOLE | {"description": "Those that filters and search leave."},
        "limit": WHOLE,
        "offset": WHOLE,
        "next_offset": WHOLE | {"description": "The offset of the next page, while there is one."},
        "language": LANGUAGE,
        "notes": list_of(TEXT, description="What was taken otherwise than it was sent."),
    }
    optional = {"change_set", "dry_run", "next_offset", "notes"}
    definitions: dict[str, Schema] = relocated(rules.json_schema()["defs"])
    return definitions | {
        "issue": closed(issue),
        "error": closed({"error": closed(error, ["code", "message", "issues"])}),
        "meta": closed({"language": LANGUAGE}),
        "write-meta": closed(write_meta, [name for name in write_meta if name not in optional]),
        "page-meta": closed(page_meta, [name for name in page_meta if name not in optional]),
        "root": _root(),
        "json-schema": {"type": "object", "properties": {"$schema": TEXT}, "required": ["$schema", "type"]},
    }


def _root() -> Schema:
    entity = {
        "entity": TEXT,
        "label": TEXT,
        "area": TEXT,
        "operations": list_of({"type": "string", "enum": list(OPERATIONS)}, description="What this token may do."),
        "links": closed({"records": TEXT, "schema": TEXT}),
    }
    return closed(
        {
            "scopes": list_of(TEXT, description="What this token holds."),
            "languages": list_of(TEXT, description="The store's active languages, the leading one first."),
            "entities": list_of(closed(entity)),
            "links": closed({"openapi": TEXT, "docs": TEXT, "mcp": TEXT}),
        }
    )


def entity_schemas(name: str, model: type[Entity], tags: list[str], operations: list[str]) -> dict[str, Schema]:
    """Return the schemas of one entity: `product.record`, `.row`, and, where it may be written, `.create`, `.update`.

    A record has all of its keys unless `fields` names some, and a row those of one language where one is asked for.
    """
    found = {
        f"{name}.record": read_schema(model, tags) | {"required": ["id", "rev"]},
        f"{name}.row": listing_schema(model, tags) | {"required": ["id"]},
    }
    if "create" in operations:
        found[f"{name}.create"] = _as_sent(create_schema(model, tags))
    if "update" in operations:
        found[f"{name}.update"] = _as_sent(update_schema(model, tags))
    for each in found.values():
        each.pop("$defs", None)
    moved: dict[str, Schema] = relocated(found)
    return moved


def relocated(schema: Any) -> Any:
    """Return a schema whose definitions are found among the document's components."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/$defs/", "#/components/schemas/") if key == "$ref" else relocated(value)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [relocated(each) for each in schema]
    return schema


def _as_sent(schema: Schema) -> Schema:
    """Return the schema of an object as it may be sent: numbers and switches as text too."""
    return schema | {"properties": {key: as_text_too(each) for key, each in schema["properties"].items()}}


def as_text_too(schema: Schema) -> Schema:
    """Return the schema of one value that may be sent as text too."""
    kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    if "items" in schema:
        return schema | {"items": as_text_too(schema["items"])}
    pattern = next((AS_TEXT[kind] for kind in kinds if kind in AS_TEXT), None)
    if pattern is None:
        return schema
    widened = schema | {"type": [*kinds, "string"], "pattern": pattern}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], *(str(each) for each in schema["enum"] if each is not None)]
    return widened
