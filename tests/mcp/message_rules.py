"""Says what each message must be answered with, by a reader of its own and not by the server's."""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

MAX_DEPTH = 100
MAX_DIGITS = 40
MAX_EXPONENT = 30
MAX_ID = 1000
MAX_MESSAGE = 2000


@dataclass(frozen=True)
class Expected:
    """What a message must be answered with: nothing, an error without id, or an answer with exactly this id."""

    is_silence: bool = False
    code: int | None = None
    id: int | str | None = None


class _Unusable:
    """Stands for a number that is too long to be taken."""


def expected(raw: bytes) -> Expected:
    """Return what a message must be answered with, by the rules of JSON-RPC and the limits that are documented."""
    try:
        document = read_document(raw)
    except (ValueError, RecursionError):
        return Expected(code=-32700)
    if _depth(document) > MAX_DEPTH:
        return Expected(code=-32700)
    if not isinstance(document, dict):
        return Expected(code=-32600)
    if "method" not in document and ("result" in document or "error" in document):
        return Expected(is_silence=True)
    request_id = document.get("id")
    if "id" in document and not _is_usable(request_id):
        return Expected(code=-32600)
    if document.get("jsonrpc") != "2.0" or not isinstance(document.get("method"), str):
        return Expected(code=-32600, id=request_id)
    if "id" not in document:
        return Expected(is_silence=True)
    params = document.get("params")
    return Expected(code=None if params is None or isinstance(params, dict) else -32602, id=request_id)


def read_document(raw: bytes) -> Any:
    """Return what a message says; raises ValueError or RecursionError for what is no JSON."""
    return json.loads(raw.decode("utf-8-sig"), parse_int=_int, parse_float=_float, parse_constant=_no_number)


def check_answer(raw: bytes, line: bytes | None) -> None:
    """Assert that `line`, what came back (None for nothing), is what `raw` must be answered with."""
    wanted = expected(raw)
    if wanted.is_silence:
        assert line is None, (raw[:500], line)
        return
    assert line is not None, raw[:500]
    assert line.isascii(), (raw[:500], line)
    assert b"\n" not in line, (raw[:500], line)
    answer = json.loads(line)
    assert answer["jsonrpc"] == "2.0", (raw[:500], answer)
    assert ("result" in answer) is not ("error" in answer), (raw[:500], answer)
    assert answer.keys() <= {"jsonrpc", "id", "result", "error"}, (raw[:500], answer)
    assert ("id" in answer) is (wanted.id is not None), (raw[:500], answer)
    assert answer.get("id") == wanted.id, (raw[:500], answer)
    assert type(answer.get("id")) is type(wanted.id), (raw[:500], answer)
    code = answer["error"]["code"] if "error" in answer else None
    # Neither an internal error nor a tool that failed for a reason of its own.
    assert code != -32603, (raw[:500], answer)
    assert b"under incident" not in line, (raw, answer)
    if wanted.code is not None:
        assert code == wanted.code, (raw[:500], answer)
    if "error" in answer:
        assert 0 < len(answer["error"]["message"]) < MAX_MESSAGE, (raw[:500], answer)


def _is_usable(given: object) -> bool:
    if isinstance(given, str):
        return len(given) <= MAX_ID and _is_storable(given)
    return isinstance(given, int) and not isinstance(given, bool)


def _int(digits: str) -> "int | _Unusable":
    return int(digits) if len(digits.lstrip("-")) <= MAX_DIGITS else _Unusable()


def _float(number: str) -> "Decimal | _Unusable":
    mantissa, _, exponent = number.lower().partition("e")
    digits = sum(each.isdigit() for each in mantissa)
    return _Unusable() if digits > MAX_DIGITS or abs(int(exponent[:9] or 0)) > MAX_EXPONENT else Decimal(number)


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _depth(document: Any) -> int:
    deepest, waiting = 0, [(document, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, dict | list):
            deepest = max(deepest, depth)
            waiting.extend((each, depth + 1) for each in (value.values() if isinstance(value, dict) else value))
    return deepest


def says_something_unreadable(document: Any) -> bool:
    """Say whether a text, key or number somewhere in a document is one that is not taken."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Unusable) or (isinstance(value, str) and not _is_storable(value)):
            return True
        if isinstance(value, dict):
            waiting.extend([*value, *value.values()])
        elif isinstance(value, list):
            waiting.extend(value)
    return False


def _is_storable(text: str) -> bool:
    return "\x00" not in text and not any("\ud800" <= each <= "\udfff" for each in text)
