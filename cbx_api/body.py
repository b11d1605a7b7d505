"""The body of a request: which one is read at all, and what it says."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from cbx_api.errors import Refusal
from configbox.entities.errors import Invalid
from configbox.properties.issues import Issue
from configbox.properties.json_values import JsonRefused, is_json, read_json, shown_path


def read_body(request: HttpRequest) -> bytes:
    """Return the bytes of a body. Raises Refusal for another form (415), for pieces (411) and for its size (413)."""
    if not is_json(request.headers.get("Content-Type", "")):
        raise Refusal(415, "The body is sent as Content-Type: application/json, in UTF-8.")
    if request.headers.get("Transfer-Encoding"):
        raise Refusal(411, "Send the body whole, with its Content-Length.")
    try:
        return request.body
    except RequestDataTooBig:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raise Refusal(413, f"The body may have at most {limit} bytes.") from None
    except UnreadablePostError:
        raise Refusal(400, "The body did not arrive whole.") from None


def document_of(body: bytes) -> object:
    """Return what a body says. Raises Invalid, naming the value that cannot be taken."""
    try:
        return read_json(body)
    except JsonRefused as refused:
        field = shown_path(refused.path) or "body"
        raise Invalid("request", [Issue(field, "json", refused.message)]) from None
