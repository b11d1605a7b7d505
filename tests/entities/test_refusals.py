"""The words with which a write is refused: what is wrong, what was got, what is valid."""

import logging
from typing import Any

import pytest

from configbox.catalog.models import Product
from configbox.entities import deciding, reading, writing
from configbox.entities.errors import Invalid, NotFound, Refused
from configbox.entities.view import View
from tests.entities.dumps import dump
from tests.entities.shop import Shop, create, texts

pytestmark = pytest.mark.django_db


def issues(entity: str, pk: int | None, fields: Any) -> dict[str, str]:
    """Return the sentences with which a write is refused, by field, after checking that it changed nothing."""
    before = dump()
    with pytest.raises(Invalid) as caught:
        writing.create(entity, fields) if pk is None else writing.update(entity, pk, fields)
    assert dump() == before
    return {issue.field: issue.message for issue in caught.value.issues}


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("base_price", 'There is no field "base_price". Did you mean "baseprice"?'),
        ("tite_en_GB", 'There is no field "tite_en_GB". Did you mean "title_en_GB"?'),
        ("zzz", 'There is no field "zzz". cbx_describe_entity entity=product names them.'),
        ("__proto__", 'There is no field "__proto__". cbx_describe_entity entity=product names them.'),
        ("", 'There is no field "". cbx_describe_entity entity=product names them.'),
        ("title", 'Field "title" has one text per language: send title_en_GB, title_de_DE.'),
        ("label", 'Field "label" has one text per language: send label_en_GB, label_de_DE.'),
        ("title-de-DE", 'Field "title-de-DE" is written with underscores: send title_de_DE.'),
        ("title_de-DE", 'Field "title_de-DE" is written with underscores: send title_de_DE.'),
        ("title_fr_FR", 'Field "title_fr_FR" is in a language that is not active; active are en-GB, de-DE.'),
        ("id", "Field id is read-only: leave it out, or send it as it was read."),
        ("rev", "Field rev is read-only: leave it out, or send it as it was read."),
        ("is_configurable", "Field Has published pages is read-only: leave it out, or send it as it was read."),
        ("pages", "Field Pages (childentries) cannot be written here: leave it out, or send it as it was read."),
        ("prod_image", "Field Picture (image) cannot be written here: leave it out, or send it as it was read."),
    ],
)
def test_a_key_that_cannot_be_sent(key: str, message: str, author: View, shop: Shop) -> None:
    assert issues("product", shop.product, {key: "x"}) == {key: message}
    assert issues("product", None, {key: "x"} | texts("New"))[key] == message


def test_a_nested_text_names_the_flat_keys(author: View, shop: Shop) -> None:
    assert issues("product", shop.product, {"title": {"en-GB": "Gate"}}) == {
        "title": 'Field "title" has one text per language: send title_en_GB, title_de_DE.'
    }


@pytest.mark.parametrize("fields", [None, [], "x", 7])
def test_fields_are_an_object(fields: Any, author: View, shop: Shop) -> None:
    assert list(issues("product", shop.product, fields)) == ["fields"]


@pytest.mark.parametrize(
    ("entity", "attribute", "key"),
    [
        ("product", "product", "id"),
        ("product", "product", "rev"),
        ("product", "product", "is_configurable"),
        ("product", "product", "first_page_id"),
        ("currency", "dollar", "base"),
    ],
)
def test_a_read_only_field_passes_as_it_was_read(
    entity: str, attribute: str, key: str, author: View, shop: Shop
) -> None:
    pk = getattr(shop, attribute)
    present = reading.get(entity, pk)[key]
    assert writing.update(entity, pk, {key: present}).change_set == ""
    changed = not present if isinstance(present, bool) else present + 1
    assert list(issues(entity, pk, {key: changed})) == [key]
    # A number is not what was read where a boolean was.
    if isinstance(present, bool):
        assert list(issues(entity, pk, {key: int(present)})) == [key]


def test_what_is_locked_passes_as_it_was_read(author: View, shop: Shop) -> None:
    assert writing.update("calculation", shop.area, {"product_id": shop.product}).change_set == ""
    assert issues("calculation", shop.area, {"product_id": shop.other_product}) == {
        "product_id": f"Field Product cannot change once the record is stored; it is {shop.product}."
    }


def test_every_fault_is_named_at_once(author: View, shop: Shop) -> None:
    assert issues("answer", None, {"price": "18,50", "titel": "x", "default": "yes"}) == {
        "price": "Field Price must be a number such as 12.5, with a point and without thousands separators, "
        'got "18,50".',
        "titel": 'There is no field "titel". cbx_describe_entity entity=answer names them.',
        "default": 'Field Preselected must be true or false, got "yes".',
        "question_id": "Field Question cannot be empty.",
        "title_en_GB": "Field Title (en-GB) cannot be empty.",
        "title_de_DE": "Field Title (de-DE) cannot be empty.",
    }


# --- what applies -----------------------------------------------------------------------------------------------


def test_what_does_not_apply_is_not_required_and_keeps_its_value(author: View, shop: Shop) -> None:
    calendar = {"question_type": "calendar", "calendar_validation_type_min": "days", "calendar_days_min": 3}
    pk = create("question", {"page_id": shop.page} | calendar | texts("Day", "Tag"))
    writing.update("question", pk, {"question_type": "textbox"})
    assert reading.get("question", pk)["calendar_days_min"] == 3
    assert writing.update("question", pk, {"calendar_days_min": None}).record["calendar_days_min"] is None
    assert issues("question", pk, {"question_type": "calendar"}) == {
        "calendar_days_min": "Field Earliest date in days cannot be empty."
    }
    writing.update("question", pk, {"question_type": "calendar", "calendar_days_min": 0})


def test_a_condition_that_comes_to_hold_asks_for_every_language(author: View, shop: Shop) -> None:
    assert issues("question", shop.width, {"show_unit": True}) == {
        "unit_en_GB": "Field Unit (en-GB) cannot be empty.",
        "unit_de_DE": "Field Unit (de-DE) cannot be empty.",
    }
    writing.update("question", shop.width, {"show_unit": True} | texts("mm", "mm", "unit"))
    assert issues("question", shop.width, {"unit_de_DE": ""}) == {"unit_de_DE": "Field Unit (de-DE) cannot be empty."}


def test_what_does_not_apply_yet_is_kept_until_it_does(author: View, shop: Shop) -> None:
    writing.update("answer", shop.red, {"price_recurring": "5"})
    writing.update("product", shop.product, {"use_recurring_pricing": True})
    assert str(reading.get("answer", shop.red)["price_recurring"]) == "5.00"


def test_a_language_that_comes_later_makes_old_records_faulty_but_writable(author: View, shop: Shop) -> None:
    writing.update("settings", 1, {"active_languages": ["en-GB", "de-DE", "fr-FR"]})
    written = writing.update("product", shop.product, {"sku": "GATE"})
    assert [(issue.field, issue.message) for issue in written.warnings] == [
        ("title_fr_FR", "Field Title (fr-FR) cannot be empty.")
    ]
    assert issues("product", shop.product, {"title_de_DE": ""}) == {
        "title_de_DE": "Field Title (de-DE) cannot be empty."
    }
    assert "title_fr_FR" in issues("product", None, texts("New"))


# --- lists of ids and languages ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (None, "cannot be null: expected a list of ids of product lists."),
        (7, "must be a list of ids of product lists, got 7."),
        ("1,2", 'must be a list of ids of product lists, got "1,2".'),
        ([0], "must be a list of ids of product lists; 0 is no id."),
        ([True], "must be a list of ids of product lists; true is no id."),
        ([1.5], "must be a list of ids of product lists; 1.5 is no id."),
        ([1, "1"], "names 1 twice; each id may stand once."),
        (
            [777],
            "names no product list: there is none with id 777. Find ids with cbx_list_entities entity=product-list.",
        ),
    ],
)
def test_a_list_of_ids(sent: Any, message: str, author: View, shop: Shop) -> None:
    assert issues("product", shop.product, {"product_listing_ids": sent}) == {
        "product_listing_ids": f"Field Product lists {message}"
    }


@pytest.mark.parametrize("sent", [None, "en-GB", [], ["english"], ["en_GB"], ["en-GB", "en-GB"], ["en-gb"], [7]])
def test_languages_that_cannot_be(sent: Any, author: View, shop: Shop) -> None:
    assert list(issues("settings", 1, {"active_languages": sent})) == ["active_languages"]


def test_the_default_language_is_not_taken_out(author: View, shop: Shop) -> None:
    assert list(issues("settings", 1, {"active_languages": ["de-DE"]})) == ["language_tag"]
    writing.update("settings", 1, {"active_languages": ["de-DE"], "language_tag": "de-DE"})


# --- defaults ---------------------------------------------------------------------------------------------------


def test_a_default_that_its_own_property_refuses_is_dropped_and_logged(
    author: View, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    deciding._warn_of_default.cache_clear()
    with caplog.at_level(logging.WARNING, "configbox.entities"):
        pk = create("product", texts("New"))
        create("product", texts("Newer"))
    assert Product.objects.get(pk=pk).detail_panes_display_method == ""
    assert [record.getMessage() for record in caplog.records] == [
        'The default of Product.detail_panes_display_method must be one of "tabs"; got "accordeon". It is dropped.'
    ]


def test_what_is_not_sent_is_empty_or_nothing(author: View, shop: Shop) -> None:
    record = reading.get("product", create("product", texts("New")))
    assert {key: record[key] for key in ("sku", "taxclass_id", "product_listing_ids", "description_de_DE")} == {
        "sku": "",
        "taxclass_id": None,
        "product_listing_ids": [],
        "description_de_DE": "",
    }


# --- records and entities ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("pk", [True, "x", "", None, 1.5, [], "1 ", "٣"])
def test_an_id_that_is_none(pk: Any, author: View, shop: Shop) -> None:
    with pytest.raises(Invalid) as caught:
        writing.update("product", pk, {})
    assert [issue.field for issue in caught.value.issues] == ["id"]


@pytest.mark.parametrize("pk", [0, -1, 26037, "26037", 2**31, 2**63, 10**40])
def test_a_record_that_is_not_there(pk: Any, author: View, shop: Shop) -> None:
    for call in (reading.get, writing.delete):
        with pytest.raises(NotFound) as caught:
            call("product", pk)
        assert caught.value.message == f"No product found with id {pk}."


def test_an_entity_that_is_not_there(author: View, shop: Shop) -> None:
    with pytest.raises(NotFound) as caught:
        reading.get("prodct", 1)
    assert caught.value.message.startswith('There is no entity "prodct". Did you mean "product"? Valid are ')


def test_what_cannot_be_done_with_an_entity(author: View, shop: Shop) -> None:
    for call in (lambda: writing.create("settings", {}), lambda: writing.delete("store", 1)):
        with pytest.raises(Refused) as caught:
            call()
        assert "what can be done with it: list, read, update." in caught.value.message
