"""What stands in the way of an undo or a redo is named, and nothing changes."""

from collections.abc import Callable

import pytest

from configbox.entities import history, reading, writing
from configbox.entities.errors import Conflict, NotFound
from tests.entities.dumps import dump, records
from tests.entities.shop import Shop, create, texts


def refusal(replay: Callable[[str], object], handle: str) -> str:
    """Return the sentence with which a replay is refused, after checking that it changed nothing."""
    before = dump()
    with pytest.raises(Conflict) as caught:
        replay(handle)
    assert dump() == before
    return caught.value.message


def test_an_earlier_set_is_not_undone_while_a_later_one_holds_its_field(shop: Shop) -> None:
    earlier = writing.update("product", shop.product, {"title_de_DE": "Pforte", "sku": "A"}).change_set
    later = writing.update("product", shop.product, {"title_de_DE": "Tor"}).change_set
    assert refusal(history.undo, earlier) == (
        f"Could not undo change set {earlier}; nothing was changed. "
        f"Product {shop.product} was changed since in Title (de-DE) [title_de_DE]."
    )
    history.undo(later)
    history.undo(earlier)


def test_every_field_that_changed_since_is_named(shop: Shop) -> None:
    earlier = writing.update("product", shop.product, {"sku": "A", "baseprice": 5, "product_custom_1": "x"}).change_set
    writing.update("product", shop.product, {"sku": "B", "baseprice": 6})
    assert refusal(history.undo, earlier).endswith(
        f"Product {shop.product} was changed since in Base price [baseprice], Article number [sku]."
    )


def test_a_set_that_left_other_fields_alone_is_undone_under_a_later_one(shop: Shop) -> None:
    earlier = writing.update("product", shop.product, {"title_de_DE": "Pforte"}).change_set
    writing.update("product", shop.product, {"title_en_GB": "Gate"})
    history.undo(earlier)
    record = records()["configbox_strings"]
    titles = {row["language"]: row["text"] for row in record if (row["field"], row["record"]) == (1, shop.product)}
    assert titles == {"en-GB": "Gate", "de-DE": "Tür"}


def test_a_record_that_was_made_and_changed_since_is_not_taken_away(shop: Shop) -> None:
    made = writing.create("product", texts("Gate", "Tor"))
    writing.update("product", made.id, {"sku": "GATE"})
    assert refusal(history.undo, made.change_set).endswith(
        f"Product {made.id} was changed since in Article number [sku]."
    )


def test_a_record_that_others_need_by_now_is_not_taken_away(shop: Shop) -> None:
    made = writing.create("page", {"product_id": shop.product} | texts("Extras"))
    question = create("question", {"page_id": made.id} | texts("Engraving", "Gravur"))
    assert refusal(history.undo, made.change_set).endswith(
        f'Page {made.id} is needed by question {question} "Engraving".'
    )


def test_a_record_that_is_gone_is_named(shop: Shop) -> None:
    changed = writing.update("product-detail-pane", shop.pane, {"css_classes": "wide"}).change_set
    writing.delete("product-detail-pane", shop.pane)
    assert refusal(history.undo, changed).endswith(f"Product detail pane {shop.pane} is gone.")


def test_a_value_that_somebody_else_holds_by_now_is_named(shop: Shop) -> None:
    freed = writing.update("currency", shop.dollar, {"code": "CAD"}).change_set
    taken = create("currency", {"code": "USD", "symbol": "$"} | texts("Dollar of others"))
    assert refusal(history.undo, freed).endswith(
        f"Currency {shop.dollar} cannot be restored. "
        f'Field Code must be unique: currency {taken} already has "USD". [code]'
    )


def test_a_label_that_somebody_else_holds_by_now_is_named(shop: Shop) -> None:
    gone = writing.delete("product", shop.other_product, change_set=_without_parts(shop)).change_set
    taken = create("product", {"label_en_GB": "window"} | texts("Pane"))
    message = refusal(history.undo, gone)
    assert f"Product {shop.other_product} cannot be restored." in message
    assert f'Field URL label (en-GB) must be unique: "window" is the address of product {taken}.' in message


def _without_parts(shop: Shop) -> str:
    return writing.delete("calculation", shop.foreign_calculation).change_set


def test_a_reference_to_what_is_gone_is_named(shop: Shop) -> None:
    writing.update("answer", shop.red, {"calcmodel": shop.area})
    detached = writing.update("answer", shop.red, {"calcmodel": None}).change_set
    writing.delete("calculation", shop.area)
    assert refusal(history.undo, detached).endswith(
        f"Answer {shop.red} cannot be restored. Field Price calculation names no calculation: there is none with id "
        f"{shop.area}. Find ids with cbx_list_entities entity=calculation. [calcmodel]"
    )


def test_a_rule_on_what_is_gone_comes_back_with_a_warning(shop: Shop) -> None:
    """What a rule names is judged by writes; undo reports it and restores the rule."""
    rule = {"question": shop.width, "operator": "==", "value": "wide"}
    writing.update("question", shop.material, {"rules": rule})
    removed = writing.update("question", shop.material, {"rules": None}).change_set
    writing.delete("question", shop.width)
    (warning,) = history.undo(removed).warnings
    assert warning.field == "rules"
    assert warning.message.startswith(f"Field Rules names question {shop.width}, which is no question of product")
    assert reading.get("question", shop.material)["rules"] == rule


def test_a_redo_meets_the_same_obstacles(shop: Shop) -> None:
    changed = writing.update("product", shop.product, {"sku": "A"}).change_set
    history.undo(changed)
    writing.update("product", shop.product, {"sku": "C"})
    assert refusal(history.redo, changed) == (
        f"Could not redo change set {changed}; nothing was changed. "
        f"Product {shop.product} was changed since in Article number [sku]."
    )


def test_a_set_is_undone_once_and_redone_once(shop: Shop) -> None:
    handle = writing.update("product", shop.product, {"sku": "A"}).change_set
    assert refusal(history.redo, handle) == f"Change set {handle} is open; only an undone one can be redone."
    history.undo(handle)
    assert refusal(history.undo, handle) == f"Change set {handle} is undone; it cannot be undone."
    history.redo(handle)
    assert refusal(history.redo, handle) == f"Change set {handle} is applied; only an undone one can be redone."


def test_a_set_that_does_not_exist_is_said_to(shop: Shop) -> None:
    with pytest.raises(NotFound) as caught:
        history.undo("nosuch")
    assert caught.value.message == 'There is no change set "nosuch". `manage.py changes list` names them.'


def test_a_fault_that_a_restored_value_has_today_is_a_warning(shop: Shop) -> None:
    limited = {"validate": True, "input_restriction": "integer", "set_min_value": "static", "set_max_value": "static"}
    writing.update("question", shop.width, limited | {"minval": 1, "maxval": 10})
    raised = writing.update("question", shop.width, {"maxval": 100}).change_set
    writing.update("question", shop.width, {"minval": 50})
    assert [(issue.field, issue.message) for issue in history.undo(raised).warnings] == [
        ("maxval", "Field Maximum must be at least the minimum 50, got 10.")
    ]
    assert reading.get("question", shop.width)["maxval"] == 10
