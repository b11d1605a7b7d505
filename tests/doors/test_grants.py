"""Tool by entity by grant, against one table written by hand. A refused call looks nothing up and changes nothing."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access.grants import Grant, parse_scopes, read_only
from configbox.entities import listing, reading, writing
from configbox.entities.errors import Refused
from configbox.entities.registry import entities
from configbox.entities.view import View, view
from configbox.properties.json_values import read_json, write_json
from tests.entities.dumps import dump
from tests.entities.shop import Shop

pytestmark = pytest.mark.django_db

GRANTS: dict[str, Grant] = {
    "none": Grant.nothing(),
    "shell": Grant.everything(),
    "shell, read-only": read_only(Grant.everything()),
    "author, read-only": read_only(parse_scopes([], ["author"])),
    "storefront": parse_scopes(["storefront:read", "storefront:write"]),
    **{
        scope: parse_scopes([scope])
        for scope in [
            "catalog:read",
            "catalog:write",
            "store:write",
            "customers:read",
            "customers:write",
            "orders:read",
            "orders:write",
            "conversations:read",
            "conversations:write",
            "code:write",
            "system:read",
            "system:write",
        ]
    },
    **{preset: parse_scopes([], [preset]) for preset in ["author", "fulfilment", "insights", "operator", "everything"]},
}
# What each grant reads and writes, of the two areas that have entities so far. The floor reads the store.
TABLE = {
    "none": ("store", ""),
    "shell": ("catalog store", "catalog store"),
    "shell, read-only": ("catalog store", ""),
    "author, read-only": ("catalog store", ""),
    "storefront": ("", ""),
    "catalog:read": ("catalog store", ""),
    "catalog:write": ("catalog store", "catalog"),
    "store:write": ("store", "store"),
    "customers:read": ("store", ""),
    "customers:write": ("store", ""),
    "orders:read": ("store", ""),
    "orders:write": ("store", ""),
    "conversations:read": ("store", ""),
    "conversations:write": ("store", ""),
    "code:write": ("store", ""),
    "system:read": ("store", ""),
    "system:write": ("store", ""),
    "author": ("catalog store", "catalog"),
    "fulfilment": ("store", ""),
    "insights": ("catalog store", ""),
    "operator": ("store", "store"),
    "everything": ("catalog store", "catalog store"),
}
AREAS = {
    "catalog": "product page question answer product-list product-list-assignment calculation product-detail-pane "
    "example",
    "store": "settings store currency tax-class country",
}
SINGLETONS = {"settings", "store"}
# A call of each tool that does no harm where it is allowed: nothing has this id, nothing is sent.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "cbx_describe_entity": ("read", {}),
    "cbx_list_entities": ("read", {}),
    "cbx_get_entity": ("read", {"id": 1}),
    "cbx_create_entity": ("create", {"fields": {}}),
    "cbx_update_entity": ("update", {"id": 1, "fields": {}}),
    "cbx_delete_entity": ("delete", {"id": 999_999}),
}


def _expected(grant: str, entity: str, operation: str) -> bool:
    area = next(area for area, names in AREAS.items() if entity in names.split())
    reads, writes = TABLE[grant]
    if operation == "read":
        return area in reads.split()
    return area in writes.split() and not (entity in SINGLETONS and operation in ("create", "delete"))


def _call(session: Session, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], int]:
    message = write_json(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    )
    with CaptureQueriesContext(connection) as queries:
        answer = handle_message(message.encode(), session)
    assert answer is not None
    return answer["result"], len(queries)


def test_the_table_names_every_entity_and_grant() -> None:
    assert {name for names in AREAS.values() for name in names.split()} == set(entities())
    assert set(TABLE) == set(GRANTS)


@pytest.mark.parametrize("grant", TABLE)
def test_a_grant_opens_what_the_table_says(grant: str, author: View, shop: Shop) -> None:
    session = Session(GRANTS[grant], gather(TOOL_MODULES), instructions=lambda: "")
    shown = {tool.name: tool.schema_for(GRANTS[grant]) for tool in session.visible()}
    before = dump()
    for entity in entities():
        for tool, (operation, arguments) in CALLS.items():
            result, queries = _call(session, tool, {"entity": entity, **arguments})
            opened = _expected(grant, entity, operation)
            # What is refused is refused before anything is looked up.
            assert (queries > 0) == opened, f"{tool} {entity}: {result['content'][0]['text']}"
            if not opened:
                assert result["isError"] is True
            schema = shown.get(tool)
            assert (schema is not None and entity in schema["properties"]["entity"]["enum"]) == opened
    assert dump() == before


@pytest.mark.parametrize("grant", ["none", "catalog:read", "orders:write", "code:write", "storefront"])
def test_a_refusal_does_not_tell_what_exists(grant: str, author: View, shop: Shop) -> None:
    session = Session(GRANTS[grant], gather(TOOL_MODULES), instructions=lambda: "")
    for tool, more in (("cbx_update_entity", {"fields": {"sku": "X"}}), ("cbx_delete_entity", {})):
        there, _ = _call(session, tool, {"entity": "product", "id": shop.product, **more})
        absent, _ = _call(session, tool, {"entity": "product", "id": 999_999, **more})
        assert there == absent


@pytest.mark.parametrize("grant", TABLE)
def test_the_pipeline_asks_again(grant: str, author: View, shop: Shop) -> None:
    """A door that forgot to ask is stopped by the entity layer."""
    reads, writes = TABLE[grant]
    with view(actor="stdio", grant=GRANTS[grant], door="stdio"):
        for entity, area in (("product", "catalog"), ("currency", "store")):
            calls = [
                ("read", reads, lambda name=entity: reading.get(name, 1)),
                ("read", reads, lambda name=entity: reading.describe(name)),
                ("read", reads, lambda name=entity: listing.list_records(name)),
                ("write", writes, lambda name=entity: writing.update(name, 1, {})),
            ]
            for level, allowed, call in calls:
                if area in allowed.split():
                    call()
                else:
                    with pytest.raises(Refused) as caught:
                        call()
                    assert f"needs the scope {area}:{level}" in caught.value.message


def test_what_is_sent_back_is_json(author: View, shop: Shop) -> None:
    session = Session(GRANTS["shell"], gather(TOOL_MODULES), instructions=lambda: "")
    for entity in entities():
        result, _ = _call(session, "cbx_get_entity", {"entity": entity, "id": 1})
        assert read_json(result["content"][0]["text"]) == read_json(write_json(result["structuredContent"]))
