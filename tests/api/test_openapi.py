"""The OpenAPI document: valid, of this grant alone, and made from what the code declares."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31

from cbx_api.envelope import ISSUE_CODES, OTHER_CODE
from cbx_api.operations import COLLECTION, RECORD, SCHEMA
from cbx_api.statuses import ERROR_STATUSES
from configbox.access.grants import Grant, parse_scopes
from configbox.access.scopes import PRESETS
from configbox.entities.registry import allowed, entities
from configbox.entities.selecting import filter_properties
from tests.api.rest_door import RestDoor
from tests.entities.shop import TAGS, Shop

pytestmark = pytest.mark.django_db

GRANTS = {name: parse_scopes([], [name]) for name in PRESETS} | {"none": Grant.nothing(), "shell": Grant.everything()}


def of(grant: str) -> Any:
    return RestDoor(GRANTS[grant]).get("openapi.json")


@pytest.mark.parametrize("grant", GRANTS)
def test_it_has_what_this_grant_may_do_and_nothing_else(grant: str, shop: Shop) -> None:
    document = of(grant)
    wanted = {"get_root": "get /", "get_openapi": "get /openapi.json"}
    for each in (*COLLECTION, *RECORD):
        for name in allowed(GRANTS[grant], each.name):
            path = each.path.replace("{entity}", name)
            wanted[f"{each.name}_{name.replace('-', '_')}"] = f"{each.method.lower()} {path}"
    for name in allowed(GRANTS[grant], "read"):
        wanted[f"get_schema_of_{name.replace('-', '_')}"] = f"get {SCHEMA.path.replace('{entity}', name)}"
    found = {
        operation["operationId"]: f"{method} {path}"
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }
    assert found == wanted
    jsonschema.validate(document, OPENAPI_31)
    assert document["openapi"] == "3.1.0"


@pytest.mark.parametrize("grant", ["none", "shell"])
def test_every_reference_leads_to_a_component_and_every_component_is_used(grant: str, shop: Shop) -> None:
    document = of(grant)
    text = json.dumps(document, default=str)
    named = {part.split('"')[0] for part in text.split('"$ref": "#/components/')[1:]}
    there = {f"{kind}/{name}" for kind in ("schemas", "responses") for name in document["components"][kind]}
    assert named <= there
    # A token that writes nothing needs no answer about a write.
    spare = set() if grant == "shell" else {
        "schemas/write-meta", "responses/conflict", "responses/content_too_large", "responses/invalid",
        "responses/length_required", "responses/precondition_failed", "responses/unsupported_media_type",
    }  # fmt: skip
    # No operation of the document is asked with a method that it does not name.
    assert there - named - {"responses/method_not_allowed"} == spare


def test_an_operation_says_everything_it_takes_and_every_status_it_has(shop: Shop) -> None:
    document = of("shell")
    assert document["servers"] == [{"url": "/cb-api/v1"}]
    assert document["security"] == [{"token": []}]
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    listing = document["paths"]["/answer"]["get"]
    names = [each["name"] for each in listing["parameters"]]
    filters = [f"filter[{name}]" for name in ("id", *filter_properties(entities()["answer"]))]
    assert names == [*filters, "search", "sort", "limit", "offset", "language", "fields"]
    taken = {each["name"]: each for each in listing["parameters"]}
    assert taken["language"]["schema"] == {"type": "string", "enum": TAGS}
    assert "-title_de_DE" in taken["sort"]["schema"]["items"]["enum"]
    assert taken["filter[question_id]"]["schema"]["items"] == {"type": "integer", "minimum": 1, "maximum": 2147483647}
    statuses = {
        "get": "200 400 401 403 404 500 503",
        "patch": "200 400 401 403 404 411 412 413 415 422 500 503",
        "delete": "200 204 400 401 403 404 409 412 500 503",
    }
    record = document["paths"]["/answer/{id}"]
    assert {method: " ".join(operation["responses"]) for method, operation in record.items()} == statuses
    made = document["paths"]["/answer"]["post"]["responses"]
    assert " ".join(made) == "200 201 400 401 403 404 411 413 415 422 500 503"
    assert sorted(made["201"]["headers"]) == ["ConfigBox-Change-Set", "ETag", "Location"]
    assert [each["name"] for each in record["patch"]["parameters"]] == [
        "id", "If-Match", "language", "dry_run", "change_set",
    ]  # fmt: skip


def test_what_may_be_sent_as_text_too_says_so(shop: Shop) -> None:
    schemas = of("shell")["components"]["schemas"]
    price = schemas["answer.update"]["properties"]["price"]
    assert price["type"] == ["number", "string"]
    assert price["pattern"] == r"^-?[0-9]{1,40}(\.[0-9]{1,40})?$"
    assert schemas["answer.record"]["properties"]["price"]["type"] == "number"
    lists = schemas["product.update"]["properties"]["product_listing_ids"]
    assert lists["items"]["type"] == ["integer", "string"]
    sorting = schemas["product-list.create"]["properties"]["product_sorting"]
    assert sorting["enum"] == [0, 1, "0", "1"]
    assert schemas["answer.create"]["properties"]["rules"]["anyOf"][0] == {"$ref": "#/components/schemas/rule"}
    assert "code" in schemas["error"]["properties"]["error"]["properties"]
    assert len(ERROR_STATUSES) == len({each.code for each in ERROR_STATUSES.values()})


def test_its_paths_begin_with_the_language_it_was_asked_in(door: RestDoor, shop: Shop) -> None:
    assert door.get("/de/cb-api/v1/openapi.json")["servers"] == [{"url": "/de/cb-api/v1"}]


def test_the_document_about_rest_names_every_status_parameter_and_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "rest.md").read_text()
    rows = re.findall(r"^\| ([0-9, ]+) \| ([`a-z_, ]+) \|", text, re.MULTILINE)
    told = {
        int(status): code.strip("` ")
        for statuses, codes in rows
        for status, code in zip(statuses.split(","), codes.split(","), strict=True)
    }
    assert told == {status: each.code for status, each in ERROR_STATUSES.items()}
    taken = {name for operation in (*COLLECTION, *RECORD, SCHEMA) for name in operation.parameters}
    assert [name for name in taken if not re.search(rf"[`?]{name}[=\[`]", text)] == []
    assert [code for code in (*ISSUE_CODES.values(), OTHER_CODE) if f"`{code}`" not in text] == []
