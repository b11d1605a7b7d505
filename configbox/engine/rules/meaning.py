"""Whether two stored rules mean the same, whatever generation of editor wrote them."""

from decimal import Decimal

from configbox.engine.rules.conditions import SELECTION, SELECTION_FIELDS, built_in, flat
from configbox.engine.rules.errors import RuleError
from configbox.engine.rules.scalars import id_of, plain_text
from configbox.engine.rules.tokens import NEGATION, combinator, combinator_kind, is_negation, read_tokens, write_json

_ID_KEYS = ("questionId", "calcId")


def equivalent(a: str, b: str) -> bool:
    """Return whether two stored texts mean the same rule.

    Ignored are key order, ids and values as numbers or texts, the letter case of combinators, the older shape with
    `data`, the synonyms of the selection's field and brackets round a single thing. The order of conditions counts.
    Texts that are no readable rule are the same only when they are the same text.
    """
    if a == b:
        return True
    try:
        return _canonical_text(a) == _canonical_text(b)
    except RuleError:
        return False


def without_redundant_brackets(items: list[object]) -> list[object]:
    """Return the list inside brackets that hold nothing but brackets: [[A]] is [A].

    Brackets that open with a negation stay: taken away, they would let it invert the whole rule.
    """
    while len(items) == 1 and isinstance(items[0], list) and not (items[0] and is_negation(items[0][0])):
        items = items[0]
    return items


def _canonical_text(text: str) -> str:
    tokens = without_redundant_brackets(read_tokens(text))
    if tokens and is_negation(tokens[0]):
        return write_json([NEGATION, *_canonical_list(tokens[1:])])
    return write_json(_canonical_list(tokens))


def _canonical_list(items: list[object]) -> list[object]:
    return [_canonical_token(item) for item in without_redundant_brackets(items)]


def _canonical_token(token: object) -> object:
    if isinstance(token, list):
        inner = _canonical_list(token)
        return inner[0] if len(inner) == 1 and not is_negation(inner[0]) else inner
    if not isinstance(token, dict):
        return token
    kind = combinator_kind(token)
    if kind is not None:
        return combinator(kind)
    if is_negation(token):
        return NEGATION
    return _canonical_condition(flat(token))


def _canonical_condition(condition: dict[str, object]) -> object:
    fields = dict(condition)
    for key in _ID_KEYS:
        number = id_of(fields.get(key))
        if number is not None:
            fields[key] = str(number)
    kind = built_in(fields)
    if kind is not None:
        value = fields.get("value")
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            fields["value"] = plain_text(value) or value
        if kind.type == "QuestionProperty" and fields.get("field") in SELECTION_FIELDS:
            fields["field"] = SELECTION
    return _sorted(fields)


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(inner) for inner in value]
    return value
