"""`GET /cb-api/v1/openapi.json`: the document of what the asking token may do."""

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from cbx_api.api_view import ApiView
from cbx_api.envelope import json_response
from cbx_api.openapi import openapi_document
from cbx_api.operations import OPENAPI
from configbox.entities.view import view_tags


class OpenApiView(ApiView):
    """The document, bare."""

    operations = (OPENAPI,)

    def get(self, request: Request, prefix: str | None = None, **kwargs: object) -> HttpResponse:
        """Return the document."""
        query = self.query(request)
        server = reverse("rest-root", kwargs={"prefix": prefix} if prefix else {}).rstrip("/")
        with self.viewed(query) as view:
            return json_response(openapi_document(view.grant, view_tags(), server))
