"""What reading and writing cost does not grow with the rows that are there or shown."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from configbox.entities import listing, reading, writing
from configbox.entities.registry import entities
from configbox.entities.view import View
from tests.entities.shop import Shop, records_of, texts

pytestmark = pytest.mark.django_db


def cost(call: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        call()
    return len(queries)


def grow(shop: Shop) -> None:
    """Put 45 more records beside those of the shop, each with two texts and a reference."""
    for number in range(45):
        writing.create("product-list", texts(f"List {number}"))
        writing.create("page", {"product_id": shop.product} | texts(f"Page {number}"))
        writing.create("question", {"page_id": shop.page, "calcmodel": shop.area} | texts(f"Question {number}"))
        rule = {"question": shop.material, "operator": "==", "value": shop.oak}
        writing.create("answer", {"question_id": shop.colour, "rules": rule} | texts(f"Answer {number}"))
        made = writing.create("product", {"product_listing_ids": [shop.hidden]} | texts(f"Product {number}")).id
        writing.create("calculation", {"name": f"Sum {number}", "product_id": made})


def test_lists_cost_the_same_for_five_and_for_fifty_rows(author: View, shop: Shop) -> None:
    def costs() -> dict[str, list[int]]:
        return {
            name: [
                cost(lambda name=name: listing.list_records(name, limit=50)),
                cost(lambda name=name: listing.list_records(name, sort="-id", limit=50)),
            ]
            for name in entities()
        }

    few = costs()
    grow(shop)
    assert costs() == few
    assert len(listing.list_records("answer", limit=50).items) == 48


def test_a_search_and_a_sort_cost_the_same(author: View, shop: Shop) -> None:
    def costs() -> list[int]:
        return [
            cost(lambda: listing.list_records("answer", search="a", sort="title,-price")),
            cost(lambda: listing.list_records("answer", filters={"question_id": [shop.colour, shop.material]})),
            cost(lambda: listing.list_records("product", filters={"product_listing_ids": [shop.hidden, shop.shown]})),
            cost(lambda: listing.list_records("question", sort="page")),
        ]

    few = costs()
    grow(shop)
    assert costs() == few


def test_a_record_and_its_description_cost_the_same(author: View, shop: Shop) -> None:
    def costs() -> dict[str, list[int]]:
        return {
            name: [
                cost(lambda name=name, pk=pk: reading.get(name, pk)),
                cost(lambda name=name: reading.describe(name)),
            ]
            for name, pk in records_of(shop).items()
        }

    few = costs()
    grow(shop)
    assert costs() == few


def test_writes_cost_the_same_among_few_and_among_many(author: View, shop: Shop) -> None:
    number = iter(range(100))

    def costs() -> list[int]:
        each = next(number)
        rule = {"any": [{"question": shop.material, "operator": "==", "value": shop.oak}]}
        made = writing.create("answer", {"question_id": shop.colour} | texts(f"Made {each}")).id
        return [
            cost(lambda: writing.create("answer", {"question_id": shop.colour, "rules": rule} | texts(f"New {each}"))),
            cost(lambda: writing.create("product", texts(f"New {each}"))),
            cost(lambda: writing.update("answer", made, {"price": f"{each}.5"})),
            cost(lambda: writing.update("answer", made, {"rules": rule if each % 2 else None})),
            cost(lambda: writing.update("answer", made, {})),
            cost(lambda: writing.update("question", shop.width, {"title_de_DE": f"Breite {each}"})),
            cost(lambda: writing.delete("answer", made)),
        ]

    costs()
    first = [costs(), costs()]
    grow(shop)
    assert [costs(), costs()] == first
