"""Values at and beyond every limit: refused with the field named, never rounded, never an incident."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from configbox.catalog.models.page import Page
from configbox.catalog.models.product_list_assignment import ProductListAssignment
from configbox.catalog.models.url_label import UrlLabel
from configbox.entities import listing, reading, writing
from configbox.entities.errors import Invalid
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


def test_at_the_top_of_the_column_a_place_is_shared(author: View, shop: Shop) -> None:
    Page.objects.filter(pk=shop.page).update(ordering=2_147_483_647)
    ProductListAssignment.objects.filter(pk=shop.assignment).update(ordering=2_147_483_640)
    page = create("page", {"product_id": shop.product} | texts("After"))
    assert reading.get("page", page)["ordering"] == 2_147_483_647
    writing.update("product", shop.other_product, {"product_listing_ids": [shop.shown]})
    assert ProductListAssignment.objects.get(product=shop.other_product).ordering == 2_147_483_647


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
    beyond: list[tuple[dict[str, Any], str, str]] = [
        ({"search": "x" * 256}, "search", "at most 255 characters, got 256"),
        ({"filters": {"id": list(range(1, 1002))}}, "filters.id", "at most 1000 values, got 1001"),
    ]
    for more, field, sentence in beyond:
        with pytest.raises(Invalid, match=sentence) as caught:
            listing.list_records("answer", **more)
        assert [issue.field for issue in caught.value.issues] == [field]
    assert listing.list_records("answer", search="x" * 255).matched == 0
    assert refused("product", shop.product, product_listing_ids=list(range(1, 10_002))) == ["product_listing_ids"]


def test_a_code_is_found_whatever_its_script(author: View, shop: Shop) -> None:
    writing.update("answer", shop.red, {"sku": "ä1 straße"})
    for search in ("ä1", "straße", "1 str"):
        assert [row["id"] for row in listing.list_records("answer", search=search).items] == [shop.red]


def test_the_base_currency_is_worth_itself(author: View, shop: Shop) -> None:
    assert refused("currency", 1, multiplicator=2) == ["multiplicator"]
    assert refused("currency", shop.dollar, multiplicator=0) == ["multiplicator"]


def past_and_present(page: int) -> list[tuple[int, int, str, datetime]]:
    rows = UrlLabel.objects.filter(entity="page", record=page, language="en-GB").order_by("position")
    return list(rows.values_list("position", "scope", "label", "since"))


def test_a_label_keeps_the_moment_since_when_it_stands(author: View, shop: Shop) -> None:
    long_ago, later = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
    UrlLabel.objects.filter(entity="page", record=shop.page).update(since=long_ago)
    writing.update("page", shop.page, {"label_en_GB": "extent"})
    UrlLabel.objects.filter(entity="page", record=shop.page, label="extent").update(since=later)
    kept = past_and_present(shop.page)
    assert kept == [(0, shop.product, "extent", later), (1, shop.product, "size", long_ago)]

    writing.update("page", shop.page, {"label_en_GB": "size"})
    kept = past_and_present(shop.page)
    assert kept == [(0, shop.product, "size", long_ago), (1, shop.product, "extent", later)]

    writing.update("page", shop.page, {"label_en_GB": "format"})
    assert past_and_present(shop.page)[1:] == [
        (1, shop.product, "size", long_ago),
        (2, shop.product, "extent", later),
    ]


def test_labels_move_with_their_record_and_keep_their_moments(author: View, shop: Shop) -> None:
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    UrlLabel.objects.filter(entity="page", record=shop.second_page).update(since=long_ago)
    writing.update("page", shop.second_page, {"product_id": shop.other_product})
    assert past_and_present(shop.second_page) == [(0, shop.other_product, "look", long_ago)]
