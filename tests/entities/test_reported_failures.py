"""Failures that people reported of other products, as far as reading and writing records can have them."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from configbox.catalog.models import Answer, Page, Question
from configbox.entities import listing, reading, writing
from configbox.entities.errors import EntityError, InUse, Invalid
from configbox.entities.view import View, view
from configbox.languages.models import Text
from tests.entities.dumps import dump
from tests.entities.shop import Shop, create, texts

pytestmark = pytest.mark.django_db


def refused(entity: str, pk: int, **fields: Any) -> list[str]:
    """Return the fields that a write is refused for; nothing may change."""
    before = dump()
    with pytest.raises(Invalid) as caught:
        writing.update(entity, pk, fields)
    assert dump() == before
    return [issue.field for issue in caught.value.issues]


def rule(question: int, value: Any) -> dict[str, Any]:
    return {"question": question, "operator": "==", "value": value}


# --- G05: references that point forward or in a circle ------------------------------------------------------------
def test_g05_records_may_name_each_other(author: View, shop: Shop) -> None:
    writing.update("question", shop.width, {"rules": rule(shop.material, shop.oak)})
    writing.update("answer", shop.oak, {"rules": {"question": shop.width, "operator": ">", "value": 3}})
    for entity, pk in (("question", shop.width), ("answer", shop.oak)):
        record = reading.get(entity, pk)
        assert writing.update(entity, pk, record).change_set == ""


# --- G06: deleting what is still referenced -----------------------------------------------------------------------
@pytest.mark.parametrize("carrier", ["question rule", "nested answer rule", "raw rule", "calculation"])
def test_g06_what_is_referenced_cannot_be_deleted(carrier: str, author: View, shop: Shop) -> None:
    entity, pk, holder, holder_id = "question", shop.width, "question", shop.material
    nested = {"all": [rule(shop.material, shop.oak), {"any": [rule(shop.width, "7"), rule(shop.material, shop.oak)]}]}
    if carrier == "question rule":
        writing.update("question", shop.material, {"rules": rule(shop.width, "7")})
    elif carrier == "nested answer rule":
        holder, holder_id = "answer", shop.red
        writing.update("answer", shop.red, {"rules": nested})
    elif carrier == "raw rule":
        mixed = (
            f'[{{"type":"QuestionProperty","questionId":"{shop.width}","field":"selected","operator":"==","value":"7"}},'
            '{"type":"combinator","kind":"and"},{"type":"Odd"},{"type":"combinator","kind":"OR"},{"type":"Odd"}]'
        )
        Question.objects.filter(pk=shop.material).update(rules=mixed)
    else:
        entity, pk, holder_id = "calculation", shop.area, shop.width
        writing.update("question", shop.width, {"calcmodel": shop.area})
    before = dump()
    with pytest.raises(InUse) as caught:
        writing.delete(entity, pk)
    assert [(each.model.options().name, each.id) for each in caught.value.blockers] == [(holder, holder_id)]
    assert f'{holder} {holder_id} "' in caught.value.message
    assert dump() == before
    Question.objects.update(rules="", calcmodel=None)
    Answer.objects.update(rules="")
    writing.delete(entity, pk)


def test_g06_an_answer_that_a_rule_names_cannot_be_deleted(author: View, shop: Shop) -> None:
    writing.update("question", shop.width, {"rules": rule(shop.material, shop.oak)})
    with pytest.raises(InUse):
        writing.delete("answer", shop.oak)
    with pytest.raises(Invalid) as caught:
        writing.update("answer", shop.oak, {"question_id": shop.colour})
    assert [issue.field for issue in caught.value.issues] == ["question_id"]


# --- G15, G16: decimals on the wire -------------------------------------------------------------------------------
@pytest.mark.parametrize("sent", [Decimal("19.99"), "19.99", Decimal("26624.34"), 7, "7", "0", "-3.5", "1234.5678"])
def test_g15_an_amount_keeps_its_digits(sent: Any, author: View, shop: Shop) -> None:
    writing.update("product", shop.product, {"baseprice": sent})
    assert reading.get("product", shop.product)["baseprice"] == Decimal(sent)
    assert listing.list_records("product", filters={"id": shop.product}).items[0]["baseprice"] == Decimal(sent)
    assert 3 * Decimal("19.99") == Decimal("59.97")


WRONG_NUMBERS = ["1e3", " 12 ", "1_000", "٣", "18,50", "1.234,50", "", "abc", True, None, 1.5, Decimal("NaN"), [], {}]


@pytest.mark.parametrize("sent", [*WRONG_NUMBERS, "1.23456", "1234567890123456", 10**40, Decimal("1E+30")])
def test_g15_g16_what_is_no_plain_number_is_refused(sent: Any, author: View, shop: Shop) -> None:
    assert refused("product", shop.product, baseprice=sent) == ["baseprice"]


# --- G17: partial updates -----------------------------------------------------------------------------------------
def test_g17_an_update_changes_what_is_sent_and_nothing_else(author: View, shop: Shop) -> None:
    writing.update(
        "question",
        shop.colour,
        {"required": True, "ordering": 7, "rules": rule(shop.material, shop.oak), "calcmodel": shop.area},
    )
    before = reading.get("question", shop.colour)
    after = writing.update("question", shop.colour, {"title_en_GB": "Shade"}).record
    assert {key for key in after if after[key] != before[key]} == {"rev", "title_en_GB"}
    assert writing.update("question", shop.colour, {}).change_set == ""


def test_g17_an_old_fault_elsewhere_is_a_warning(author: View, shop: Shop) -> None:
    Text.objects.filter(field=4, record=shop.colour, language="de-DE").delete()
    written = writing.update("question", shop.colour, {"rules": rule(shop.material, shop.oak)})
    assert [(issue.field, issue.message) for issue in written.warnings] == [
        ("title_de_DE", "Field Title (de-DE) cannot be empty.")
    ]


# --- G18: one language never touches another ----------------------------------------------------------------------
def test_g18_a_text_goes_where_it_was_sent(author: View, shop: Shop) -> None:
    with view(actor="stdio", grant=author.grant, door="stdio", language="de-DE"):
        writing.update("product", shop.product, {"title_de_DE": "Tor"})
        record = reading.get("product", shop.product)
        assert (record["title_en_GB"], record["title_de_DE"]) == ("Door", "Tor")
        with pytest.raises(Invalid) as caught:
            writing.create("product", {"title_de_DE": "Nur deutsch"})
    assert [issue.field for issue in caught.value.issues] == ["title_en_GB"]


@pytest.mark.parametrize("key", ["title", "title-de-DE", "title.de_DE", "title_fr_FR", "titel_en_GB"])
def test_g18_other_forms_of_a_text_key_are_refused(key: str, author: View, shop: Shop) -> None:
    assert refused("product", shop.product, **{key: "x"}) == [key]


# --- G19: four-byte characters ------------------------------------------------------------------------------------
HOSTILE = [
    "Tür 🚪 Größe 👨‍👩‍👧 باب",
    '5" pipe \\ C:\\new',
    'Nut & bolt <M8> "A2"',
    "&amp;amp;",
    "\u202eabc\u2028",
    " a ",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_g19_g20_texts_survive(text: str, author: View, shop: Shop) -> None:
    for _ in range(3):
        writing.update("answer", shop.red, {"title_en_GB": text, "option_custom_1": text})
        record = reading.get("answer", shop.red)
        assert (record["title_en_GB"], record["option_custom_1"]) == (text, text)
        writing.update("answer", shop.red, {"title_en_GB": "between"})
    writing.update("answer", shop.red, {"title_en_GB": text})
    found = listing.list_records("answer", search=text.strip()).items
    assert shop.red in [row["id"] for row in found]


@pytest.mark.parametrize("text", HOSTILE)
def test_g20_a_rule_keeps_its_texts(text: str, author: View, shop: Shop) -> None:
    wanted = rule(shop.width, text)
    for _ in range(3):
        writing.update("answer", shop.red, {"rules": wanted})
        assert reading.get("answer", shop.red)["rules"] == wanted
        assert listing.list_records("answer", filters={"id": shop.red}).items[0]["rules"] == wanted
        writing.update("answer", shop.red, {"rules": None})


def test_g19_every_table_holds_four_byte_characters(author: View) -> None:
    if connection.vendor != "mysql":
        assert connection.vendor == "sqlite"
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, character_set_name FROM information_schema.columns "
            "WHERE table_schema = DATABASE() AND character_set_name IS NOT NULL AND character_set_name <> 'utf8mb4'"
        )
        assert cursor.fetchall() == ()
        cursor.execute("SELECT @@character_set_client, @@character_set_connection, @@character_set_results")
        assert cursor.fetchone() == ("utf8mb4", "utf8mb4", "utf8mb4")


def test_codes_compare_by_bytes(author: View, shop: Shop) -> None:
    for sku in ("SKU", "sku", "sku "):
        create("product", {"sku": sku} | texts(f"Product {sku}"))
    found = {
        sku: listing.list_records("product", filters={"sku": sku}).matched for sku in ("SKU", "sku", "sku ", "sKu")
    }
    assert found == {"SKU": 1, "sku": 1, "sku ": 1, "sKu": 0}
    assert listing.list_records("product", search="skU").matched == 3


# --- G21: over-long and hostile -----------------------------------------------------------------------------------
def test_g21_limits_count_characters_and_nothing_is_cut(author: View, shop: Shop) -> None:
    writing.update("answer", shop.red, {"title_en_GB": "ä" * 255})
    assert reading.get("answer", shop.red)["title_en_GB"] == "ä" * 255
    assert refused("answer", shop.red, title_en_GB="ä" * 256) == ["title_en_GB"]
    long = "x" * 50_000 + "🚪" * 20_000
    writing.update("answer", shop.red, {"description_en_GB": long})
    assert reading.get("answer", shop.red)["description_en_GB"] == long


def test_g21_a_rule_may_be_longer_than_64_kilobytes(author: View, shop: Shop) -> None:
    wanted = {"any": [rule(shop.width, f"value {number}") for number in range(1000)]}
    writing.update("answer", shop.red, {"rules": wanted})
    assert len(Answer.objects.get(pk=shop.red).rules) > 64 * 1024
    assert reading.get("answer", shop.red)["rules"] == wanted


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "\udfff end"])
def test_g21_what_no_database_stores_is_refused(text: str, author: View, shop: Shop) -> None:
    assert refused("answer", shop.red, title_en_GB=text) == ["title_en_GB"]
    assert refused("answer", shop.red, option_custom_1=text) == ["option_custom_1"]
    assert refused("answer", shop.red, rules=rule(shop.width, text)) == ["rules"]
    with pytest.raises(EntityError):
        listing.list_records("answer", search=text)
    with pytest.raises(EntityError):
        listing.list_records("answer", filters={"sku": text})


# --- G23: null, missing, "", 0 and [] -----------------------------------------------------------------------------
def test_g23_a_reference_is_set_kept_and_cleared(author: View, shop: Shop) -> None:
    def calcmodel(**fields: Any) -> Any:
        return writing.update("question", shop.width, fields).record["calcmodel"]

    assert calcmodel(calcmodel=shop.area) == shop.area
    assert calcmodel() == shop.area
    assert calcmodel(calcmodel=None) is None
    assert calcmodel(calcmodel=str(shop.area)) == shop.area
    for wrong in (0, "0", -1, 999_999, "", "7a", 1.5, True, [], 2**40):
        assert refused("question", shop.width, calcmodel=wrong) == ["calcmodel"]


def test_g23_empty_lists_and_texts_are_values(author: View, shop: Shop) -> None:
    written = writing.update("product", shop.product, {"product_listing_ids": []})
    assert written.record["product_listing_ids"] == []
    writing.update("answer", shop.red, texts("Shown", "Gezeigt", "description"))
    record = writing.update("answer", shop.red, {"description_de_DE": ""}).record
    assert (record["description_en_GB"], record["description_de_DE"]) == ("Shown", "")
    assert refused("answer", shop.red, title_de_DE="") == ["title_de_DE"]
    assert refused("product", shop.product, product_listing_ids=None) == ["product_listing_ids"]
    assert refused("product", shop.product, product_listing_ids=[shop.shown, shop.shown]) == ["product_listing_ids"]


# --- G37: ordering ------------------------------------------------------------------------------------------------
def _order(question: int) -> list[int]:
    return [row["id"] for row in listing.list_records("answer", filters={"question_id": question}).items]


def test_g37_a_new_record_goes_last_and_a_move_stays_inside(author: View, shop: Shop) -> None:
    third = create("answer", {"question_id": shop.colour} | texts("Green"))
    assert _order(shop.colour) == [shop.red, shop.blue, third]
    writing.delete("answer", shop.blue)
    fourth = create("answer", {"question_id": shop.colour} | texts("Black"))
    assert _order(shop.colour) == [shop.red, third, fourth]
    places = {pk: reading.get("answer", pk)["ordering"] for pk in (third, fourth)}
    assert places[fourth] == places[third] + 10
    others = _order(shop.material)
    writing.update("answer", fourth, {"ordering": 0})
    assert _order(shop.colour) == [fourth, shop.red, third]
    assert _order(shop.material) == others
    assert refused("answer", third, ordering=-1) == ["ordering"]


def test_g37_ties_are_broken_by_id_and_one_move_separates_them(author: View, shop: Shop) -> None:
    tied = [create("answer", {"question_id": shop.material, "ordering": 0} | texts(f"Tied {n}")) for n in range(3)]
    assert _order(shop.material) == [*tied, shop.oak]
    writing.update("answer", tied[0], {"ordering": 5})
    assert _order(shop.material) == [tied[1], tied[2], tied[0], shop.oak]


# --- moving between products --------------------------------------------------------------------------------------
def test_a_question_that_rules_name_stays_in_its_product(author: View, shop: Shop) -> None:
    writing.update("answer", shop.red, {"rules": rule(shop.width, "7")})
    elsewhere = create("page", {"product_id": shop.other_product} | texts("Elsewhere"))
    assert refused("question", shop.width, page_id=elsewhere) == ["page_id"]
    assert refused("page", shop.page, product_id=shop.other_product) == ["product_id"]
    assert refused("question", shop.width, published=False) == ["published"]
    writing.update("answer", shop.red, {"rules": None})
    writing.update("page", shop.page, {"product_id": shop.other_product})
    assert Page.objects.get(pk=shop.page).product_id == shop.other_product
