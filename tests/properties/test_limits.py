"""Values at and beyond every limit: refused with the field named, never rounded, never an incident."""

from decimal import Decimal
from typing import Any

import pytest

from configbox.entities import listing, reading, writing
from configbox.entities.errors import EntityError, Invalid
from configbox.entities.view import View
from tests.entities.conftest import author, files_of_the_test, shop
from tests.entities.shop import Shop, create, texts

__all__ = ["author", "files_of_the_test", "shop"]
pytestmark = pytest.mark.django_db


def refused(entity: str, pk: int, **fields: Any) -> list[str]:
    with pytest.raises(Invalid) as caught:
        writing.update(entity, pk, fields)
    return [issue.field for issue in caught.value.issues]


@pytest.mark.parametrize("sent", ["999." + "9" * 36, "1." + "0" * 35 + "1", Decimal("0." + "3" * 39)])
def test_no_digit_is_lost_to_rounding(sent: Any, author: View, shop: Shop) -> None:
    assert refused("product", shop.product, baseprice=sent) == ["baseprice"]
    assert reading.get("product", shop.product)["baseprice"] == Decimal("841.90")


def test_zeros_at_the_end_do_not_count(author: View, shop: Shop) -> None:
    writing.update("product", shop.product, {"baseprice": "12.50" + "0" * 30})
    assert str(reading.get("product", shop.product)["baseprice"]) == "12.50"


@pytest.mark.parametrize("tag", ["fr\n", "fr-FR\n", "de_DE", "en-gb", ""])
def test_a_language_tag_is_a_tag_and_no_more(tag: str, author: View, shop: Shop) -> None:
    assert "active_languages" in refused("settings", 1, active_languages=["en-GB", "de-DE", tag])


def test_there_is_room_after_the_last(author: View, shop: Shop) -> None:
    assert refused("page", shop.page, ordering=2_147_483_647) == ["ordering"]
    writing.update("page", shop.page, {"ordering": 1_000_000_000})
    made = create("page", {"product_id": shop.product} | texts("After"))
    assert reading.get("page", made)["ordering"] == 1_000_000_010


def test_html_is_measured_as_it_is_stored(author: View, shop: Shop) -> None:
    assert refused("answer", shop.red, description_en_GB="&" * 300_000) == ["description_en_GB"]


@pytest.mark.parametrize("beyond", [2**31, 2**63, 2**70, 10**39])
def test_an_id_beyond_every_column_names_nothing(beyond: int, author: View, shop: Shop) -> None:
    assert refused("question", shop.width, calcmodel=beyond) == ["calcmodel"]
    assert refused("product", shop.product, product_listing_ids=[beyond]) == ["product_listing_ids"]
    with pytest.raises(Invalid):
        writing.create("page", {"product_id": beyond} | texts("Nowhere"))
    with pytest.raises(Invalid):
        listing.list_records("page", filters={"product_id": beyond})
    assert listing.list_records("page", filters={"id": [beyond, shop.page]}).matched == 1


def test_long_searches_and_filters_are_refused(author: View, shop: Shop) -> None:
    for more in ({"search": "x" * 256}, {"filters": {"id": list(range(1, 1002))}}):
        with pytest.raises(EntityError, match="at most"):
            listing.list_records("answer", **more)
    assert refused("product", shop.product, product_listing_ids=list(range(1, 10_002))) == ["product_listing_ids"]


def test_a_code_is_found_whatever_its_script(author: View, shop: Shop) -> None:
    writing.update("answer", shop.red, {"sku": "ä1 straße"})
    for search in ("ä1", "straße", "1 str"):
        assert [row["id"] for row in listing.list_records("answer", search=search).items] == [shop.red]


def test_the_base_currency_is_worth_itself(author: View, shop: Shop) -> None:
    assert refused("currency", 1, multiplicator=2) == ["multiplicator"]
    assert refused("currency", shop.dollar, multiplicator=0) == ["multiplicator"]
