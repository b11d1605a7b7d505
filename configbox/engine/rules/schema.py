"""The authored form of a rule as JSON Schema, for describing it to programs and models."""

from collections.abc import Mapping

from configbox.engine.rules.conditions import CUSTOMER_GROUP_FIELDS, OPERATORS

_REF = {"$ref": "#/$defs/rule"}
_ID = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[1-9][0-9]{0,18}$"}]}
_OPERATOR = {"type": "string", "enum": list(OPERATORS)}
_VALUE = {"type": ["string", "number"]}


def json_schema() -> dict[str, dict[str, object]]:
    """Return `{"schema": …, "defs": …}`: the schema of a rule property and what belongs under the `$defs` beside it.

    The schema refers to `#/$defs/rule`, so that `defs` must be merged into the `$defs` of the outermost schema.
    """
    return {"schema": _property(), "defs": {"rule": _rule()}}


def _property() -> dict[str, object]:
    raw = {"raw": {"type": "string", "minLength": 1}, "reason": {"type": ["string", "null"]}}
    return {
        "description": (
            "When this applies. null: always. A rule is one condition, or conditions joined by all (every one holds) "
            'or any (at least one holds), nested freely. "not" inverts the whole rule and stands only at the top.'
        ),
        "anyOf": [
            _REF,
            _form({"not": _REF}, ["not"], "Holds when the rule under it does not."),
            _form(raw, ["raw"], "A stored rule that this form cannot express, sent back as it was read."),
            {"type": "null"},
        ],
    }


def _rule() -> dict[str, object]:
    group = {"type": "array", "minItems": 1, "items": _REF}
    return {
        "description": "One condition, or several under all or any.",
        "anyOf": [
            _form({"all": group}, ["all"], "Holds when every rule of the list holds."),
            _form({"any": group}, ["any"], "Holds when at least one rule of the list holds."),
            _leaf("question", _ID, 'What is selected at this question: an answer\'s id or a text; "": not answered.'),
            _leaf("calculation", _ID, "The result of this calculation with the present selections."),
            _leaf(
                "customerGroup",
                {"type": "string", "enum": list(CUSTOMER_GROUP_FIELDS)},
                "A custom field of the customer's group.",
            ),
            {
                "type": "object",
                "description": (
                    "A condition type by name, built-in or added by the store; all other keys are stored verbatim. "
                    "What they mean is the condition's own business."
                ),
                "properties": {"condition": {"type": "string", "minLength": 1}, "type": False},
                "required": ["condition"],
            },
        ],
    }


def _leaf(head: str, subject: Mapping[str, object], description: str) -> dict[str, object]:
    return _form({head: subject, "operator": _OPERATOR, "value": _VALUE}, [head, "operator", "value"], description)


def _form(properties: dict[str, object], required: list[str], description: str) -> dict[str, object]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
