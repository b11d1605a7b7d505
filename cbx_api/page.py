"""The page that shows the OpenAPI document: local files alone, the token in the page's memory alone."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from cbx_api.envelope import error_response
from configbox.languages.paths import language_of

# Swagger UI sets styles on elements and has its icons as data.
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


@csrf_exempt
@require_safe
def docs(request: HttpRequest, prefix: str | None = None) -> HttpResponseBase:
    """Return the page. It needs no token: whoever reads it gives theirs, and sees what that one may do."""
    if prefix and language_of(prefix) is None:
        return error_response(
            404, "An address may begin with an active language of the store, and this one begins otherwise."
        )
    address = reverse("rest-openapi", kwargs={"prefix": prefix} if prefix else {})
    response: HttpResponse = render(request, "cbx_api/docs.html", {"openapi": address})
    response["Content-Security-Policy"] = POLICY
    response["Referrer-Policy"] = "no-referrer"
    return response
