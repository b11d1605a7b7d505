"""The one reader and the one writer of JSON on every door: exact numbers, storable text, bounded nesting."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final, Literal, NoReturn
from uuid import UUID

import simplejson
from django.utils.functional import Promise

JSON: Final = "application/json"
MAX_DIGITS: Final = 40
MAX_EXPONENT: Final = 30
MAX_DEPTH: Final = 100
MAX_KEY_SHOWN: Final = 60

Path = tuple[str | int, ...]


class JsonRefused(ValueError):
    """JSON that is not read.

    `kind` is "syntax" where the text is no JSON at all (or nested beyond measure) and "value" where one value cannot
    be taken; then `path` leads to it, and `document` is the text's content with that value left in an unusable form:
    good for reading an envelope, never for use.
    """

    def __init__(
        self, kind: Literal["syntax", "value"], message: str, path: Path = (), document: object | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.path = path
        self.document = document


@dataclass(frozen=True)
class _Unreadable:
    """Stands in the document where a number was that is not taken, until its path is known."""

    fault: str


def is_json(content_type: str) -> bool:
    """Say whether a Content-Type is JSON in UTF-8."""
    kind, *parameters = (piece.strip().lower() for piece in content_type.split(";"))
    charsets = [each.partition("=")[2].strip('"') for each in parameters if each.startswith("charset=")]
    return kind == JSON and all(charset in ("utf-8", "utf8") for charset in charsets)


def read_json(data: bytes | str) -> object:
    """Return what a JSON text says: int, Decimal, str, bool, None, list, dict; of equal keys the last counts.

    Bytes are UTF-8, with or without a byte order mark. Raises JsonRefused for anything else than JSON, numbers of more
    than 40 digits or an exponent beyond 30, NaN and Infinity, NUL and lone surrogates in texts and keys, and more
    than 100 levels.
    """
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise JsonRefused("syntax", f"This is not UTF-8: byte {error.start + 1} cannot be read.") from None
    try:
        document = json.loads(
            text, parse_int=_read_int, parse_float=_read_decimal, parse_constant=_refuse_constant, strict=True
        )
    except json.JSONDecodeError as error:
        raise JsonRefused("syntax", f"This is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except RecursionError:
        raise _too_deep() from None
    _examine(document)
    return document


def check_text(text: str) -> str | None:
    """Return why a text cannot be stored (NUL, lone surrogate), or None."""
    if "\x00" in text:
        return "it contains the character NUL (U+0000)."
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X}"
            return f"it contains half of a surrogate pair ({half}) at character {error.start + 1}."
    return None


def write_json(value: object) -> str:
    """Return `value` as JSON on one line of pure ASCII.

    Decimals keep their exact digits as plain numbers, moments are ISO 8601. Raises ValueError for NaN and infinities
    and for moments without an offset, TypeError for what has no JSON form.
    """
    return simplejson.dumps(value, use_decimal=False, allow_nan=False, default=_encode)  # type: ignore[no-any-return]


def _read_int(digits: str) -> "int | _Unreadable":
    # Asked for every number of a message: the usual case comes first.
    if len(digits) <= MAX_DIGITS:
        return int(digits)
    count = len(digits.lstrip("-"))
    return _Unreadable(_too_many(count)) if count > MAX_DIGITS else int(digits)


def _read_decimal(number: str) -> "Decimal | _Unreadable":
    mantissa, _, exponent = number.lower().partition("e")
    count = sum(each.isdigit() for each in mantissa)
    if count > MAX_DIGITS:
        return _Unreadable(_too_many(count))
    size = exponent.lstrip("+-").lstrip("0")
    if len(size) > 2 or int(size or 0) > MAX_EXPONENT:
        return _Unreadable(f"the exponent of a number must be between -{MAX_EXPONENT} and {MAX_EXPONENT}.")
    return Decimal(number)


def _too_many(count: int) -> str:
    return f"a number may have at most {MAX_DIGITS} digits, got {count}."


def _too_deep() -> JsonRefused:
    return JsonRefused("syntax", f"This JSON is nested too deep: at most {MAX_DEPTH} levels are read.")


def _refuse_constant(name: str) -> NoReturn:
    raise JsonRefused("syntax", f"This is not JSON: {name} is no JSON number; leave the value out or send null.")


def _examine(document: object) -> None:
    """Raise JsonRefused for the first value that cannot be taken.

    Keeps its own stack, since the input chooses the depth; of a container only the place that was reached is kept,
    since the input chooses the size as well: a path is put together where a fault is found.
    """
    fault = _fault_of(document)
    path: Path = ()
    # One entry per open container, outermost first: what is left of it, and the key or place that was reached.
    open_containers = [_entries(document)] if isinstance(document, list | dict) else []
    reached: list[str | int] = []
    while open_containers:
        for key, value in open_containers[-1]:
            kind = type(value)
            if kind is int or kind is bool or value is None:
                continue
            if kind is list or kind is dict:
                if len(open_containers) >= MAX_DEPTH:
                    raise _too_deep()
                if fault is None and (fault := _fault_of(value)):
                    path = (*reached, key)
                reached.append(key)
                open_containers.append(_entries(value))
                break
            if fault is None and (fault := _fault_of(value)):
                path = (*reached, key)
        else:
            open_containers.pop()
            if reached:
                reached.pop()
    if fault:
        where = f"At {shown_path(path)}: " if path else ""
        raise JsonRefused("value", f"{where}{fault}", path, document)


def _entries(container: Any) -> Iterator[tuple[str | int, object]]:
    return iter(container.items()) if isinstance(container, dict) else enumerate(container)


def _fault_of(value: object) -> str | None:
    """Return why a value itself, not what is in it, cannot be taken."""
    if isinstance(value, str):
        return check_text(value)
    if isinstance(value, _Unreadable):
        return value.fault
    if isinstance(value, dict):
        return next((f"in a key, {fault}" for key in value if (fault := check_text(key))), None)
    return None


def shown_path(path: Path) -> str:
    """Return a path as people write it: `fields.rules[2]`; a key beyond measure is cut."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{_shown_key(step)}"
    return text.removeprefix(".")


def _shown_key(key: str) -> str:
    cut = key if len(key) <= MAX_KEY_SHOWN else key[: MAX_KEY_SHOWN - 3] + "..."
    return ascii(cut)[1:-1]


def _encode(value: Any) -> object:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} has no JSON form: only finite numbers have one.")
        return simplejson.RawJSON(format(value, "f"))
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"The moment {value.isoformat()} has no offset.")
        return value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Promise | UUID):
        return str(value)
    raise TypeError(f"A value of type {type(value).__name__} has no JSON form.")
