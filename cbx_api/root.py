"""`GET /cb-api/v1/`: what this token may read and write, and where everything is."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from cbx_api.api_view import ApiView
from cbx_api.envelope import data_response
from cbx_api.operations import ROOT
from configbox.access.grants import Grant
from configbox.entities.registry import allowed, entities
from configbox.entities.view import current, view_tags
from configbox.properties.entity import OPERATIONS


class RootView(ApiView):
    """The beginning of the API."""

    operations = (ROOT,)

    def get(self, request: Request, prefix: str | None = None, **kwargs: Any) -> HttpResponse:
        """Return the entities that this grant opens, with the operations it may do on each."""
        query = self.query(request)
        at = {"prefix": prefix} if prefix else {}
        with self.viewed(query) as view:
            tags = view_tags()
            data = {
                "scopes": view.grant.describe().split(", "),
                "languages": tags,
                "entities": [
                    _entity(name, operations, at) for name, operations in offered_operations(view.grant).items()
                ],
                "links": {name: reverse(f"rest-{name}", kwargs=at) for name in ("openapi", "docs")}
                | {"mcp": reverse("mcp", kwargs=at)},
            }
            return data_response(data, {"language": current().language})


def offered_operations(grant: Grant) -> dict[str, list[str]]:
    """Return, for each entity that a grant opens, the operations it may do."""
    by_operation = {operation: allowed(grant, operation) for operation in OPERATIONS}
    found = {name: [each for each in OPERATIONS if name in by_operation[each]] for name in entities()}
    return {name: operations for name, operations in found.items() if operations}


def _entity(name: str, operations: list[str], at: dict[str, str]) -> dict[str, Any]:
    model = entities()[name]
    where = {"entity": name, **at}
    return {
        "entity": name,
        "label": str(model._meta.verbose_name),
        "area": model.options().area,
        "operations": operations,
        "links": {
            "records": reverse("rest-collection", kwargs=where),
            "schema": reverse("rest-schema", kwargs=where),
        },
    }
