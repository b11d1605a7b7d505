"""Ids, numbers and texts inside a rule: which are valid, and their one canonical spelling in the stored form."""

import re
from decimal import Decimal

# What a signed 64-bit column holds; a larger id could not even be asked for.
MAX_ID = 2**63 - 1
MAX_DIGITS = 40
MAX_EXPONENT = 30

_ID = re.compile(r"[1-9][0-9]{0,18}")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def id_of(value: object) -> int | None:
    """Return the record id that `value` names, as a whole number or as exactly its digits; None if it names none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 < value <= MAX_ID else None
    text = str(value) if isinstance(value, Decimal) else value
    if not isinstance(text, str) or not _ID.fullmatch(text):
        return None
    number = int(text)
    return number if number <= MAX_ID else None


def exact_text(value: int | Decimal) -> str | None:
    """Return a number with exactly its digits, as JSON writes it; None when it is not finite or is too long."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**MAX_DIGITS else None
    _sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or len(digits) > MAX_DIGITS or abs(exponent) > MAX_DIGITS:
        return None
    text = str(value)
    if "E" in text and abs(value.adjusted()) > MAX_EXPONENT:
        return None
    return text


def plain_text(value: int | Decimal) -> str | None:
    """Return a number without exponent or needless zeros, as values are stored; None when it is too long."""
    if exact_text(value) is None:
        return None
    text = format(Decimal(value), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text == "-0":
        return "0"
    return text if _digits(text) <= MAX_DIGITS else None


def number_of(text: str) -> int | Decimal | None:
    """Return the number that `text` spells in the one plain spelling; None for all other texts ("007", "1.10")."""
    if text == "-0" or not _PLAIN_NUMBER.fullmatch(text) or _digits(text) > MAX_DIGITS:
        return None
    return Decimal(text) if "." in text else int(text)


def is_storable(text: str) -> bool:
    """Return whether a database can hold `text`: no NUL character and no half of a surrogate pair."""
    return _UNSTORABLE.search(text) is None


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)
