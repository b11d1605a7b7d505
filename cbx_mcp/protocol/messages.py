"""Reads the envelope of one JSON-RPC message: a request, a notification, or why it is neither."""

from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from cbx_mcp.protocol.errors import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, ProtocolError, RequestId
from configbox.properties.json_values import JsonRefused, check_text, read_json

MAX_ID: Final = 1000


@dataclass(frozen=True)
class Request:
    """A request whose envelope is sound. `unreadable` is set where a value in a tool's arguments cannot be taken."""

    id: RequestId
    method: str
    params: dict[str, Any]
    unreadable: JsonRefused | None = None

    @property
    def meta(self) -> dict[str, Any]:
        """Return the request's `_meta`, empty where it is absent or no object."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


@dataclass(frozen=True)
class Notification:
    """A message that is never answered, whatever is wrong with it."""

    method: str
    params: dict[str, Any]


def read_message(data: bytes) -> Request | Notification | None:
    """Return what a message says, None for a client's response to a request we never send.

    Raises ProtocolError, ready to be answered, for what is no message.
    """
    unreadable = None
    try:
        document = read_json(data)
    except JsonRefused as refused:
        if refused.kind == "syntax":
            raise ProtocolError(PARSE_ERROR, refused.message) from None
        unreadable, document = refused, refused.document
    if isinstance(document, list):
        raise ProtocolError(INVALID_REQUEST, "Batches are not served: send each message on its own.")
    if not isinstance(document, dict):
        raise ProtocolError(INVALID_REQUEST, "A message must be a JSON object.")
    return _classify(document, unreadable)


def _classify(document: dict[str, Any], unreadable: JsonRefused | None) -> Request | Notification | None:
    if "method" not in document and ("result" in document or "error" in document):
        return None
    given = document.get("id")
    request_id = given if is_id(given) else None
    if "id" in document and request_id is None:
        raise ProtocolError(
            INVALID_REQUEST, "The id of a request must be a string or a whole number, of at most 1000 characters."
        )
    if document.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'A message must say "jsonrpc": "2.0".', request_id)
    method = document.get("method")
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "A request must name its method.", request_id)
    params = document.get("params")
    if request_id is None:
        return Notification(method, params if isinstance(params, dict) and not unreadable else {})
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object.", request_id)
    if unreadable and not (method == "tools/call" and unreadable.path[:2] == ("params", "arguments")):
        raise ProtocolError(INVALID_PARAMS, unreadable.message, request_id)
    return Request(request_id, method, params, unreadable)


def is_id(given: object) -> TypeGuard[RequestId]:
    """Say whether a value can name a request or its progress: a text or a whole number, as it was sent.

    Answers and notifications repeat it, and they must fit into a frame.
    """
    if isinstance(given, str):
        # Asked here, since the reader of JSON tells only the first fault of a message, which may be another.
        return len(given) <= MAX_ID and check_text(given) is None
    return isinstance(given, int) and not isinstance(given, bool)
