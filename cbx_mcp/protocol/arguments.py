"""Reads the arguments of a tool call: exact strings become the type the schema wants, all faults are told at once."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import jsonschema_rs

from cbx_mcp.call import Schema
from configbox.properties.issues import shown
from configbox.properties.json_values import JsonRefused, Path, read_json, shown_path, write_json

TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
# Of a longer list of choices only the closest are shown.
MAX_CHOICES: Final = 30
MAX_CHOICES_SHOWN: Final = 10
# Entries of one list or object inside the arguments.
MAX_ENTRIES: Final = 10_000
MAX_FAULTS_SHOWN: Final = 20
# Characters of a name or value that was sent, where a close one is looked for.
MAX_COMPARED: Final = 60


def read_arguments(schema: Schema, given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments as the schema wants them, and a sentence for each fault; none means they are valid.

    Of many faults the first are told and the others counted.
    """
    # Many clients send null for what they leave out; the schemas of tools know no null.
    optional = set(schema.get("properties", {})).difference(schema.get("required", ()))
    sent = {name: value for name, value in given.items() if value is not None or name not in optional}
    arguments = coerce(schema, sent)
    # First, since it costs little: what is too long is not looked at entry by entry.
    if crowded := _crowded(arguments):
        return arguments, crowded
    faults: list[str] = []
    total = 0
    for error in _validator(write_json(schema)).iter_errors(arguments):
        unknown = error.kind.name == "additionalProperties"
        total += len(error.kind.as_dict()["unexpected"]) if unknown else 1
        faults.extend(islice(_sentences(error, schema), MAX_FAULTS_SHOWN - len(faults)))
    return arguments, [*faults, *_uncounted(total - len(faults))]


def _crowded(arguments: dict[str, Any]) -> list[str]:
    """Return a sentence for each list and object inside the arguments that has too many entries."""
    faults: list[str] = []
    total = 0
    waiting: list[tuple[Path, Any]] = [((name,), value) for name, value in arguments.items()]
    while waiting:
        path, value = waiting.pop()
        if not isinstance(value, list | dict):
            continue
        if len(value) > MAX_ENTRIES:
            total += 1
            if len(faults) < MAX_FAULTS_SHOWN:
                faults.append(f"{shown_path(path)} may have at most {MAX_ENTRIES} entries, got {len(value)}.")
            continue
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        waiting.extend(((*path, key), each) for key, each in entries if isinstance(each, list | dict))
    return [*faults, *_uncounted(total - len(faults))]


def _uncounted(number: int) -> list[str]:
    return [f"and {number} more."] if number else []


def coerce(schema: Schema, value: Any) -> Any:
    """Return `value` in the type its schema wants where it is exactly that; unchanged where it is not.

    Never touches a value that may be text, never cuts: 5.7 stays 5.7 and is refused as a whole number later.
    """
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if isinstance(value, list | dict) and len(value) > MAX_ENTRIES:
        return value
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


def _sentences(error: jsonschema_rs.ValidationError, schema: Schema) -> Iterator[str]:
    """Yield what one error of the validator means to whoever must mend it."""
    where = shown_path(tuple(error.instance_path))
    detail = error.kind.as_dict()
    got = f"got {shown(error.instance)}" if not isinstance(error.instance, list | dict) else ""
    match error.kind.name:
        case "additionalProperties":
            yield from (_unknown(where, name, schema) for name in detail["unexpected"])
        case "required":
            yield f"{shown_path((*error.instance_path, detail['property']))} is missing."
        case "type":
            yield f"{where} must be {_kinds(detail['types'])}, {_got(error)}."
        case "enum":
            yield _not_among(where, error.instance, detail["options"])
        case "minimum":
            yield f"{where} must be at least {detail['limit']}, {got}."
        case "maximum":
            yield f"{where} must be at most {detail['limit']}, {got}."
        case "minItems":
            yield f"{where} must have at least {detail['limit']} entries."
        case "maxItems":
            yield f"{where} may have at most {detail['limit']} entries."
        case "minLength" if detail["limit"] == 1:
            yield f"{where} must not be empty; leave it out if you have none."
        case "minLength":
            yield f"{where} must have at least {detail['limit']} characters."
        case "maxLength":
            yield f"{where} may have at most {detail['limit']} characters."
        case _:
            yield f"{where or 'The arguments'}: {error.message[:200]}."


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
    name = name[:MAX_COMPARED]
    path = f"{where}.{name}" if where else name
    if where:
        return f"{path} is unknown."
    valid = list(schema.get("properties", {}))
    closest = get_close_matches(name, valid, n=1)
    hint = f"; did you mean {closest[0]}?" if closest else "."
    return f"{path} is an unknown argument{hint} Valid arguments: {', '.join(valid) or 'none'}."


def _not_among(where: str, value: object, options: list[Any]) -> str:
    closest = get_close_matches(
        str(value)[:MAX_COMPARED], [str(each) for each in options], n=MAX_CHOICES_SHOWN, cutoff=0.5
    )
    names = [*closest, *(str(each) for each in options if str(each) not in closest)]
    count = len(names) if len(names) <= MAX_CHOICES else MAX_CHOICES_SHOWN
    more = f" and {len(names) - count} more" if count < len(names) else ""
    hint = f"; did you mean {closest[0]}?" if closest else "."
    return f"{where} cannot be {shown(value)}{hint} Valid values: {', '.join(names[:count])}{more}."
