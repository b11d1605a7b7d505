"""The ladder of refusals over REST: what is told of two faults, in which form, and what was looked up before it."""

import logging
from itertools import combinations
from typing import Any

import pytest
from django.db import DatabaseError

from configbox.access.grants import Grant, parse_scopes
from configbox.access.tokens import revoke
from configbox.entities import reading, storing
from configbox.entities.view import View
from tests.api.rest_door import RestDoor, document, error
from tests.entities.shop import Shop

pytestmark = pytest.mark.django_db

# From the first that is asked to the last. Each is a fault of a request that would make a tax class.
LADDER = {
    "host": (400, "bad_request"),
    "verb": (405, "method_not_allowed"),
    "token": (401, "unauthorized"),
    "content type": (415, "unsupported_media_type"),
    "size": (413, "content_too_large"),
    "prefix": (404, "not_found"),
    "entity": (404, "not_found"),
    "scope": (403, "forbidden"),
    "parse": (400, "bad_request"),
    "parameter": (400, "bad_request"),
    "fields": (422, "invalid"),
}
IN_HEADERS = {
    "host": {"host": "shop.evil"},
    "token": {"authorization": "Bearer x"},
    "content type": {"content_type": "text/plain"},
}


@pytest.fixture
def reader(db: None) -> RestDoor:
    return RestDoor(Grant.nothing())


def send(door: RestDoor, reader: RestDoor, *faults: str) -> Any:
    """Send a request that has these faults."""
    body = b"{}" if "fields" in faults else b'{"title": "Reduced", "default_tax_rate": 7}'
    if "parse" in faults:
        body = body[:-1]
    if "size" in faults:
        body += b" " * 3_000_000
    path = "/xx/cb-api/v1/" if "prefix" in faults else "/cb-api/v1/"
    path += "tax-klass" if "entity" in faults else "tax-class"
    path += "?titel=x" if "parameter" in faults else ""
    headers: dict[str, str | None] = {}
    for fault in faults:
        headers |= IN_HEADERS.get(fault, {})
    caller = reader if "scope" in faults else door
    return caller.send("PUT" if "verb" in faults else "POST", path, body, **headers)


def told(response: Any) -> tuple[int, str]:
    return response.status_code, error(response, response.status_code)["code"]


def test_without_a_fault_it_is_done(door: RestDoor, reader: RestDoor) -> None:
    assert document(send(door, reader), 201)["data"]["title"] == "Reduced"


@pytest.mark.parametrize("fault", LADDER)
def test_each_fault_is_told_by_its_status_and_code(fault: str, door: RestDoor, reader: RestDoor) -> None:
    assert told(send(door, reader, fault)) == LADDER[fault]


@pytest.mark.parametrize(("first", "second"), list(combinations(LADDER, 2)))
def test_of_two_faults_the_one_higher_up_is_told(first: str, second: str, door: RestDoor, reader: RestDoor) -> None:
    assert told(send(door, reader, first, second)) == LADDER[first]


def test_what_an_entity_does_not_take_is_refused_after_the_scope_and_before_the_body(
    door: RestDoor, reader: RestDoor
) -> None:
    for method, path in (("POST", "settings"), ("DELETE", "settings/1")):
        for more in ({}, {"content_type": "text/plain"}):
            refused = door.send(method, path, b"{", **more)
            sentence = "A settings takes no {}; what can be done with it: list, read, update."
            assert error(refused, 405)["message"] == sentence.format("create" if method == "POST" else "delete")
            assert refused["Allow"] == ("GET, HEAD" if method == "POST" else "GET, HEAD, PATCH")
        assert "needs the scope store:write" in error(reader.send(method, path, b"{}"), 403)["message"]


def test_a_405_names_what_the_address_takes(door: RestDoor) -> None:
    allowed = {
        "": "GET, HEAD",
        "openapi.json": "GET, HEAD",
        "product/schema": "GET, HEAD",
        "product": "GET, HEAD, POST",
        "product/1": "GET, HEAD, PATCH, DELETE",
        "settings": "GET, HEAD",
        "no-such-entity": "GET, HEAD, POST",
    }
    for path, methods in allowed.items():
        for method in ("PUT", "OPTIONS", "TRACE", "PROPFIND"):
            refused = door.send(method, path, authorization=None)
            assert error(refused, 405)["message"] == f"This address takes {methods}."
            assert refused["Allow"] == methods


def test_every_401_challenges_and_says_why(door: RestDoor) -> None:
    missing = door.send("GET", "product", authorization=None)
    assert missing["WWW-Authenticate"] == 'Bearer realm="configbox"'
    assert error(missing, 401)["message"].startswith("This address needs a token: send the header")
    wrong = door.send("GET", "product", authorization="Bearer cbx_1_" + "x" * 43)
    assert wrong["WWW-Authenticate"] == 'Bearer realm="configbox", error="invalid_token"'
    assert error(wrong, 401)["message"] == "This token is not valid."
    revoke(door.token, by="test")
    assert error(door.send("GET", "product"), 401)["message"] == "This token was revoked."
    in_address = door.send("GET", f"product?token={door.secret}", authorization=None)
    assert error(in_address, 401)["message"] == error(missing, 401)["message"]


def test_a_shoppers_token_is_refused_everywhere_with_the_same_words(shop: Shop) -> None:
    shopper = RestDoor(parse_scopes(["storefront:read", "storefront:write"]), customer=7)
    requests = [
        ("GET", ""), ("GET", "openapi.json"), ("GET", "product"), ("GET", f"product/{shop.product}"),
        ("GET", "product/999999"), ("GET", "product/schema"), ("POST", "product"), ("PATCH", f"product/{shop.product}"),
        ("DELETE", f"product/{shop.product}"), ("GET", "no-such"), ("GET", "no/such/address"),
        ("GET", "/xx/cb-api/v1/"),
    ]  # fmt: skip
    answers = {error(shopper.send(method, path, b"{"), 403)["message"] for method, path in requests}
    assert answers == {"This token acts for a customer of the shop and opens nothing of the back office."}
    assert shopper.send("GET", "/healthz").status_code == 200
    assert shopper.send("GET", "docs").status_code == 200


def test_each_401_and_403_is_one_line_in_the_log_without_ids_and_tokens(
    reader: RestDoor, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    shopper = RestDoor(parse_scopes(["storefront:read"]), customer=7)
    caplog.clear()
    with caplog.at_level(logging.INFO, "configbox.authorization"):
        reader.send("GET", "product/77", authorization=None)
        reader.send("PATCH", "product/77", {"sku": "SECRET"})
        reader.send("POST", "currency", {"code": "SECRET"})
        reader.send("GET", f"{reader.secret}/{reader.secret}", authorization="Bearer x")
        reader.send("GET", "a/b/c/d", authorization="Bearer x")
        shopper.send("GET", "")
        reader.send("GET", "currency")
        reader.send("GET", "no-such")
    lines = [record.getMessage() for record in caplog.records if record.name == "configbox.authorization"]
    caller = f'caller=token #{reader.token.pk} "door" scopes=store:read'
    anonymous = "caller=anonymous scopes=none"
    assert [line.rpartition(" ms=")[0] for line in lines] == [
        f"route=GET /cb-api/v1/product/{{id}} {anonymous} outcome=refused",
        f"route=PATCH /cb-api/v1/product/{{id}} {caller} outcome=refused",
        f"route=POST /cb-api/v1/currency {caller} outcome=refused",
        f"route=GET /cb-api/v1/{{entity}}/{{id}} {anonymous} outcome=refused",
        f"route=GET /cb-api/v1/{{unknown}} {anonymous} outcome=refused",
        f'route=GET /cb-api/v1/ caller=token #{shopper.token.pk} "door" scopes=storefront:read outcome=refused',
    ]


def test_no_refusal_above_the_records_looks_anything_up(
    door: RestDoor, reader: RestDoor, shop: Shop, django_assert_num_queries: Any
) -> None:
    door.get("")
    reader.get("")
    with django_assert_num_queries(0):
        for fault in ("host", "verb"):
            send(door, reader, fault)
    for fault in ("content type", "size", "entity", "scope", "parse", "parameter"):
        with django_assert_num_queries(1):
            send(door, reader, fault)


def test_a_forbidden_record_and_an_absent_one_are_told_alike(reader: RestDoor, shop: Shop) -> None:
    for method, body in (("GET", None), ("PATCH", {"sku": "X"}), ("DELETE", None)):
        answers = {reader.send(method, f"product/{pk}", body).content for pk in (shop.product, 999_999, "x")}
        assert len(answers) == 1


def test_a_body_in_pieces_is_refused(door: RestDoor) -> None:
    refused = door.send("POST", "tax-class", b"{}", transfer_encoding="chunked")
    assert error(refused, 411)["message"] == "Send the body whole, with its Content-Length."


def test_a_body_that_says_nothing_useful_is_refused_with_its_fault(door: RestDoor) -> None:
    cases = {
        b"": ("body", "This is not JSON: Expecting value at character 1."),
        b'{"title": "\xff"}': ("body", "This is not UTF-8: byte 12 cannot be read."),
        b'{"title": NaN}': (
            "body",
            "This is not JSON: NaN is no JSON number; leave the value out or send null.",
        ),
        b'{"title": "a\\u0000b"}': ("title", "At title: it contains the character NUL (U+0000)."),
        b'{"default_tax_rate": 1e99}': (
            "default_tax_rate",
            "At default_tax_rate: the exponent of a number must be between -30 and 30.",
        ),
        b"[" * 101 + b"]" * 101: ("body", "This JSON is nested too deep: at most 100 levels are read."),
        b"[]": ("fields", "fields must be an object of field names and values, got []."),
    }
    for body, (field, message) in cases.items():
        found = error(door.send("POST", "tax-class", body), 400)
        assert found["issues"] == [{"field": field, "code": "invalid_value", "message": message}]
        assert found["message"] == f"This request is not valid. {message} [{field}]"


@pytest.mark.parametrize("path", ["", "product", "product/schema", "openapi.json", "docs"])
def test_an_address_works_with_and_without_a_slash_and_a_language_and_nothing_redirects(
    path: str, door: RestDoor, shop: Shop, settings: Any
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    base = "/cb-api/v1/" + path
    for address in (base.rstrip("/"), base.rstrip("/") + "/"):
        for prefix in ("", "/de", "/de-DE", "/EN"):
            assert door.send("GET", prefix + address).status_code == 200
        assert error(door.send("GET", "/fr" + address), 404)["code"] == "not_found"


def test_whatever_else_is_under_the_api_is_absent_in_json(door: RestDoor) -> None:
    for path in ("a/b/c", "product/1/x", "product//", "product/1//", "/cb-api/v2/product", "/de/cb-api/x", "/cb-api"):
        assert error(door.send("GET", path), 404)["code"] == "not_found"
    assert door.send("GET", "/no-such-page")["Content-Type"].startswith("text/html")
    assert error(door.send("GET", "/cb-api/v1/a/b/c", authorization=None), 401)["code"] == "unauthorized"


def test_what_nobody_foresaw_gives_an_incident_and_nothing_of_what_happened(
    door: RestDoor, shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(reading, "get", fail)
    door.client.raise_request_exception = False
    found = error(door.send("GET", f"product/{shop.product}"), 500)
    before, incident, after = found["message"].split('"')
    assert (before, after) == ("The store failed to answer. Give the operator the incident ", ".")
    assert found["issues"] == []
    [logged] = [record for record in caplog.records if record.getMessage() == f"Incident {incident}"]
    assert logged.exc_info is not None
    assert str(logged.exc_info[1]) == "the secret of the house"


def test_a_write_that_the_database_fails_gives_the_pipelines_identifier(
    door: RestDoor, shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError("secret")

    monkeypatch.setattr(storing, "store_changed", fail)
    found = error(door.patch(f"answer/{shop.red}", {"price": 1}), 500)
    before, identifier, after = found["message"].split('"')
    assert before.startswith("Could not store this answer. Nothing was changed; try again, and if it fails again")
    assert after == ", which finds the cause in the log."
    assert (found["code"], found["issues"]) == ("internal_error", [])
    assert any(identifier in record.getMessage() for record in caplog.records if record.levelname == "ERROR")


def test_a_database_that_fails_is_told_as_such(door: RestDoor, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise DatabaseError("secret")

    monkeypatch.setattr(reading, "get", fail)
    found = error(door.send("GET", f"product/{shop.product}"), 503)
    assert found == {
        "code": "unavailable",
        "message": "The database of this store failed to answer. Try again in a moment.",
        "issues": [],
    }


def test_a_get_without_its_content_is_a_head(door: RestDoor, shop: Shop, author: View) -> None:
    for path in ("", "product", f"product/{shop.product}", "product/schema", "openapi.json"):
        whole = door.send("GET", path)
        head = door.send("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
        assert head["Content-Length"] == str(len(whole.content))
        assert head.get("ETag") == whole.get("ETag")


def test_bearer_is_read_in_any_case_and_the_token_exactly(door: RestDoor) -> None:
    for scheme in ("Bearer", "bearer", "BEARER", "bEaReR"):
        assert door.send("GET", "", authorization=f"{scheme} {door.secret}").status_code == 200
    for header in (f"Bearer {door.secret.upper()}", f'Bearer "{door.secret}"', f"Basic {door.secret}", door.secret, ""):
        assert door.send("GET", "", authorization=header).status_code == 401
