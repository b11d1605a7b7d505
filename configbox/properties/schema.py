"""JSON Schemas (2020-12) of an entity, for reading, creating, updating and listing, made from its properties."""

from collections.abc import Iterable
from typing import Any

from configbox.engine import rules
from configbox.properties.base import Property
from configbox.properties.columns import NumberedChoice
from configbox.properties.entity import Entity, key_map, properties
from configbox.properties.issues import Refused
from configbox.properties.numbers import MAX_PLACE, Ordering
from configbox.properties.owned import ActiveLanguages, Computed, References
from configbox.properties.references import Reference
from configbox.properties.rule import Rule


def property_schema(of: Property, key: str) -> dict[str, Any]:
    """Return the schema of one API key: its type, its limits, and in prose and x- keys what a writer must know."""
    schema = of.value_schema()
    if of.accepts_null():
        schema = _nullable(schema)
    schema["description"] = describe_property(of, key)
    prop = of.prop
    if prop.applies_when:
        schema["x-configbox-applies-when"] = {path: _plain(wanted) for path, wanted in prop.applies_when.items()}
    if prop.platforms:
        schema["x-configbox-platforms"] = list(prop.platforms)
    if prop.platform_defaults:
        schema["x-configbox-platform-defaults"] = dict(prop.platform_defaults)
    if prop.sensitive:
        schema["writeOnly"] = True
    return schema


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" not in schema:
        # The rule's own definition allows null.
        return dict(schema)
    widened = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], None]
    return widened


def _plain(wanted: object) -> object:
    return list(wanted) if isinstance(wanted, tuple) else wanted


def describe_property(of: Property, key: str) -> str:
    """Return what a writer must know: label, tooltip, unit, when it applies, where, and how to find ids."""
    prop = of.prop
    parts = [of.label(key) + "."]
    if prop.tooltip:
        parts.append(str(prop.tooltip))
    if prop.unit:
        parts.append(f"Unit: {prop.unit}.")
    if isinstance(of, Reference):
        finder = f"cbx_list_entities entity={of.target.options().name}"
        clear = " Null clears it; 0 is refused." if of.accepts_null() else ""
        parts.append(f"The id of a {of.target._meta.verbose_name}; find ids with {finder}.{clear}")
    elif isinstance(of, References):
        parts.append(
            f"The whole list of ids of {of.target._meta.verbose_name_plural}, replaced as sent; [] empties it. "
            f"Find ids with cbx_list_entities entity={of.target.options().name}."
        )
    elif isinstance(of, ActiveLanguages):
        parts.append("The whole list of tags, the leading language first. Texts of a language taken out are kept.")
    elif isinstance(of, Rule):
        parts.append("Null: no rule, always applies; #/$defs/rule is its form.")
    elif isinstance(of, NumberedChoice):
        parts.append("; ".join(f"{key}: {label}" for key, label in of.options) + ".")
    if prop.applies_when:
        parts.append("Applies only when " + " and ".join(_condition(*each) for each in prop.applies_when.items()) + ".")
    if prop.required and prop.applies_when:
        parts.append("Required when it applies.")
    if prop.platforms:
        parts.append(f"Read only on {', '.join(prop.platforms)}; stored everywhere.")
    if prop.locked_after_store:
        parts.append("Cannot change once the record is stored.")
    if prop.sensitive:
        parts.append("Written and never shown; unchanged when not sent.")
    return " ".join(parts)


def _condition(path: str, wanted: object) -> str:
    if isinstance(wanted, list | tuple):
        return f"{path} is one of {', '.join(str(each) for each in wanted)}"
    if wanted == "*":
        return f"{path} is not empty"
    if isinstance(wanted, str) and wanted.startswith("!"):
        return f"{path} is not {wanted[1:]}"
    return f"{path} is {str(wanted).lower() if isinstance(wanted, bool) else wanted}"


def writable_keys(model: type[Entity], tags: Iterable[str]) -> dict[str, Property]:
    """Return the keys that a tool or a program may send."""
    return {
        key: each
        for key, each in key_map(model, tags).items()
        if each.representable and not each.prop.readonly and not isinstance(each, Computed)
    }


def readable_keys(model: type[Entity], tags: Iterable[str]) -> dict[str, Property]:
    """Return the keys that a record shows beside `id` and `rev`."""
    return {key: each for key, each in key_map(model, tags).items() if each.representable and not each.prop.sensitive}


def required_keys(model: type[Entity], tags: Iterable[str]) -> list[str]:
    """Return the keys that a create must send whatever else it sends."""
    return [
        key
        for key, each in writable_keys(model, tags).items()
        if each.prop.required and not each.prop.applies_when and each.is_empty(each.initial())
    ]


def _object(model: type[Entity], shown: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "description": " ".join((model.__doc__ or "").split()),
        "properties": shown,
        "required": required,
        "additionalProperties": False,
    }
    if any(isinstance(each, Rule) and each.key in shown for each in properties(model).values()):
        schema["$defs"] = rules.json_schema()["defs"]
    return schema


def create_schema(model: type[Entity], tags: Iterable[str]) -> dict[str, Any]:
    """Return the schema of the fields that a create takes."""
    tags = list(tags)
    shown = {}
    for key, each in writable_keys(model, tags).items():
        shown[key] = property_schema(each, key)
        initial = each.present(each.initial())
        if not each.is_empty(initial) and not isinstance(initial, list) and _takes(each, initial):
            shown[key]["default"] = initial
    return _object(model, shown, required_keys(model, tags))


def _takes(of: Property, value: Any) -> bool:
    # A create drops a declared default that its own property refuses, so the schema promises none.
    try:
        of.read(value)
    except Refused:
        return False
    return True


def update_schema(model: type[Entity], tags: Iterable[str]) -> dict[str, Any]:
    """Return the schema of the fields that an update takes: any of them, none required."""
    return _object(model, {key: property_schema(each, key) for key, each in writable_keys(model, tags).items()}, [])


def read_schema(model: type[Entity], tags: Iterable[str]) -> dict[str, Any]:
    """Return the schema of a record as it is read."""
    shown: dict[str, Any] = {
        "id": {"type": "integer", "description": "The record's id."},
        "rev": {"type": "integer", "description": "The record's revision: grows with every change."},
    }
    shown |= {key: _shown_schema(each, key) for key, each in readable_keys(model, tags).items()}
    return _object(model, shown, list(shown))


def _shown_schema(of: Property, key: str) -> dict[str, Any]:
    """Return the schema of a key as records show it, which may hold what nobody may send.

    Where a choice's default was dropped, nothing may be chosen.
    """
    schema = property_schema(of, key)
    initial = of.present(of.initial())
    if "enum" in schema and not of.accepts_null() and not _takes(of, initial):
        schema["enum"] = [*schema["enum"], ""]
    if isinstance(of, Ordering):
        # A new record goes after the last, beyond what may be sent.
        schema["maximum"] = MAX_PLACE
    return schema


def listing_properties(model: type[Entity]) -> list[Property]:
    """Return the list columns in their order."""
    columns = [each for each in properties(model).values() if each.prop.listing is not None]
    return sorted(columns, key=lambda each: each.prop.listing or 0)


def display_key(of: Reference) -> str:
    """Return the key under which a list shows the title of the record that a reference names."""
    return f"{of.key}_display_value"


def listing_schema(model: type[Entity], tags: Iterable[str]) -> dict[str, Any]:
    """Return the schema of one row of a list; a reference is followed by the title of what it names."""
    tags = list(tags)
    shown: dict[str, Any] = {"id": {"type": "integer", "description": "The record's id."}}
    for each in listing_properties(model):
        for key in each.keys(tags):
            shown[key] = _shown_schema(each, key)
        if isinstance(each, Reference):
            title = f"The title of the {each.target._meta.verbose_name} that {each.key} names, empty for none."
            shown[display_key(each)] = {"type": "string", "description": title}
    return _object(model, shown, list(shown))


def unsupported_fields(model: type[Entity]) -> dict[str, str]:
    """Return `{property: type}` of what these doors cannot represent honestly."""
    return {each.name: each.kind for each in properties(model).values() if not each.representable}
