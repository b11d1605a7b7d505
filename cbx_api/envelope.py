"""The form of every answer: `{"data": …, "meta": {…}}`, or `{"error": {…}}`."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpResponse

from cbx_api.statuses import ERROR_STATUSES
from configbox.properties.issues import Issue
from configbox.properties.json_values import JSON, write_json

Headers = Mapping[str, str]


def json_response(document: object, status: int = 200, headers: Headers | None = None) -> HttpResponse:
    """Return a response that is one line of JSON, with exact numbers, and is kept by nobody on its way."""
    response = HttpResponse(write_json(document), content_type=JSON, status=status)
    response["Cache-Control"] = "no-store"
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def data_response(
    data: object, meta: Mapping[str, Any], *, status: int = 200, headers: Headers | None = None
) -> HttpResponse:
    """Return what was asked for, and what is to be known about it."""
    return json_response({"data": data, "meta": meta}, status, headers)


def error_response(
    status: int,
    message: str,
    *,
    issues: Iterable[Issue] = (),
    present: Mapping[str, Any] | None = None,
    headers: Headers | None = None,
) -> HttpResponse:
    """Return an error: the status's code, a sentence, its issues, and for a 412 the record's present values."""
    error: dict[str, Any] = {
        "code": ERROR_STATUSES[status].code,
        "message": message,
        "issues": [shown_issue(issue) for issue in issues],
    }
    if present is not None:
        error["present"] = present
    return json_response({"error": error}, status, headers)


# Of the pipeline's many codes this API tells those apart that a program acts on; the others are a wrong value.
ISSUE_CODES = {
    "required": "empty_field",
    "unknown": "unknown_field",
    "choice": "invalid_choice",
    "reference": "invalid_reference",
    "unique": "duplicate",
    "duplicate": "duplicate",
    "locked": "locked",
    "readonly": "locked",
    "not_deletable": "not_deletable",
}
OTHER_CODE = "invalid_value"


def shown_issue(issue: Issue) -> dict[str, str]:
    """Return one issue as answers show it, warnings included."""
    return {"field": issue.field, "code": ISSUE_CODES.get(issue.code, OTHER_CODE), "message": issue.message}
