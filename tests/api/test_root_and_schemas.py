"""Where a program begins: what its token may do, and the bare schemas of an entity."""

from typing import Any

import jsonschema
import pytest

from configbox.access.grants import Grant, parse_scopes
from configbox.entities.registry import entities, model_of
from configbox.entities.view import View
from configbox.properties.json_values import read_json, write_json
from configbox.properties.schema import create_schema, listing_schema, read_schema, update_schema
from tests.api.rest_door import RestDoor, document, error
from tests.entities.shop import TAGS, Shop, records_of

pytestmark = pytest.mark.django_db

SCHEMAS = {"create": create_schema, "update": update_schema, "record": read_schema, "listing": listing_schema}
EVERY = ["list", "read", "create", "update", "delete"]
SINGLE = ["list", "read", "update"]
READ = ["list", "read"]
CATALOG = "answer calculation example page product product-detail-pane product-list product-list-assignment question"
STORE = "country currency settings store tax-class"


def offered(door: RestDoor) -> dict[str, list[str]]:
    return {each["entity"]: each["operations"] for each in door.get("")["data"]["entities"]}


def test_the_root_says_what_this_token_may_do(shop: Shop) -> None:
    catalog, store = CATALOG.split(), STORE.split()
    written = dict.fromkeys((*catalog, *store), EVERY) | dict.fromkeys(("settings", "store"), SINGLE)
    read = dict.fromkeys(store, READ)
    assert offered(RestDoor(Grant.everything())) == written
    assert offered(RestDoor(Grant.nothing())) == read
    author = RestDoor(parse_scopes([], ["author"]))
    assert offered(author) == dict.fromkeys(catalog, EVERY) | read
    data = author.get("/de/cb-api/v1")["data"]
    assert data["scopes"] == ["catalog:write", "store:read"]
    assert data["languages"] == TAGS
    assert data["links"] == {
        "openapi": "/de/cb-api/v1/openapi.json",
        "docs": "/de/cb-api/v1/docs",
        "mcp": "/de/cb-api/v1/mcp",
    }
    [product] = [each for each in author.get("")["data"]["entities"] if each["entity"] == "product"]
    assert product == {
        "entity": "product",
        "label": "product",
        "area": "catalog",
        "operations": EVERY,
        "links": {"records": "/cb-api/v1/product", "schema": "/cb-api/v1/product/schema"},
    }


def test_every_link_leads_somewhere(door: RestDoor, shop: Shop) -> None:
    data = door.get("")["data"]
    links = [link for each in data["entities"] for link in each["links"].values()]
    assert {door.send("GET", link).status_code for link in [*links, data["links"]["openapi"]]} == {200}
    assert door.send("GET", data["links"]["docs"], authorization=None).status_code == 200
    assert door.send("GET", data["links"]["mcp"]).status_code == 405


@pytest.mark.parametrize("kind", [None, *SCHEMAS])
def test_a_schema_is_bare_and_the_propertys_own(kind: str | None, door: RestDoor, shop: Shop, author: View) -> None:
    for entity in entities():
        found = door.get(f"{entity}/schema" + (f"?for={kind}" if kind else ""))
        assert found.pop("$schema") == "https://json-schema.org/draft/2020-12/schema"
        made = SCHEMAS[kind or "create"](model_of(entity), TAGS)
        assert found == read_json(write_json(made))
        jsonschema.Draft202012Validator.check_schema(found)


def test_a_schema_of_something_else_is_refused(door: RestDoor, shop: Shop) -> None:
    found = error(door.send("GET", "product/schema?for=reading"), 400)
    assert found["message"] == (
        'This request is not valid. for must be one of create, update, record, listing; got "reading". [for]'
    )
    reader = RestDoor(Grant.nothing())
    assert "needs the scope catalog:read" in error(reader.send("GET", "product/schema"), 403)["message"]


def test_real_records_are_as_the_schemas_say(door: RestDoor, shop: Shop) -> None:
    for entity, pk in records_of(shop).items():
        record = door.get(f"{entity}/{pk}")["data"]
        jsonschema.validate(record, door.get(f"{entity}/schema?for=record"))
        row = door.get(f"{entity}?filter[id]={pk}")["data"][0]
        jsonschema.validate(row, door.get(f"{entity}/schema?for=listing"))


def test_what_a_program_asks_costs_the_same_however_much_there_is(
    door: RestDoor, shop: Shop, django_assert_num_queries: Any
) -> None:
    """One query is the token's in each."""
    door.get("")
    costs: list[tuple[int, str, str, Any]] = [
        (2, "GET", "", None),
        (2, "GET", "openapi.json", None),
        (2, "GET", "product/schema", None),
        (8, "GET", "answer?limit=1", None),
        (8, "GET", "answer", None),
        (6, "GET", "answer?fields=sku", None),
        (9, "GET", "/de/cb-api/v1/answer", None),
        (8, "GET", f"product/{shop.product}", None),
        (4, "GET", f"answer/{shop.red}", None),
        (11, "PATCH", f"answer/{shop.red}", {"price": 7}),
        (7, "PATCH", f"answer/{shop.red}", {"price": "x"}),
        (11, "POST", "tax-class", {"title": "Null", "default_tax_rate": 0}),
        (20, "DELETE", f"answer/{shop.blue}", None),
    ]
    for count, method, path, body in costs:
        with django_assert_num_queries(count):
            assert door.send(method, path, body).status_code in (200, 201, 204, 422)


def test_a_dry_run_of_a_secret_is_no_way_to_read_it(door: RestDoor, shop: Shop) -> None:
    door.patch("settings/1", {"product_key": "very-secret-key"})
    answer = door.patch("settings/1?dry_run=true", {"product_key": "other-secret-key"})
    assert "product_key" not in document(answer, 200)["data"]
