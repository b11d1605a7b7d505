"""Revisions: what a stale one is told, and that they count every change and nothing else."""

from typing import Any

import pytest

from configbox.entities import reading, writing
from configbox.entities.errors import Conflict, Invalid
from configbox.entities.view import View
from tests.entities.dumps import dump
from tests.entities.shop import Shop, create, texts

pytestmark = pytest.mark.django_db


def test_a_stale_revision_is_refused_with_the_present_values(author: View, shop: Shop) -> None:
    read = reading.get("answer", shop.red)
    writing.update("answer", shop.red, {"price": "12"}, rev=read["rev"])
    before = dump()
    for write in (
        lambda: writing.update("answer", shop.red, {"sku": "R"}, rev=read["rev"]),
        lambda: writing.delete("answer", shop.red, rev=read["rev"]),
    ):
        with pytest.raises(Conflict) as caught:
            write()
        assert caught.value.message == (
            f"This answer changed since it was read: it is at rev {read['rev'] + 1}, not {read['rev']}. "
            "Look at its present values, then repeat the write with that rev. [rev]"
        )
        assert caught.value.present == reading.get("answer", shop.red)
    assert dump() == before


@pytest.mark.parametrize("rev", [True, "x", "", 1.5, [], "1e0"])
def test_a_revision_that_is_no_number(rev: Any, author: View, shop: Shop) -> None:
    with pytest.raises(Invalid) as caught:
        writing.update("answer", shop.red, {"sku": "R"}, rev=rev)
    assert [issue.field for issue in caught.value.issues] == ["rev"]


def test_a_revision_may_come_as_text(author: View, shop: Shop) -> None:
    rev = reading.get("answer", shop.red)["rev"]
    assert writing.update("answer", shop.red, {"sku": "R"}, rev=str(rev)).record["rev"] == rev + 1


def test_a_stale_revision_is_refused_even_where_nothing_would_change(author: View, shop: Shop) -> None:
    read = reading.get("answer", shop.red)
    writing.update("answer", shop.red, {"price": "12"})
    with pytest.raises(Conflict):
        writing.update("answer", shop.red, {}, rev=read["rev"])


def test_a_write_through_a_list_moves_the_other_side(author: View, shop: Shop) -> None:
    product = reading.get("product", shop.product)["rev"]
    assignment = reading.get("product-list-assignment", shop.assignment)["rev"]
    writing.update("product-list-assignment", shop.assignment, {"ordering": 70})
    assert reading.get("product", shop.product)["rev"] == product + 1
    assert reading.get("product-list-assignment", shop.assignment)["rev"] == assignment + 1
    create("product-list-assignment", {"product_id": shop.product, "listing_id": shop.hidden})
    assert reading.get("product", shop.product)["rev"] == product + 2


def test_a_record_that_moves_between_products_is_counted_at_both(author: View, shop: Shop) -> None:
    before = [reading.get("product", pk)["rev"] for pk in (shop.product, shop.other_product)]
    writing.update("product-list-assignment", shop.assignment, {"product_id": shop.other_product})
    after = [reading.get("product", pk)["rev"] for pk in (shop.product, shop.other_product)]
    assert [new > old for old, new in zip(before, after, strict=True)] == [True, True]


def test_a_refused_write_does_not_count(author: View, shop: Shop) -> None:
    rev = reading.get("answer", shop.red)["rev"]
    with pytest.raises(Invalid):
        writing.update("answer", shop.red, {"sku": "R", "price": "x"})
    assert reading.get("answer", shop.red)["rev"] == rev


def test_a_new_record_begins_at_one(author: View, shop: Shop) -> None:
    assert writing.create("product", texts("New")).record["rev"] == 1
