"""Every status of an answer that is an error: its code in the envelope, and when it is given."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class ErrorStatus:
    """What programs read (`code`), and what a reader of the documents is told."""

    code: str
    when: str


ERROR_STATUSES: Final = {
    400: ErrorStatus("bad_request", "The body is no JSON, or a parameter, a header or the id cannot be taken."),
    401: ErrorStatus("unauthorized", "No token was sent, or one that opens nothing."),
    403: ErrorStatus("forbidden", "The token lacks the scope that is named. Nothing was looked up."),
    404: ErrorStatus("not_found", "There is no such record, entity or address."),
    405: ErrorStatus("method_not_allowed", "The address or the entity does not take this method; Allow names others."),
    409: ErrorStatus("conflict", "The record must stay: `issues` name what refers to it."),
    411: ErrorStatus("length_required", "The body came in pieces, without Content-Length."),
    412: ErrorStatus("precondition_failed", "The record changed since it was read; `present` is what it holds now."),
    413: ErrorStatus("content_too_large", "The body is too large."),
    415: ErrorStatus("unsupported_media_type", "The body is not sent as application/json in UTF-8."),
    422: ErrorStatus("invalid", "Fields cannot be taken: `issues` name every one. Nothing was stored."),
    500: ErrorStatus("internal_error", "The store failed. The message gives an identifier for the operator."),
    503: ErrorStatus("unavailable", "The database does not answer or lacks migrations, or the request took too long."),
}
