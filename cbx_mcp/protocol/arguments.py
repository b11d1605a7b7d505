"""Reads the arguments of a tool call: exact strings become the type the schema wants, all faults are told at once."""

from difflib import get_close_matches
from functools import lru_cache
from typing import Any

import jsonschema_rs

from cbx_mcp.tools.tool import Schema
from configbox.properties.issues import shown
from configbox.properties.json_values import JsonRefused, read_json, shown_path, write_json

TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
MAX_CHOICES_SHOWN = 10


def read_arguments(schema: Schema, given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments as the schema wants them, and a sentence for each fault; none means they are valid."""
    # Many clients send null for what they leave out; the schemas of tools know no null.
    optional = set(schema.get("properties", {})).difference(schema.get("required", ()))
    sent = {name: value for name, value in given.items() if value is not None or name not in optional}
    arguments = coerce(schema, sent)
    errors = _validator(write_json(schema)).iter_errors(arguments)
    return arguments, [sentence for error in errors for sentence in _sentences(error, schema)]


def coerce(schema: Schema, value: Any) -> Any:
    """Return `value` in the type its schema wants where it is exactly that; unchanged where it is not.

    Never touches a value that may be text, never cuts: 5.7 stays 5.7 and is refused as a whole number later.
    """
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if isinstance(value, str) and kinds and "string" not in kinds:
        value = _from_text(kinds, value)
    if "integer" in kinds and not isinstance(value, bool | int | str | list | dict | None) and value == int(value):
        return int(value)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {key: coerce(properties[key], each) if key in properties else each for key, each in value.items()}
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        return [coerce(schema["items"], each) for each in value]
    return value


def _from_text(kinds: tuple[str, ...], text: str) -> Any:
    try:
        value = read_json(text) if text == text.strip() else text
    except JsonRefused:
        return text
    fits = {
        "boolean": isinstance(value, bool),
        "integer": _is_number(value),
        "number": _is_number(value),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    return value if any(fits.get(kind, False) for kind in kinds) else text


def _is_number(value: object) -> bool:
    return not isinstance(value, bool | str | list | dict | None)


@lru_cache(maxsize=256)
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema)


def _sentences(error: jsonschema_rs.ValidationError, schema: Schema) -> list[str]:
    """Return what one error of the validator means to whoever must mend it."""
    where = shown_path(tuple(error.instance_path))
    detail = error.kind.as_dict()
    got = f"got {shown(error.instance)}" if not isinstance(error.instance, list | dict) else ""
    match error.kind.name:
        case "additionalProperties":
            return [_unknown(where, name, schema) for name in detail["unexpected"]]
        case "required":
            return [f"{shown_path((*error.instance_path, detail['property']))} is missing."]
        case "type":
            return [f"{where} must be {_kinds(detail['types'])}, {_got(error)}."]
        case "enum":
            return [_not_among(where, error.instance, detail["options"])]
        case "minimum":
            return [f"{where} must be at least {detail['limit']}, {got}."]
        case "maximum":
            return [f"{where} must be at most {detail['limit']}, {got}."]
        case "minItems":
            return [f"{where} must have at least {detail['limit']} entries."]
        case "maxItems":
            return [f"{where} may have at most {detail['limit']} entries."]
        case "minLength":
            return [f"{where} must have at least {detail['limit']} characters."]
        case "maxLength":
            return [f"{where} may have at most {detail['limit']} characters."]
        case _:
            return [f"{where or 'The arguments'}: {error.message[:200]}."]


def _kinds(types: list[str]) -> str:
    return " or ".join(TYPE_WORDS.get(each, each) for each in types)


def _got(error: jsonschema_rs.ValidationError) -> str:
    value = error.instance
    if isinstance(value, list | dict):
        return f"got {TYPE_WORDS['array' if isinstance(value, list) else 'object']}"
    if isinstance(value, str) and {"object", "array"}.intersection(error.kind.as_dict()["types"]):
        try:
            read_json(value)
        except JsonRefused as refused:
            return f"got text that cannot be read as one ({refused.message.rstrip('.')})"
    return f"got {shown(value)}"


def _unknown(where: str, name: str, schema: Schema) -> str:
    path = f"{where}.{name[:60]}" if where else name[:60]
    if where:
        return f"{path} is unknown."
    valid = list(schema.get("properties", {}))
    closest = get_close_matches(name, valid, n=1)
    hint = f"; did you mean {closest[0]}?" if closest else "."
    return f"{path} is an unknown argument{hint} Valid arguments: {', '.join(valid) or 'none'}."


def _not_among(where: str, value: object, options: list[Any]) -> str:
    closest = get_close_matches(str(value), [str(each) for each in options], n=MAX_CHOICES_SHOWN, cutoff=0.5)
    names = [*closest, *(str(each) for each in options if str(each) not in closest)]
    more = f" and {len(names) - MAX_CHOICES_SHOWN} more" if len(names) > MAX_CHOICES_SHOWN else ""
    hint = f"; did you mean {closest[0]}?" if closest else "."
    return f"{where} cannot be {shown(value)}{hint} Valid values: {', '.join(names[:MAX_CHOICES_SHOWN])}{more}."
