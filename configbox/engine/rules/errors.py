"""The one error of the rule codec, and how a refused value is shown in its sentence."""

from decimal import Decimal

_SHOWN_CHARACTERS = 60


class RuleError(ValueError):
    """A rule that cannot be written or read.

    `message` is a sentence for the author: where, what was got, what is valid. `place` is the path to the fault in
    the authored form, such as `rules.all[1].operator`.
    """

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


def shown(value: object) -> str:
    """Return a refused value as it may stand in a sentence: text quoted, containers named, never long."""
    if isinstance(value, str):
        text = '"' + value[:_SHOWN_CHARACTERS].encode("utf-8", "backslashreplace").decode().replace("\0", "\\u0000")
        return text + ('"' if len(value) <= _SHOWN_CHARACTERS else '…"')
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**_SHOWN_CHARACTERS else "a number of too many digits"
    if isinstance(value, Decimal):
        text = str(value)
        return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"
    if isinstance(value, dict):
        return "an empty object" if not value else "an object"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    return f"a {type(value).__name__}"
