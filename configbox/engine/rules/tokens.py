"""The stored form of a rule as JSON: strict reading, exact writing, and the marks that stand between conditions.

A stored rule is a list in which conditions alternate with combinators; a bare inner list is a pair of brackets, and a
negation in front inverts the whole rule.
"""

import json
from collections.abc import Iterator
from decimal import Decimal, DecimalException
from typing import NoReturn

from configbox.engine.rules.errors import RuleError, shown
from configbox.engine.rules.scalars import MAX_DIGITS, MAX_EXPONENT, exact_text, is_storable

MAX_DEPTH = 50
NEGATION: dict[str, object] = {"type": "negation"}
MARKS = ("combinator", "negation")

STORED = "The stored rule"


def read_tokens(text: str) -> list[object]:
    """Read stored JSON into its list of tokens, numbers as int or Decimal with exactly their digits.

    Raises RuleError when the text is no JSON, no list, nested too deep, or holds what no door may pass on (NUL, half
    surrogates, NaN, numbers of too many digits).
    """
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_decimal, parse_constant=_no_constant)
    except RecursionError:
        raise RuleError("", f"{STORED} is nested deeper than {MAX_DEPTH} levels.") from None
    except json.JSONDecodeError as error:
        raise RuleError("", f"{STORED} is not valid JSON: {error.msg} at character {error.pos + 1}.") from None
    if not isinstance(value, list):
        raise RuleError("", f"{STORED} should be a JSON list of conditions, but is {shown(value)}.")
    for inner, depth in walk(value):
        if depth > MAX_DEPTH and isinstance(inner, dict | list):
            raise RuleError("", f"{STORED} is nested deeper than {MAX_DEPTH} levels.")
        texts = inner.keys() if isinstance(inner, dict) else (inner,) if isinstance(inner, str) else ()
        if not all(is_storable(text) for text in texts):
            raise RuleError("", f"{STORED} holds a NUL character or half of a surrogate pair in {shown(inner)}.")
    return value


def write_json(value: object) -> str:
    """Return a value read or built by this package as compact JSON; every number keeps exactly its digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{write_json(key)}:{write_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(write_json(inner) for inner in value) + "]"
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def walk(value: object) -> Iterator[tuple[object, int]]:
    """Yield a JSON value and all that is inside it, each with its depth from 1, without recursion."""
    waiting = [(value, 1)]
    while waiting:
        inner, depth = waiting.pop()
        yield inner, depth
        if isinstance(inner, dict):
            waiting.extend((child, depth + 1) for child in inner.values())
        elif isinstance(inner, list):
            waiting.extend((child, depth + 1) for child in inner)


def combinator(kind: str) -> dict[str, object]:
    """Return the token that stands between two conditions; `kind` is "and" or "or"."""
    return {"type": "combinator", "kind": kind}


def combinator_kind(token: object) -> str | None:
    """Return "and" or "or" for a combinator in any letter case, None for every other token."""
    if not isinstance(token, dict) or not _is_mark(token, "combinator"):
        return None
    inner = token.get("data")
    fields = inner if token.keys() == {"type", "data"} and isinstance(inner, dict) else token
    kind = fields.get("kind")
    if fields.keys() - {"type"} != {"kind"} or not isinstance(kind, str) or kind.lower() not in ("and", "or"):
        return None
    return kind.lower()


def is_negation(token: object) -> bool:
    """Return whether a token is the negation mark."""
    return isinstance(token, dict) and token.keys() == {"type"} and _is_mark(token, "negation")


def _is_mark(token: dict[str, object], name: str) -> bool:
    kind = token.get("type")
    return isinstance(kind, str) and kind.lower() == name


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise RuleError("", f"{STORED} holds a number of more than {MAX_DIGITS} digits.")
    return int(text)


def _decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except DecimalException:
        number = Decimal("NaN")
    if exact_text(number) is None:
        raise RuleError(
            "", f"{STORED} holds a number over {MAX_DIGITS} digits or with an exponent over {MAX_EXPONENT}."
        )
    return number


def _no_constant(text: str) -> NoReturn:
    raise RuleError("", f"{STORED} is not valid JSON: {text} is no JSON number.")
