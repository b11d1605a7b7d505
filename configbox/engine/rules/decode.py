"""From the stored form of a rule to the authored one, or to `raw` where that would not say the same."""

from configbox.engine.rules.authored import encode
from configbox.engine.rules.conditions import decode_condition
from configbox.engine.rules.errors import RuleError, shown
from configbox.engine.rules.meaning import equivalent, without_redundant_brackets
from configbox.engine.rules.tokens import MARKS, combinator_kind, is_negation, read_tokens

_HEADS = {"and": "all", "or": "any"}


def decode(stored: str | None) -> dict[str, object] | None:
    """Return the authored form of a stored rule; None where nothing is stored.

    Never raises: what the authored form cannot express comes back as `{"raw": stored, "reason": sentence}`. The
    authored form is returned only when encoding it again gives a rule of the same meaning.
    """
    if not stored:
        return None
    try:
        rule = _authored(read_tokens(stored))
        again = encode(rule)
    except RuleError as error:
        return {"raw": stored, "reason": error.message}
    if not equivalent(stored, again):
        return {"raw": stored, "reason": "Written in the authored form, the stored rule would not mean the same."}
    return rule


def _authored(tokens: list[object]) -> dict[str, object]:
    tokens = without_redundant_brackets(tokens)
    if tokens and is_negation(tokens[0]):
        return {"not": _group(tokens[1:])}
    return _group(tokens)


def _group(items: list[object]) -> dict[str, object]:
    items = without_redundant_brackets(items)
    if not items:
        raise RuleError("", "The stored rule holds an empty list of conditions, which has no meaning.")
    if any(is_negation(token) for token in items):
        raise RuleError("", "The stored rule has a negation elsewhere than in front of the whole rule.")
    kinds = {_kind(token, index + 1) for index, token in enumerate(items) if index % 2}
    if len(kinds) > 1:
        raise RuleError("", 'The stored rule mixes "and" and "or" on one level without brackets.')
    members: list[object] = [_member(token, index + 1) for index, token in enumerate(items) if index % 2 == 0]
    if len(items) % 2 == 0:
        raise RuleError("", "The stored rule has a combinator with no condition behind it.")
    if not kinds:
        return _member(items[0], 1)
    return {_HEADS[kinds.pop()]: members}


def _kind(token: object, number: int) -> str:
    kind = combinator_kind(token)
    if kind is None:
        raise RuleError(
            "", f'Item {number} of a list in the stored rule should be "and" or "or", but is no such token.'
        )
    return kind


def _member(token: object, number: int) -> dict[str, object]:
    if isinstance(token, list):
        return _group(token)
    name = token.get("type") if isinstance(token, dict) else None
    if not isinstance(token, dict) or not isinstance(name, str) or not name:
        raise RuleError("", f"Item {number} of a list in the stored rule should be a condition, but is {shown(token)}.")
    if name.lower() in MARKS:
        raise RuleError("", f"Item {number} of a list in the stored rule should be a condition, but is a {name}.")
    return decode_condition(token)
