"""Lists over REST: columns, filters, search, sorting, pages, languages, and every parameter that cannot be taken."""

from decimal import Decimal
from typing import Any

import pytest

from configbox.entities import writing
from tests.api.rest_door import RestDoor, error
from tests.entities.shop import Shop, texts

pytestmark = pytest.mark.django_db


def test_a_list_has_its_columns_and_says_what_it_is_a_part_of(door: RestDoor, shop: Shop) -> None:
    assert door.get("product") == {
        "data": [
            {
                "id": shop.product, "title_en_GB": "Door", "title_de_DE": "Tür", "sku": "DOOR",
                "baseprice": Decimal("841.90"), "baseprice_recurring": Decimal("0.00"), "published": True,
                "product_listing_ids": [shop.shown],
            },
            {
                "id": shop.other_product, "title_en_GB": "Window", "title_de_DE": "Fenster", "sku": "",
                "baseprice": Decimal("0.00"), "baseprice_recurring": Decimal("0.00"), "published": True,
                "product_listing_ids": [],
            },
        ],
        "meta": {"total": 2, "matched": 2, "limit": 50, "offset": 0, "language": None},
    }  # fmt: skip


def test_filters_search_sort_and_pages(door: RestDoor, shop: Shop) -> None:
    def ids(query: str) -> list[int]:
        return [row["id"] for row in door.get(f"answer?{query}")["data"]]

    red, blue, oak = shop.red, shop.blue, shop.oak
    assert ids(f"filter[question_id]={shop.colour}") == [red, blue]
    assert ids(f"filter%5Bquestion_id%5D={shop.material}") == [oak]
    assert ids(f"filter[question_id][]={shop.colour}&filter[question_id][]={shop.material}&sort=id") == [red, blue, oak]
    assert ids(f"filter[id]={red}&filter[id]={oak}&filter[id][]={blue}&sort=-id") == [oak, blue, red]
    assert ids("filter[published]=true&filter[default]=false&sort=-price,id") == [red, blue, oak]
    assert ids("filter[calcmodel]=&sort=id") == [red, blue, oak]
    assert ids("filter[sku]=") == ids("")
    assert ids("filter[published]=false") == []
    assert ids("search=eich") == [oak]
    assert ids("search=eich&language=en-GB") == []
    assert ids("search=EICH&language=de-DE") == [oak]
    assert ids("sort=title_de_DE") == [blue, oak, red]
    page = door.get("answer?sort=id&limit=2")
    assert [row["id"] for row in page["data"]] == [red, blue]
    assert page["meta"] == {"total": 3, "matched": 3, "limit": 2, "offset": 0, "language": None, "next_offset": 2}
    page = door.get(f"answer?sort=id&limit=2&offset=2&filter[id][]={red}")
    assert page == {"data": [], "meta": {"total": 3, "matched": 1, "limit": 2, "offset": 2, "language": None}}


def test_counts_caps_and_offsets(door: RestDoor, shop: Shop) -> None:
    """Case G31: 230 answers, one question has 12; totals, caps and what is refused."""
    for number in range(215):
        writing.create("answer", {"question_id": shop.colour} | texts(f"A{number}"))
    for number in range(12):
        writing.create("answer", {"question_id": shop.width} | texts(f"B{number}"))
    capped = door.get("answer?limit=500")
    assert len(capped["data"]) == 200
    assert capped["meta"] == {
        "total": 230, "matched": 230, "limit": 200, "offset": 0, "language": None, "next_offset": 200,
        "notes": ["limit 500 was taken as 200, the most one call returns."],
    }  # fmt: skip
    assert len(door.get("answer?limit=200&offset=200")["data"]) == 30
    beyond = door.get("answer?offset=1000")
    assert (beyond["data"], beyond["meta"]["total"], "next_offset" in beyond["meta"]) == ([], 230, False)
    few = door.get(f"answer?filter[question_id]={shop.width}")
    assert (len(few["data"]), few["meta"]["total"], few["meta"]["matched"]) == (12, 230, 12)
    for limit in ("0", "-1", "all"):
        refused = error(door.send("GET", f"answer?limit={limit}"), 400)
        assert refused["issues"] == [
            {
                "field": "limit", "code": "invalid_value",
                "message": f'limit must be a whole number from 1 to 200, got "{limit}".',
            }
        ]  # fmt: skip


def test_a_language_comes_from_the_query_or_else_from_the_address(door: RestDoor, shop: Shop) -> None:
    def first(path: str) -> dict[str, Any]:
        page = door.get(path)
        return {"language": page["meta"]["language"], "keys": [key for key in page["data"][0] if "title_" in key]}

    assert first("/de/cb-api/v1/product") == {"language": "de-DE", "keys": ["title_de_DE"]}
    assert first("/de/cb-api/v1/product?language=en-GB") == {"language": "en-GB", "keys": ["title_en_GB"]}
    assert first("product?language=de-DE") == {"language": "de-DE", "keys": ["title_de_DE"]}
    for value in ("fr-FR", "", "de"):
        refused = error(door.send("GET", f"product?language={value}"), 400)
        sentence = f'language must be an active language of the store (en-GB, de-DE), got "{value}".'
        assert refused["message"] == f"This request is not valid. {sentence} [language]"


def test_fields_are_the_columns_that_are_wanted(door: RestDoor, shop: Shop) -> None:
    assert door.get("product?fields=sku,baseprice&limit=1")["data"] == [
        {"id": shop.product, "sku": "DOOR", "baseprice": Decimal("841.90")}
    ]
    page = door.get("product?fields=title_de_DE,title_en_GB&language=de-DE&limit=1")
    assert page["data"] == [{"id": shop.product, "title_de_DE": "Tür"}]
    assert page["meta"]["notes"] == ["title_en_GB left out: this list shows texts in de-DE alone."]
    refused = error(door.send("GET", "product?fields=sku,prize"), 400)
    assert refused["issues"] == [
        {
            "field": "fields", "code": "unknown_field",
            "message": 'fields names "prize"; the columns of this list are id, title_en_GB, title_de_DE, sku, '
            "baseprice, baseprice_recurring, published, product_listing_ids.",
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "field", "code", "sentence"),
    [
        (
            "serach=x", "serach", "unknown_field",
            'There is no parameter "serach". Did you mean "search"? Valid are filter[name], search, sort, limit, '
            "offset, language, fields.",
        ),
        ("filter=x", "filter", "unknown_field", 'There is no parameter "filter".'),
        ("dry_run=true", "dry_run", "unknown_field", 'There is no parameter "dry_run".'),
        ("filter[skus]=x", "filters.skus", "unknown_field", 'There is no filter "skus". Did you mean "sku"? Valid are'),
        ("sort=", "sort", "invalid_value", "sort is empty; name at least one, or leave it out."),
        ("sort=titel", "sort", "unknown_field", 'There is no sort "titel". Did you mean "title"? Valid are'),
        ("limit=2&limit=3", "limit", "duplicate", "limit stands twice; it may be sent once."),
        ("search=%00", "search", "invalid_value", "search cannot be used: it contains the character NUL (U+0000)."),
        ("search=%ff", "query", "invalid_value", "The query of this address is not UTF-8: write other characters as"),
        ("x=" + "&x=" * 2000, "query", "invalid_value", "The query of this address has too many parameters: at most"),
        ("filter[published]=2", "filters.published", "invalid_value", "Filter published must be true or false, got"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_of_a_query_is_refused_by_name(
    query: str, field: str, code: str, sentence: str, door: RestDoor, shop: Shop
) -> None:
    found = error(door.send("GET", f"answer?{query}"), 400)
    assert (found["issues"][0]["field"], found["issues"][0]["code"]) == (field, code)
    assert found["issues"][0]["message"].startswith(sentence)
    assert found["message"].startswith(f"This request is not valid. {sentence}")


def test_every_fault_of_a_query_is_told_at_once(door: RestDoor, shop: Shop) -> None:
    found = error(door.send("GET", "answer?serach=x&limit=1&limit=2&colour=red"), 400)
    assert [issue["field"] for issue in found["issues"]] == ["serach", "limit", "colour"]
    found = error(door.send("GET", "answer?sort=titel&limit=0&filter[x]=1"), 400)
    assert sorted(issue["field"] for issue in found["issues"]) == ["filters.x", "limit", "sort"]
