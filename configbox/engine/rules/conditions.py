"""One condition of a rule, in both directions: an authored leaf <-> the stored object with its `type`."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from configbox.engine.rules.errors import RuleError, shown
from configbox.engine.rules.scalars import exact_text, id_of, is_storable, number_of, plain_text
from configbox.engine.rules.tokens import MARKS, MAX_DEPTH

OPERATORS = ("<", "<=", "==", "!=", ">=", ">")
SELECTION = "selectedAnswer.id"
SELECTION_FIELDS = (SELECTION, "selected", "selection")
CUSTOMER_GROUP_FIELDS = ("custom_1", "custom_2", "custom_3", "custom_4")


@dataclass(frozen=True)
class BuiltIn:
    """A condition type of the engine: its name, its authored head key, its stored subject key, what that key holds."""

    type: str
    head: str
    subject: str
    subject_is_id: bool


BUILT_IN = (
    BuiltIn("QuestionProperty", "question", "questionId", True),
    BuiltIn("Calculation", "calculation", "calcId", True),
    BuiltIn("CustomerGroup", "customerGroup", "fieldName", False),
)
BY_TYPE = {kind.type: kind for kind in BUILT_IN}
BY_HEAD = {kind.head: kind for kind in BUILT_IN}


def built_in(condition: Mapping[str, object]) -> BuiltIn | None:
    """Return the engine's own condition type that a stored condition has, None for a store's type."""
    name = condition.get("type")
    return BY_TYPE.get(name) if isinstance(name, str) else None


def flat(condition: dict[str, object]) -> dict[str, object]:
    """Return a built-in condition with its fields beside `type`, where an older editor put them under `data`."""
    inner = condition.get("data")
    if built_in(condition) and condition.keys() == {"type", "data"} and isinstance(inner, dict):
        return {**inner, "type": condition["type"]} if "type" not in inner else condition
    return condition


def encode_friendly(leaf: Mapping[str, object], head: str, place: str) -> dict[str, object]:
    """Return the stored condition of a `question`, `calculation` or `customerGroup` leaf, or raise RuleError."""
    kind = BY_HEAD[head]
    for key in leaf:
        if key not in (head, "operator", "value"):
            raise RuleError(
                place,
                f'{place} has the key {shown(key)}, which a "{head}" condition does not know. '
                f'Its keys are "{head}", "operator" and "value"; other fields need the form '
                f'{{"condition": "{kind.type}", …}}.',
            )
    subject = leaf[head]
    if kind.subject_is_id:
        stored = str(_required_id(subject, f"{place}.{head}", head))
    elif isinstance(subject, str) and subject in CUSTOMER_GROUP_FIELDS:
        stored = subject
    else:
        raise RuleError(
            f"{place}.{head}",
            f"{place}.{head} is {shown(subject)}, which is no field of a customer group that rules can read. "
            f"Use one of: {', '.join(CUSTOMER_GROUP_FIELDS)}.",
        )
    field = {"field": SELECTION} if kind.type == "QuestionProperty" else {}
    operator = _required_operator(leaf, place)
    return {"type": kind.type, kind.subject: stored, **field, "operator": operator, "value": _value_text(leaf, place)}


def encode_generic(leaf: Mapping[str, object], place: str, depth: int) -> dict[str, object]:
    """Return the stored condition of a `{"condition": "TypeName", …}` leaf, its fields verbatim, or raise RuleError.

    A built-in type written by name is checked like its own leaf, and is stored the same way when it says the same.
    """
    name = leaf["condition"]
    if not isinstance(name, str) or not name or not is_storable(name):
        raise RuleError(
            f"{place}.condition",
            f"{place}.condition is {shown(name)}, but should be the name of a condition type, such as "
            f'"QuestionProperty" or one that this store adds.',
        )
    if name.lower() in MARKS:
        raise RuleError(
            f"{place}.condition",
            f'{place}.condition is {shown(name)}, which is no condition. Use "all", "any" and "not" to combine rules.',
        )
    fields = {key: value for key, value in leaf.items() if key != "condition"}
    if "type" in fields:
        raise RuleError(
            f"{place}.type",
            f'{place} has the key "type" beside "condition". The type stands under "condition"; leave "type" out.',
        )
    for key, value in fields.items():
        # In the stored form a list goes round even a single condition.
        _check_verbatim(key, value, place, depth + 2)
    stored: dict[str, object] = {"type": name, **fields}
    kind = BY_TYPE.get(name)
    if kind is None:
        return stored
    _check_built_in(fields, kind, place)
    leaf_form = friendly(stored)
    return stored if leaf_form is None else encode_friendly(leaf_form, kind.head, place)


def decode_condition(condition: dict[str, object]) -> dict[str, object]:
    """Return the authored leaf of a stored condition: the friendly one where it says all, else the generic one."""
    condition = flat(condition)
    leaf = friendly(condition)
    if leaf is not None:
        return leaf
    if "condition" in condition:
        raise RuleError("", 'A stored condition has a field named "condition", which the authored form cannot carry.')
    fields = {key: value for key, value in condition.items() if key != "type"}
    return {"condition": condition["type"], **fields}


def friendly(condition: dict[str, object]) -> dict[str, object] | None:
    """Return the leaf `{head, operator, value}` of a flat condition that holds exactly what it models, else None."""
    kind = built_in(condition)
    if kind is None:
        return None
    keys = {"type", kind.subject, "operator", "value"}
    if kind.type == "QuestionProperty":
        keys.add("field")
        if condition.get("field") not in SELECTION_FIELDS:
            return None
    if condition.keys() != keys or condition["operator"] not in OPERATORS:
        return None
    stored = condition[kind.subject]
    subject = id_of(stored) if kind.subject_is_id else stored if stored in CUSTOMER_GROUP_FIELDS else None
    value = condition["value"]
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        value = plain_text(value)
    if subject is None or not isinstance(value, str):
        return None
    number = number_of(value)
    return {kind.head: subject, "operator": condition["operator"], "value": value if number is None else number}


def _check_built_in(fields: Mapping[str, object], kind: BuiltIn, place: str) -> None:
    subject = fields.get(kind.subject)
    if kind.subject_is_id:
        _required_id(subject, f"{place}.{kind.subject}", kind.head)
    elif not isinstance(subject, str) or not subject:
        raise RuleError(
            f"{place}.{kind.subject}",
            f"{place}.{kind.subject} is {shown(subject)}, but should name a field of the customer group: "
            f"{', '.join(CUSTOMER_GROUP_FIELDS)}.",
        )
    field = fields.get("field")
    if kind.type == "QuestionProperty" and (not isinstance(field, str) or not field):
        raise RuleError(
            f"{place}.field",
            f'{place}.field is {shown(field)}, but should say what of the question is compared: "{SELECTION}", '
            f'"price", "priceRecurring" or a custom field such as "selectedAnswer.option_custom_1".',
        )
    _required_operator(fields, place)
    _value_text(fields, place)


def _required_id(value: object, place: str, noun: str) -> int:
    number = id_of(value)
    if number is None:
        raise RuleError(
            place, f"{place} is {shown(value)}, but should be the id of a {noun}: a whole number from 1 up, such as 11."
        )
    return number


def _required_operator(leaf: Mapping[str, object], place: str) -> str:
    if "operator" not in leaf:
        raise RuleError(f"{place}.operator", f"{place} has no operator. Add one of: {', '.join(OPERATORS)}.")
    operator = leaf["operator"]
    if not isinstance(operator, str) or operator not in OPERATORS:
        raise RuleError(
            f"{place}.operator",
            f"{place}.operator is {shown(operator)}, which is not an operator. Use one of: {', '.join(OPERATORS)}.",
        )
    return operator


def _value_text(leaf: Mapping[str, object], place: str) -> str:
    """Return what a value is stored as: its text, a number in its plain spelling."""
    at = f"{place}.value"
    if "value" not in leaf:
        raise RuleError(at, f'{place} has no value. Add "value" with the text or number to compare with.')
    value = leaf["value"]
    if isinstance(value, str):
        _check_text(value, at)
        return value
    if value is None:
        raise RuleError(at, f'{at} is null, but should be text or a number. Use "" to ask for "not answered".')
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise RuleError(at, f"{at} is {shown(value)}, but should be text or a number with exact decimal digits.")
    text = plain_text(value)
    if text is None:
        raise RuleError(at, f"{at} is {shown(value)}, but a number may have at most 40 digits and no huge exponent.")
    return text


def _check_verbatim(key: object, value: object, place: str, depth: int) -> None:
    """Refuse what could not travel unchanged: values outside JSON, numbers of no exact or bounded digits."""
    if not isinstance(key, str):
        raise RuleError(place, f"{place} has the key {shown(key)}, but every key should be text.")
    _check_text(key, place)
    at = f"{place}.{key}"
    if depth > MAX_DEPTH and isinstance(value, dict | list):
        raise RuleError(place, f"{place} is nested deeper than {MAX_DEPTH} levels. Use fewer levels.")
    if isinstance(value, str):
        _check_text(value, at)
    elif isinstance(value, dict):
        for inner_key, inner in value.items():
            _check_verbatim(inner_key, inner, at, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check_verbatim(f"{key}[{index}]", inner, place, depth + 1)
    elif value is not None and (not isinstance(value, int | Decimal) or exact_text(value) is None):
        raise RuleError(
            at, f"{at} is {shown(value)}, but should be a JSON value, numbers with at most 40 exact decimal digits."
        )


def _check_text(text: str, place: str) -> None:
    if not is_storable(text):
        raise RuleError(
            place, f"{place} holds a NUL character or half of a surrogate pair: {shown(text)}. Remove that character."
        )
