"""The page that shows the OpenAPI document: local files alone, no script in the page, no token needed or kept."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

ADDRESS = "/cb-api/v1/docs"


def directives(response: Any) -> dict[str, str]:
    parts = [part.strip().partition(" ") for part in response["Content-Security-Policy"].split(";")]
    return {name: value for name, _, value in parts}


def test_the_page_needs_no_token_and_asks_no_database(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        response = Client().get(ADDRESS)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert 'data-openapi="/cb-api/v1/openapi.json"' in response.content.decode()
    assert response.cookies == {}


def test_its_policy_lets_in_nothing_from_elsewhere_and_no_script_of_the_page() -> None:
    assert directives(Client().get(ADDRESS)) == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def test_all_it_loads_is_there_and_is_ours() -> None:
    page = Client().get(ADDRESS).content.decode()
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(loaded) == 5
    assert [address for address in loaded if not address.startswith("/static/")] == []
    assert [address for address in loaded if finders.find(address.removeprefix("/static/")) is None] == []
    assert re.findall(r"<script>|<script [^>]*>[^<]|\son\w+=|javascript:", page) == []


def test_its_script_keeps_the_token_nowhere() -> None:
    script = Path(str(finders.find("cbx_api/docs.js"))).read_text()
    for store in ("localStorage", "sessionStorage", "cookie", "indexedDB", "innerHTML"):
        assert store not in script
    assert "persistAuthorization: false" in script


@pytest.mark.django_db
def test_the_language_of_its_address_is_the_documents(settings: Any) -> None:
    page = Client().get("/en/cb-api/v1/docs/").content.decode()
    assert 'data-openapi="/en/cb-api/v1/openapi.json"' in page
    absent = Client().get("/fr/cb-api/v1/docs")
    assert (absent.status_code, absent.json()["error"]["code"]) == (404, "not_found")
    assert Client().post(ADDRESS).status_code == 405
