"""Turns what a tool answers into the result of `tools/call`: text, structured content, or an error text."""

from typing import Any, Final

from cbx_mcp.content import Text
from cbx_mcp.tools.tool import Result
from configbox.properties.json_values import write_json

# Clients cut or refuse longer answers; tools keep theirs shorter, this is the last guard.
MAX_TEXT: Final = 40_000
ROOM_FOR_NOTE: Final = 200


def tool_result(name: str, result: Result) -> dict[str, Any]:
    """Return the result a tool gave as the protocol shows it.

    Raises ValueError or TypeError for content that has no JSON form. An error has text alone: clients check
    structured content even of errors.
    """
    text = result.text
    if text is None and (result.content is not None or not result.blocks):
        text = write_json(result.content or {})
    if result.is_error:
        return error_result(text or "")
    if len(text or "") > MAX_TEXT:
        return error_result(
            f"The answer of {name} would have {len(text or '')} characters; at most {MAX_TEXT} are sent. "
            "Ask for less: fewer rows, fewer fields, or one record at a time."
        )
    blocks = [*([] if text is None else [Text(text)]), *result.blocks]
    shown: dict[str, Any] = {"content": [block.shown() for block in blocks]}
    if result.content is not None:
        write_json(result.content)
        shown["structuredContent"] = dict(result.content)
    return {**shown, "isError": False}


def error_result(text: str) -> dict[str, Any]:
    """Return the result of a call that failed in words its caller can read; of too long a text, its first part."""
    return {"content": [Text(_first_part(text)).shown()], "isError": True}


def _first_part(text: str) -> str:
    """Return a text that is too long up to the end of a sentence, and how much of it was left out."""
    if len(text) <= MAX_TEXT:
        return text
    room = MAX_TEXT - ROOM_FOR_NOTE
    # A sentence longer than half of it all is cut itself: its beginning says more than nothing.
    ends = [text.rfind(mark, room // 2, room) + 1 for mark in (". ", ".\n")]
    part = text[: max(ends)] if max(ends) else text[:room] + " ..."
    left_out = len(text) - (max(ends) or room)
    return (
        f"{part}\n{left_out} more characters of this message were left out; mend what it names and send less at once."
    )
