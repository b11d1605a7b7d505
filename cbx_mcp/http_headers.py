"""What an HTTP request to the MCP address says beside its body: who may ask, in which form, in which revision."""

import base64
import binascii
from collections.abc import Mapping
from typing import Final

from cbx_mcp.protocol.eras import LEGACY_VERSIONS, MODERN_VERSIONS, check_meta, is_modern
from cbx_mcp.protocol.errors import HEADER_MISMATCH, INVALID_REQUEST, ProtocolError
from cbx_mcp.protocol.messages import Request
from configbox.properties.json_values import JSON

EVENTS: Final = "text/event-stream"
VERSION: Final = "MCP-Protocol-Version"
METHOD: Final = "Mcp-Method"
NAME: Final = "Mcp-Name"

# Which parameter the header Mcp-Name repeats.
NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
ENCODED: Final = ("=?base64?", "?=")


def is_own_origin(origin: str | None, host: str, trusted: list[str]) -> bool:
    """Say whether a page of this host, or of a trusted origin, may ask; who sends no Origin is no page."""
    # Compared as a whole: taking apart what is no origin at all would fail.
    return origin is None or origin in trusted or (bool(host) and origin in (f"http://{host}", f"https://{host}"))


def accepted(header: str | None) -> tuple[bool, bool]:
    """Return whether JSON and whether a stream of events is accepted by an Accept header."""
    if header is None or not header.strip():
        return True, True
    kinds = {kind for part in header.split(",") if (kind := _wanted(part))}
    return (
        bool(kinds & {JSON, "application/*", "*/*"}),
        bool(kinds & {EVENTS, "text/*", "*/*"}),
    )


def _wanted(part: str) -> str | None:
    """Return the media type of one part of an Accept header, None where it is refused with q=0."""
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    refused = any(each.replace(" ", "").rstrip("0") in ("q=", "q=0.") for each in parameters if each.startswith("q"))
    return None if refused else kind


def check_headers(request: Request, headers: Mapping[str, str]) -> bool:
    """Compare the headers of a request with its body; return whether it is of the modern era.

    Raises ProtocolError for what a modern request lacks or says twice in different ways, and for a version that no
    legacy request can have. An `initialize` is not judged by its header: it is about to agree on a version.
    """
    version = (headers.get(VERSION) or "").strip()
    if not is_modern(request) and (version not in MODERN_VERSIONS or request.method == "initialize"):
        if version and version not in LEGACY_VERSIONS and request.method != "initialize":
            raise ProtocolError(
                INVALID_REQUEST,
                f"{VERSION} {ascii(version)[1:-1][:40]} is not served; served are "
                f"{', '.join((*LEGACY_VERSIONS, *MODERN_VERSIONS))}.",
            )
        return False
    _compare(VERSION, headers, check_meta(request))
    _compare(METHOD, headers, request.method)
    parameter = NAMED_BY.get(request.method)
    value = request.params.get(parameter) if parameter else None
    if isinstance(value, str):
        _compare(NAME, headers, value)
    return True


def _compare(name: str, headers: Mapping[str, str], expected: str) -> None:
    given = headers.get(name)
    if given is None:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} is missing; it must repeat what the body says.")
    if _decoded(given.strip(" \t")) != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} says something else than the body.")


def _decoded(value: str) -> str | None:
    """Return a header's text; what is not plain ASCII comes as =?base64?...?= in UTF-8. None for a broken one."""
    begin, end = ENCODED
    if not (value.startswith(begin) and value.endswith(end) and len(value) >= len(begin) + len(end)):
        return value
    try:
        return base64.b64decode(value[len(begin) : -len(end)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
