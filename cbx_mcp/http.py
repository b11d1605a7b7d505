"""The HTTP transport: `POST /cb-api/v1/mcp`, one message in, its answer out. Bearer tokens only, no state, no session.

What is refused is refused in a fixed order (method, origin, token, form, size, message, revision, headers), and always
as JSON.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError
from django.http import HttpResponse, StreamingHttpResponse
from django.http.request import UnreadablePostError
from django.http.response import HttpResponseBase
from rest_framework.request import Request as RestRequest
from rest_framework.views import APIView

from cbx_mcp import prose
from cbx_mcp.event_stream import WatchedCall, event
from cbx_mcp.http_headers import EVENTS, accepted, check_headers, is_own_origin
from cbx_mcp.protocol.dispatch import Work, answer_for, answer_request, work_of
from cbx_mcp.protocol.errors import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
    ProtocolError,
)
from cbx_mcp.protocol.messages import Request, read_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import tools
from configbox.access.audit import write_decision
from configbox.access.bearer import bearer_of, challenge
from configbox.access.tokens import Bearer, TokenRefused
from configbox.languages.paths import language_of
from configbox.operations.database_state import hindrance, hindrance_until_ready
from configbox.operations.deadline import DeadlineReached, deadline, seconds_to_answer, took_too_long
from configbox.properties.json_values import JSON, is_json, write_json

logger = logging.getLogger("configbox.mcp")

# The statuses of errors in the modern era; everything else, and every answer of the legacy era, is a 200.
STATUS_OF: Final = {
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    INVALID_REQUEST: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
}
ROUTE: Final = "POST /cb-api/v1/mcp"


class Refusal(Exception):
    """A request that is not answered as a message: its HTTP status, what is wrong, and headers that say more."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


class McpView(APIView):
    """The address of the MCP server. `prefix` is the language that the address begins with, if it does."""

    http_method_names = ["post"]
    # All of these would be asked before the method is: the ladder is walked in `initial` instead.
    authentication_classes = ()
    permission_classes = ()
    parser_classes = ()

    def initial(self, request: RestRequest, *args: Any, prefix: str | None = None, **kwargs: Any) -> None:
        """Walk down the ladder of refusals up to the body. Raises Refusal."""
        if request.method != "POST":
            raise Refusal(405, "This address takes POST: one JSON-RPC message per request.", {"Allow": "POST"})
        if not is_own_origin(request.headers.get("Origin"), request.get_host(), settings.CSRF_TRUSTED_ORIGINS):
            raise Refusal(403, "Pages of this origin may not ask here; the setting TRUSTED_ORIGINS lists others.")
        self.bearer = self.authenticated(request)
        self.takes_json, self.takes_events = _accepted_forms(request)
        self.body = _body(request)
        self.language = _language(prefix)

    def authenticated(self, request: RestRequest) -> Bearer:
        """Return who asks. Raises Refusal for a token that is missing, not valid, or a shopper's."""
        try:
            bearer = bearer_of(request.META)
        except TokenRefused as refused:
            write_decision("route", ROUTE, "anonymous", None, "refused")
            raise Refusal(401, refused.message, {"WWW-Authenticate": challenge(request.META)}) from None
        if bearer.grant.storefront:
            write_decision("route", ROUTE, bearer.label, bearer.grant, "refused")
            raise Refusal(403, "This token acts for a customer of the shop and opens nothing of the back office.")
        return bearer

    def post(self, request: RestRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer one message."""
        try:
            message = read_message(self.body)
        except ProtocolError as error:
            return _json(error.answer(), 400)
        if not isinstance(message, Request):
            response = HttpResponse(status=202)
            del response["Content-Type"]
            return response
        try:
            modern = check_headers(message, request.headers)
        except ProtocolError as error:
            return _json(error.answer(message.id), 400)
        session = Session(
            grant=self.bearer.grant,
            tools=tools(),
            instructions=lambda: prose.instructions(self.bearer.grant, hindrance_until_ready()),
            actor=self.bearer.label,
            door="http",
            language=self.language,
            hindrance=hindrance_until_ready,
        )
        work = work_of(message, session)
        notes: list[dict[str, Any]] = []
        if work and self.takes_events and "progressToken" in message.meta:
            call = _watched(message, session, work)
            first = call.first()
            if first is None:
                # The response closes the call, also where its first event was never asked for.
                return _stream(call)
            call.close()
            answer = first
        else:
            answer = _answer(message, replace(session, emit=notes.append), work)
        status = _status(answer, modern)
        # A stream begins with 200: an error that has a status of its own is JSON, whatever is accepted.
        if status != 200 or (self.takes_json and not (notes and self.takes_events)):
            return _json(answer, status)
        return _stream(event(write_json(each).encode()) for each in (*notes, answer))

    # No renderer takes part: the framework's own Response is for answers that have several forms.
    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Return a refusal as an error of JSON-RPC without id; anything else is the server's fault."""
        if isinstance(exc, DatabaseError):
            # Nobody can be let in, nor any message be read, before the database has said who asks.
            logger.error("The database failed before a message was read", exc_info=exc)
            exc = Refusal(503, hindrance() or "The database of this store failed to answer. Try again in a moment.")
        if not isinstance(exc, Refusal):
            raise exc
        response = _json(ProtocolError(INVALID_REQUEST, exc.message).answer(), exc.status)
        for name, value in exc.headers.items():
            response[name] = value
        return response


def _accepted_forms(request: RestRequest) -> tuple[bool, bool]:
    """Return whether the client takes JSON and whether it takes events. Raises Refusal for another form."""
    if not is_json(request.headers.get("Content-Type", "")):
        raise Refusal(415, "A message is sent as Content-Type: application/json, in UTF-8.")
    takes_json, takes_events = accepted(request.headers.get("Accept"))
    if not takes_json and not takes_events:
        raise Refusal(406, f"Answers are {JSON} or {EVENTS}; the header Accept takes neither.")
    return takes_json, takes_events


def _language(prefix: str | None) -> str | None:
    language = language_of(prefix) if prefix else None
    if prefix and language is None:
        raise Refusal(404, "An address may begin with an active language of the store, and this one begins otherwise.")
    return language


def _body(request: RestRequest) -> bytes:
    if request.headers.get("Transfer-Encoding"):
        raise Refusal(411, "Send the message whole, with its Content-Length.")
    try:
        return request._request.body
    except RequestDataTooBig:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raise Refusal(413, f"A message may have at most {limit} bytes.") from None
    except UnreadablePostError:
        raise Refusal(400, "The message did not arrive whole.") from None


def _limit(work: Work | None) -> float:
    """Return after how many seconds a call is ended: its tool's own limit, if that is sooner."""
    most = seconds_to_answer()
    return most if work is None or work.deadline is None else min(work.deadline, most)


def _answer(request: Request, session: Session, work: Work | None) -> dict[str, Any]:
    """Answer in this process, which is the fastest."""
    limit = _limit(work)
    try:
        with deadline(limit):
            return answer_request(request, session)
    except DeadlineReached:
        return answer_for(request, took_too_long(work.name if work else request.method, limit))


def _watched(request: Request, session: Session, work: Work) -> WatchedCall:
    """Begin to answer in a process of its own, whose progress can be heard."""
    return WatchedCall(
        request, session, work, lambda emit: answer_request(request, replace(session, emit=emit)), _limit(work)
    )


def _status(answer: dict[str, Any], modern: bool) -> int:
    """Return the HTTP status of an answer. Only in the modern era errors have one of their own."""
    error = answer.get("error")
    return STATUS_OF.get(error["code"], 200) if error and modern else 200


def _json(answer: dict[str, Any], status: int) -> HttpResponse:
    response = HttpResponse(write_json(answer), content_type=JSON, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _stream(events: Iterable[bytes]) -> StreamingHttpResponse:
    response = StreamingHttpResponse(events, content_type=EVENTS)
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"
    return response
