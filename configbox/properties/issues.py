"""What is wrong with a value, in the words every door shows."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Issue:
    """One fault: the API key it stands at, a stable code, and a sentence for the person or model who must mend it."""

    field: str
    code: str
    message: str


class Refused(ValueError):
    """A property refuses a value. `code` is stable, `message` is the sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def shown(value: object, limit: int = 60) -> str:
    """Return a refused value for a sentence: quoted if it is text, cut if it is long."""
    text = (
        f'"{value}"'
        if isinstance(value, str)
        else {True: "true", False: "false", None: "null"}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )
    text = text.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\u0000")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def closest(name: object, valid: Iterable[str]) -> str:
    """Return ` Did you mean "…"?` for a misspelt name, or nothing where no valid one is near."""
    found = difflib.get_close_matches(str(name), list(valid), n=1)
    return f' Did you mean "{found[0]}"?' if found else ""


def no_such(what: str, name: object, valid: Iterable[str]) -> str:
    """Return the sentence about a name that does not exist, with the closest and all that do."""
    names = list(dict.fromkeys(valid))
    return f"There is no {what} {shown(name)}.{closest(name, names)} Valid are {', '.join(names)}."
