"""The table of grants over REST, each as a token; what is refused is refused before any look-up."""

import logging
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from configbox.entities.registry import entities
from configbox.entities.view import View
from tests.api.rest_door import RestDoor, error
from tests.doors.test_grants import GRANTS, SINGLETONS, TABLE, _expected
from tests.doors.test_grants_http import BACK_OFFICE, SECRET_TEXT, rows
from tests.entities.shop import Shop

pytestmark = pytest.mark.django_db

# A request of each operation that does no harm where it is allowed, and how it is answered there.
REQUESTS: list[tuple[str, str, str, dict[str, Any] | None, set[int]]] = [
    ("read", "GET", "{}", None, {200}),
    ("read", "GET", "{}/1", None, {200}),
    ("read", "GET", "{}/schema", None, {200}),
    ("create", "POST", "{}", {"no_such_field": 1}, {422}),
    ("update", "PATCH", "{}/1", {}, {200}),
    ("delete", "DELETE", "{}/999999", None, {404}),
]


def warm(grant: str) -> RestDoor:
    """Return a caller whose token's use is noted."""
    door = RestDoor(GRANTS[grant])
    door.get("")
    return door


@pytest.mark.parametrize("grant", BACK_OFFICE)
def test_a_token_opens_what_the_table_says(grant: str, author: View, shop: Shop) -> None:
    door = warm(grant)
    shown = {each["entity"]: each["operations"] for each in door.get("")["data"]["entities"]}
    described = door.get("openapi.json")["paths"]
    before = rows()
    for entity in entities():
        for operation, method, path, body, statuses in REQUESTS:
            with CaptureQueriesContext(connection) as queries:
                response = door.send(method, path.format(entity), body)
            opened = _expected(grant, entity, operation)
            # One query is the token's.
            assert (len(queries) > 1) == opened, f"{method} {path.format(entity)}: {response.content!r}"
            if opened:
                assert response.status_code in statuses
            else:
                writes = TABLE[grant][1]
                is_singleton = entity in SINGLETONS and "store" in writes.split() and operation in ("create", "delete")
                assert response.status_code == (405 if is_singleton else 403)
            assert (operation in shown.get(entity, [])) == opened
            address = "/" + path.format(entity).replace("/1", "/{id}").replace("/999999", "/{id}")
            assert (method.lower() in described.get(address, {})) == opened
    assert rows() == before


@pytest.mark.parametrize("grant", [name for name in TABLE if GRANTS[name].storefront])
def test_a_shoppers_token_opens_nothing(grant: str, author: View, shop: Shop) -> None:
    door = RestDoor(GRANTS[grant], customer=7)
    refusals = {
        door.send(method, path.format(entity), body).content
        for entity in (*entities(), "no-such")
        for _, method, path, body, _ in REQUESTS
    }
    assert len(refusals) == 1
    assert b"acts for a customer" in refusals.pop()


@pytest.mark.parametrize("grant", ["none", "catalog:read", "orders:read", "code:write"])
def test_a_refusal_does_not_tell_what_exists(grant: str, author: View, shop: Shop) -> None:
    door = warm(grant)
    for method, body in (("PATCH", {"sku": "X"}), ("DELETE", None)):
        answers = {door.send(method, f"product/{number}", body).content for number in (shop.product, 999_999)}
        assert len(answers) == 1


def test_a_reading_token_that_writes_changes_nothing(
    author: View, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    """Case G28: 403, and one audit line each, without what was sent."""
    door = warm("orders:read")
    requests: list[tuple[str, str, dict[str, Any] | None]] = [
        ("PATCH", f"product/{shop.product}", {"sku": SECRET_TEXT}),
        ("POST", "currency", {"code": SECRET_TEXT}),
        ("DELETE", f"product/{shop.other_product}", None),
        ("GET", "product/schema", None),
    ]
    before = rows()
    caplog.clear()
    with caplog.at_level(logging.INFO, "configbox.authorization"):
        for method, path, body in requests:
            refused = error(door.send(method, path, body), 403)
            assert SECRET_TEXT not in str(refused)
            assert "needs the scope" in refused["message"]
    assert rows() == before
    lines = [record.getMessage() for record in caplog.records if record.name == "configbox.authorization"]
    caller = f'caller=token #{door.token.pk} "door" scopes=orders:read,store:read outcome=refused'
    assert [line.rpartition(" ms=")[0] for line in lines] == [
        f"route=PATCH /cb-api/v1/product/{{id}} {caller}",
        f"route=POST /cb-api/v1/currency {caller}",
        f"route=DELETE /cb-api/v1/product/{{id}} {caller}",
        f"route=GET /cb-api/v1/product/schema {caller}",
    ]
