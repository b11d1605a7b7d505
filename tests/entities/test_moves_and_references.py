"""What moves keeps what names it sound; what comes back never steps back behind a revision that was given."""

import pytest

from configbox.catalog.models import ProductListAssignment, Question
from configbox.entities import history, reading, writing
from configbox.entities.errors import InUse, Invalid
from configbox.entities.view import View
from tests.entities.shop import Shop, create, texts

pytestmark = pytest.mark.django_db


def refused(entity: str, pk: int, **fields: object) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        writing.update(entity, pk, fields)
    return [(issue.field, issue.code) for issue in caught.value.issues]


@pytest.mark.parametrize("carrier", ["question", "answer"])
def test_an_attached_calculation_holds_what_it_is_attached_to(carrier: str, author: View, shop: Shop) -> None:
    holder = shop.width if carrier == "question" else create("answer", {"question_id": shop.width} | texts("Any"))
    writing.update(carrier, holder, {"calcmodel": shop.area})
    elsewhere = create("page", {"product_id": shop.other_product} | texts("Elsewhere"))
    assert ("page_id", "in_use") in refused("question", shop.width, page_id=elsewhere)
    assert ("product_id", "in_use") in refused("page", shop.page, product_id=shop.other_product)
    writing.update(carrier, holder, {"calcmodel": None})
    writing.update("question", shop.width, {"page_id": elsewhere})


def test_a_move_and_new_calculation_go_together(author: View, shop: Shop) -> None:
    writing.update("question", shop.width, {"calcmodel": shop.area})
    elsewhere = create("page", {"product_id": shop.other_product} | texts("Elsewhere"))
    assert ("page_id", "in_use") in refused(
        "question", shop.width, page_id=elsewhere, calcmodel=shop.foreign_calculation
    )


def test_a_record_that_crosses_products_comes_back_with_a_warning(author: View, shop: Shop) -> None:
    """Undo restores without judging: a fault that was there before does not make a delete final."""
    Question.objects.filter(pk=shop.width).update(calcmodel=shop.foreign_calculation)
    gone = writing.delete("question", shop.width)
    undone = history.undo(gone.change_set)
    assert [issue.field for issue in undone.warnings] == ["calcmodel"]
    assert reading.get("question", shop.width)["calcmodel"] == shop.foreign_calculation


def test_a_type_stays_while_rules_name_its_answers(author: View, shop: Shop) -> None:
    rule = {"question": shop.material, "operator": "==", "value": shop.oak}
    writing.update("answer", shop.red, {"rules": rule})
    assert refused("question", shop.material, question_type="textbox") == [("question_type", "in_use")]
    writing.update("question", shop.material, {"question_type": "dropdown"})


@pytest.mark.parametrize("spelt", ["12.0", '" 12"', '"0012"', "12"])
def test_an_id_is_seen_however_it_is_spelt(spelt: str, author: View, shop: Shop) -> None:
    spelt = spelt.replace("12", str(shop.width))
    raw = f'[{{"type":"Odd","questionId":{spelt}}}]'
    Question.objects.filter(pk=shop.material).update(rules=raw)
    with pytest.raises(InUse):
        writing.delete("question", shop.width)


def test_a_revision_only_grows_through_undo_and_redo(author: View, shop: Shop) -> None:
    made = writing.create("page", {"product_id": shop.product} | texts("New"))
    changed = writing.update("page", made.id, {"css_classes": "wide"})
    highest = changed.record["rev"]
    for step in (history.undo, history.redo, history.undo):
        step(changed.change_set)
        rev = reading.get("page", made.id)["rev"]
        assert rev > highest
        highest = rev
    history.undo(made.change_set)
    history.redo(made.change_set)
    assert reading.get("page", made.id)["rev"] > highest


def test_a_row_of_a_list_comes_back_with_a_higher_revision(author: View, shop: Shop) -> None:
    for ordering in (30, 40, 50):
        writing.update("product-list-assignment", shop.assignment, {"ordering": ordering})
    highest = ProductListAssignment.objects.get(pk=shop.assignment).rev
    emptied = writing.update("product", shop.product, {"product_listing_ids": []})
    history.undo(emptied.change_set)
    back = ProductListAssignment.objects.get(pk=shop.assignment)
    assert (back.ordering, back.rev > highest) == (50, True)


def test_a_label_in_a_language_that_is_not_active_is_a_fault_too(author: View, shop: Shop) -> None:
    create("page", {"product_id": shop.other_product, "label_de_DE": "gleich"} | texts("There"))
    here = create("page", {"product_id": shop.product, "label_de_DE": "gleich"} | texts("Here"))
    writing.update("settings", 1, {"active_languages": ["en-GB"]})
    assert ("label_de_DE", "unique") in refused("page", here, product_id=shop.other_product)
