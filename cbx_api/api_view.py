"""The base of every address of the API: the ladder of refusals that comes before any work, always as JSON.

Method, token, form of the body, address: in this order. What an entity needs (scope, operation) follows in its views.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from cbx_api.body import read_body
from cbx_api.envelope import error_response
from cbx_api.errors import Refusal, answer_to
from cbx_api.operations import ApiOperation, methods_of
from cbx_api.query import Query, read_query
from configbox.access.audit import write_decision
from configbox.access.bearer import bearer_of, challenge
from configbox.access.tokens import Bearer, TokenRefused
from configbox.entities.registry import entities
from configbox.entities.view import View, view
from configbox.languages.paths import language_of
from configbox.operations.deadline import DeadlineReached, deadline, seconds_to_answer, took_too_long
from configbox.properties.entity import EntityOptions

DOOR: Final = "rest"
DECISIONS: Final = (401, 403)
CHOICES: Final = {"dry_run": ("true", "false"), "for": ("create", "update", "record", "listing")}


class ApiView(APIView):
    """One address. `operations` are what it takes; a subclass has one method for each."""

    operations: tuple[ApiOperation, ...] = ()
    # Each of these would be asked before the method is: the ladder is walked in `initial` instead.
    authentication_classes = ()
    permission_classes = ()
    parser_classes = ()
    # Known once the token was read.
    bearer: Bearer
    language: str | None = None

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return none: Allow belongs to a 405."""
        return {}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer one request, in time."""
        seconds = seconds_to_answer()
        try:
            with deadline(seconds):
                return super().dispatch(request, *args, **kwargs)
        except DeadlineReached:
            return error_response(503, took_too_long("This request", seconds))

    def initial(self, request: Request, *args: Any, prefix: str | None = None, **kwargs: Any) -> None:
        """Walk down the ladder of refusals. Raises Refusal."""
        taken = methods_of(self.operations, self.entity_options())
        if request.method not in methods_of(self.operations):
            allowed = ", ".join(taken)
            raise Refusal(405, f"This address takes {allowed}.", {"Allow": allowed})
        self.bearer = self.authenticated(request)
        has_body = any(each.has_body for each in self.operations if each.method == request.method)
        # What the entity does not take is refused as such, whatever its body is.
        self.body = read_body(request._request) if has_body and request.method in taken else b""
        self.language = _language(prefix)

    def entity_options(self) -> EntityOptions | None:
        """Return what the entity of the address declares, None for one that does not exist and where none is named."""
        model = entities().get(self.kwargs.get("entity", ""))
        return model.options() if model else None

    def authenticated(self, request: Request) -> Bearer:
        """Return who asks. Raises Refusal for a token that is missing, not valid, or a shopper's."""
        try:
            bearer = bearer_of(request.META)
        except TokenRefused as refused:
            raise Refusal(401, refused.message, {"WWW-Authenticate": challenge(request.META)}) from None
        if bearer.grant.storefront:
            # Known from here on, for the line about the decision.
            self.bearer = bearer
            raise Refusal(403, "This token acts for a customer of the shop and opens nothing of the back office.")
        return bearer

    @contextmanager
    def viewed(self, query: Query | None = None) -> Iterator[View]:
        """Open the pipeline's view for whoever asks, in the language of the query or else of the address."""
        query = query or Query()
        asked = query.get("language")
        with view(
            actor=self.bearer.label,
            grant=self.bearer.grant,
            door=DOOR,
            language=self.language if asked is None else asked,
            dry_run=query.dry_run,
        ) as opened:
            yield opened

    def query(self, request: Request) -> Query:
        """Return the query of a request. Raises Invalid for what this method does not take here."""
        method = "GET" if request.method == "HEAD" else request.method
        operation = next(each for each in self.operations if each.method == method)
        return read_query(request._request, operation.parameters, CHOICES)

    # No renderer takes part: the framework's own Response is for answers that have several forms.
    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Return the answer to a refusal or an error; what nobody foresaw is left to the handler of such."""
        response = answer_to(exc)
        if response is None:
            raise exc
        if response.status_code in DECISIONS:
            bearer: Bearer | None = getattr(self, "bearer", None)
            caller, grant = (bearer.label, bearer.grant) if bearer else ("anonymous", None)
            write_decision("route", f"{self.request.method} {self.route()}", caller, grant, "refused")
        return response

    def route(self) -> str:
        """Return the address as the log names it: without ids, and without what only looks like an entity."""
        path = self.operations[0].path if self.operations else "/{unknown}"
        if options := self.entity_options():
            path = path.replace("{entity}", options.name)
        return f"/cb-api/v1{path}"

    def finalize_response(  # type: ignore[override]
        self, request: Request, response: HttpResponse, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Take the content from the answer to a HEAD; its length stays."""
        if request.method == "HEAD":
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response


def _language(prefix: str | None) -> str | None:
    language = language_of(prefix) if prefix else None
    if prefix and language is None:
        raise Refusal(404, "An address may begin with an active language of the store, and this one begins otherwise.")
    return language


class NoSuchAddress(ApiView):
    """Whatever is under the API's root and is no address of it."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse, but tell nobody without a token which addresses there are."""
        self.bearer = self.authenticated(request)
        raise Refusal(404, "There is no such address; GET /cb-api/v1/ names those that there are.")
