"""Whatever a write moves stands in its change: every property of every entity, and every row of every table."""

from collections.abc import Callable
from typing import Any

import pytest

from configbox.catalog.models import UrlLabel as UrlLabelRow
from configbox.entities import changes, history, storing, writing
from configbox.entities.images import image_of
from configbox.entities.registry import model_of
from configbox.languages.models import Language, Text
from configbox.properties.base import Property
from configbox.properties.columns import Boolean, Choice, DateTime, NumberedChoice
from configbox.properties.entity import key_map, properties, translated_properties
from configbox.properties.files import File
from configbox.properties.json_values import read_json
from configbox.properties.numbers import Number, Whole
from configbox.properties.owned import ActiveLanguages, Children, Computed, LanguageChoice, References
from configbox.properties.references import Reference
from configbox.properties.rule import Rule
from configbox.properties.schema import writable_keys
from configbox.properties.url_label import UrlLabel
from configbox.store.models import Country
from configbox.system.models import Change
from tests.entities.dumps import dump, unaccounted
from tests.entities.shop import ENTITY_NAMES, TAGS, Shop, create, image, png, records_of, texts
from tests.entities.values import candidates

# What no caller of the pipeline may send, beside files: operations and the admin store it.
NEVER_SENT = {
    "answer": ["shapediver_choice_value"],
    "currency": ["default", "base"],
    "product": ["shapediver_model_data"],
    "question": ["shapediver_parameter_id"],
}


def all_changes() -> list[Change]:
    return list(Change.objects.order_by("pk"))


def checked(write: Callable[[], Any]) -> list[Change]:
    """Run a write, hold the store's rows against its changes, and return these."""
    before, known = dump(), {change.pk for change in all_changes()}
    write()
    made = [change for change in all_changes() if change.pk not in known]
    assert unaccounted(before, dump(), made) == []
    return made


def keys_in(change: Change) -> set[str]:
    """Return the keys whose values a change moves, those of sensitive properties included."""
    before, after, hidden = (read_json(text) for text in (change.before, change.after, change.hidden))
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert isinstance(hidden, list)
    return {key for key in {*before, *after} if before.get(key) != after.get(key)} | set(hidden)


def other_value(each: Property, present: Any, shop: Shop) -> Any:
    """Return a value to send that means something else than the one which is there."""
    match each:
        case LanguageChoice():
            tried: list[Any] = ["de-DE"]
        case ActiveLanguages():
            tried = [["de-DE", "en-GB", "fr-FR"]]
        case Rule():
            tried = [{"question": shop.colour, "operator": "==", "value": shop.red}]
        case References():
            tried = [[shop.hidden, shop.shown]]
        case Reference():
            tried = candidates(shop)[each.target.options().name] + [shop.other_product]
        case Choice() | NumberedChoice():
            tried = [key for key, _ in each.options if key != "shapediver"]
        case Boolean():
            tried = [True, False]
        case DateTime():
            tried = ["2026-12-24T18:00:00+01:00"]
        case Number() | Whole():
            tried = ["99", "98"]
        case UrlLabel():
            tried = ["another"]
        case _:
            tried = ["x"]
    # A preset value that every type of question takes which a test of one property sets.
    tried = ["12"] if each.name == "default_value" else tried
    different = (raw for raw in tried if not each.same(each.combine(present, each.read(raw)), present))
    return next(different)


@pytest.mark.parametrize("name", ENTITY_NAMES)
def test_every_property_is_found_in_a_change(name: str, shop: Shop) -> None:
    pk, writable = records_of(shop)[name], writable_keys(model_of(name), TAGS)
    # What is required under a condition is written before its condition comes to hold.
    for key, each in sorted(writable.items(), key=lambda item: not item[1].prop.required):
        if each.prop.locked_after_store:
            continue
        value = other_value(each, image(name, pk)[key], shop)
        (change,) = checked(lambda key=key, value=value: writing.update(name, pk, {key: value}))
        assert (change.entity, change.record, change.operation) == (name, pk, "update")
        assert keys_in(change) == {key}


@pytest.mark.parametrize("name", ENTITY_NAMES)
def test_every_picture_is_found_in_a_change(name: str, shop: Shop) -> None:
    pk = records_of(shop)[name]
    for number, each in enumerate(each for each in properties(model_of(name)).values() if isinstance(each, File)):
        (change,) = checked(lambda each=each, number=number: writing.update(name, pk, {each.key: png(number)}))
        assert keys_in(change) == {each.key}


@pytest.mark.parametrize("name", ENTITY_NAMES)
def test_what_no_caller_may_send_is_found_in_a_change_too(name: str, shop: Shop) -> None:
    pk, model = records_of(shop)[name], model_of(name)
    sendable = writable_keys(model, TAGS)
    every = key_map(model, TAGS).items()
    never = [key for key, each in every if key not in sendable and not isinstance(each, File | Computed | Children)]
    assert never == NEVER_SENT.get(name, [])
    for key in never:
        (change,) = checked(lambda key=key: _store(name, pk, key))
        assert keys_in(change) == {key}


def _store(name: str, pk: int, key: str) -> None:
    """Store one value past the deciding, as an operation does."""
    model = model_of(name)
    record = model.objects.get(pk=pk)
    before = image_of(record, TAGS)
    value = not before[key] if isinstance(before[key], bool) else "changed"
    record, after = storing.store_changed(record, before, {**before, key: value}, tags=TAGS)
    into = changes.open_set()
    changes.record_change(into, model, pk, "update", before, after, rev=record.rev, tags=TAGS, language="en-GB")


def test_a_create_and_a_delete_account_for_all_their_rows(shop: Shop) -> None:
    made: list[int] = []
    fields = {"product_listing_ids": [shop.shown, shop.hidden], "prod_image": png()} | texts("Gate", "Tor")
    (change,) = checked(lambda: made.append(create("product", fields)))
    assert (change.entity, change.record, change.operation) == ("product", made[0], "create")
    (change,) = checked(lambda: writing.delete("product", made[0]))
    assert (change.entity, change.record, change.operation) == ("product", made[0], "delete")


def test_rows_of_a_list_are_accounted_for_from_both_sides(shop: Shop) -> None:
    (change,) = checked(lambda: writing.update("product", shop.product, {"product_listing_ids": [shop.hidden]}))
    assert (change.entity, keys_in(change)) == ("product", {"product_listing_ids"})
    (change,) = checked(
        lambda: create("product-list-assignment", {"product_id": shop.other_product, "listing_id": shop.shown})
    )
    assert (change.entity, change.operation) == ("product-list-assignment", "create")


def test_a_page_that_moves_takes_its_labels_along(shop: Shop) -> None:
    empty = create("page", {"product_id": shop.product} | texts("Extras"))
    (change,) = checked(lambda: writing.update("page", empty, {"product_id": shop.other_product}))
    assert keys_in(change) == {"product_id"}


def test_past_labels_are_accounted_for(shop: Shop) -> None:
    writing.update("product", shop.product, {"label_en_GB": "gate"})
    (change,) = checked(lambda: writing.update("product", shop.product, {"label_en_GB": "portal"}))
    assert read_json(change.before) == {"label_en_GB": ["gate", "door"]}
    assert read_json(change.after) == {"label_en_GB": ["portal", "gate", "door"]}


def test_undo_and_redo_account_for_what_they_move(shop: Shop) -> None:
    written = writing.update("product", shop.product, {"product_listing_ids": [], "title_de_DE": "Pforte"})
    replayed = list(Change.objects.filter(change_set__handle=written.change_set))
    for replay in (history.undo, history.redo):
        before = dump()
        replay(written.change_set)
        assert unaccounted(before, dump(), replayed) == []


# --- the checks above would notice ------------------------------------------------------------------------------


def _plant_a_column() -> None:
    Country.objects.filter(pk=7).update(custom_1="planted")


def _plant_a_text() -> None:
    number = translated_properties(Country)[0].number
    Text.objects.create(field=number, record=7, language="de-DE", text="planted")


def _plant_a_label() -> None:
    UrlLabelRow.objects.create(entity="product", language="fr-FR", label="planted", record=2, position=0)


def _plant_a_language() -> None:
    Language.objects.create(tag="fr-FR", active=False)


@pytest.mark.parametrize(
    ("plant", "place"),
    [
        (_plant_a_column, "configbox_countries.custom_1: (7,) stands in no change"),
        (_plant_a_text, "configbox_strings.text: (42, 7, 'de-DE') stands in no change"),
        (_plant_a_label, "configbox_url_labels.label: ('product', 0, 'fr-FR', 'planted') stands in no change"),
        (_plant_a_language, "configbox_languages.tag: ('fr-FR',) stands in no change"),
    ],
)
def test_a_row_that_changes_without_a_change_is_noticed(
    plant: Callable[[], None], place: str, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = storing.store_changed

    def storing_more(*arguments: Any, **named: Any) -> Any:
        plant()
        return stored(*arguments, **named)

    monkeypatch.setattr(storing, "store_changed", storing_more)
    before, known = dump(), {change.pk for change in all_changes()}
    writing.update("product", shop.product, {"sku": "GATE"})
    made = [change for change in all_changes() if change.pk not in known]
    assert place in unaccounted(before, dump(), made)


def test_a_column_of_the_same_record_that_its_change_leaves_out_is_noticed(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    differences = changes.differences
    monkeypatch.setattr(changes, "differences", lambda *images: [key for key in differences(*images) if key != "sku"])
    before, known = dump(), {change.pk for change in all_changes()}
    writing.update("product", shop.product, {"sku": "GATE", "product_custom_1": "x"})
    made = [change for change in all_changes() if change.pk not in known]
    assert unaccounted(before, dump(), made) == [
        f"configbox_products.sku: ({shop.product},) stands in no change",
        f"configbox_products.sku: ({shop.product},) stands in no change",
    ]
