"""The table of grants over the MCP address, each as a token; what is refused is refused before any look-up."""

import logging

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from configbox.access.grants import Grant
from configbox.entities.registry import entities
from configbox.entities.view import View
from tests.doors.test_grants import CALLS, GRANTS, TABLE, _expected
from tests.entities.dumps import dump
from tests.entities.shop import Shop
from tests.mcp.http_door import HttpDoor, document

pytestmark = pytest.mark.django_db

BACK_OFFICE = [name for name in TABLE if not GRANTS[name].storefront]
SECRET_TEXT = "what nobody but the shop may read"


def warm(grant: Grant) -> HttpDoor:
    """Return a caller whose token's use is noted and for whom the database was found ready."""
    door = HttpDoor(grant)
    door.call("cbx_list_entities", {"entity": "currency"})
    return door


@pytest.mark.parametrize("grant", BACK_OFFICE)
def test_a_token_opens_what_the_table_says(grant: str, author: View, shop: Shop) -> None:
    door = warm(GRANTS[grant])
    schemas = {tool["name"]: tool["inputSchema"] for tool in door.ask("tools/list")["tools"]}
    before = rows()
    for entity in entities():
        for tool, (operation, arguments) in CALLS.items():
            with CaptureQueriesContext(connection) as queries:
                result = door.call(tool, {"entity": entity, **arguments})
            opened = _expected(grant, entity, operation)
            # One query is the token's.
            assert (len(queries) > 1) == opened, f"{tool} {entity}: {result['content'][0]['text']}"
            if not opened:
                assert result["isError"] is True
            schema = schemas.get(tool)
            assert (schema is not None and entity in schema["properties"]["entity"]["enum"]) == opened
    assert rows() == before


def rows() -> dict[str, object]:
    """Return every row but those of tokens."""
    return {table: held for table, held in dump().items() if table != "configbox_tokens"}


@pytest.mark.parametrize("grant", [name for name in TABLE if GRANTS[name].storefront])
def test_a_shoppers_token_opens_nothing(grant: str, author: View, shop: Shop) -> None:
    door = HttpDoor(GRANTS[grant], customer=7)
    for tool, (_, arguments) in CALLS.items():
        response = door.post("tools/call", {"name": tool, "arguments": {"entity": "product", **arguments}})
        assert response.status_code == 403
        assert document(response)["error"]["code"] == -32600


@pytest.mark.parametrize("grant", ["none", "catalog:read", "orders:read", "code:write"])
def test_a_refusal_does_not_tell_what_exists(grant: str, author: View, shop: Shop) -> None:
    door = warm(GRANTS[grant])
    for tool, more in (("cbx_update_entity", {"fields": {"sku": "X"}}), ("cbx_delete_entity", {})):
        answers = {
            door.post("tools/call", {"name": tool, "arguments": {"entity": "product", "id": number, **more}}).content
            for number in (shop.product, 999_999)
        }
        assert len(answers) == 1


def test_a_reading_token_that_calls_what_it_is_not_shown_changes_nothing(
    author: View, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    """Case G28: refused at the work, not only at the menu; one audit line each, without what was sent."""
    door = warm(GRANTS["orders:read"])
    calls = {
        "cbx_update_entity": {"entity": "product", "id": shop.product, "fields": {"sku": SECRET_TEXT}},
        "cbx_create_entity": {"entity": "currency", "fields": {"code": SECRET_TEXT}},
        "cbx_delete_entity": {"entity": "product", "id": shop.other_product},
        "cbx_describe_entity": {"entity": "product", "language": SECRET_TEXT},
    }
    before = rows()
    caplog.clear()
    with caplog.at_level(logging.INFO, "configbox.authorization"):
        for tool, arguments in calls.items():
            result = door.call(tool, arguments)
            assert result["isError"] is True
            assert SECRET_TEXT not in str(result)
    assert rows() == before
    lines = [record.getMessage() for record in caplog.records if record.name == "configbox.authorization"]
    outcomes = [line.rpartition(" ms=")[0] for line in lines]
    caller = f'caller=token #{door.token.pk} "door" scopes=orders:read,store:read'
    refused = [*(f"tool={tool} {caller} outcome=refused" for tool in list(calls)[:3])]
    # The describing tool is open to this token; its argument is refused, for it names no kind that the token reads.
    assert outcomes == [*refused, f"tool=cbx_describe_entity {caller} outcome=error"]
