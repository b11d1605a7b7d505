"""Resources of the conformance suite."""

import json

from cbx_mcp.resources import Resource, ResourceTemplate
from configbox.access.scopes import ANY_READ
from tests.mcp_conformance.media import PNG


def _template(call):
    return json.dumps(
        {"id": call.arguments["id"], "templateTest": True, "data": f"Data for ID: {call.arguments['id']}"}
    )


RESOURCES = (
    Resource(
        "test://static-text",
        "static-text",
        "Static text",
        "A text that stays the same.",
        "text/plain",
        ANY_READ,
        lambda call: "This is the content of the static text resource.",
    ),
    Resource(
        "test://static-binary",
        "static-binary",
        "Static picture",
        "A picture that stays the same.",
        "image/png",
        ANY_READ,
        lambda call: PNG,
    ),
    Resource(
        "test://watched-resource",
        "watched-resource",
        "Watched resource",
        "A text that may be subscribed to.",
        "text/plain",
        ANY_READ,
        lambda call: "This resource can be watched.",
    ),
)
TEMPLATES = (
    ResourceTemplate(
        "test://template/{id}/data",
        "template",
        "Resource template",
        "Data by id.",
        "application/json",
        ANY_READ,
        _template,
        complete={"id": lambda typing: [each for each in ("1", "12", "123") if each.startswith(typing.value)]},
    ),
)
