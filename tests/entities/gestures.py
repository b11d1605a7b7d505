"""Random writes for the laws of undo and redo: each picks its record among those that are there."""

from collections.abc import Callable
from typing import Any

from hypothesis import event
from hypothesis import strategies as st

from configbox.entities import writing
from configbox.entities.errors import EntityError, StorageFailed
from configbox.entities.registry import model_of
from configbox.properties.schema import writable_keys
from tests.entities.dumps import file_keys
from tests.entities.shop import ENTITY_NAMES, TAGS, Shop, png, texts
from tests.entities.values import value_of, whole_records

# A gesture writes once and returns the handle of the set it went into; refusals come out as EntityError.
Gesture = Callable[[st.DataObject, Shop, "str | None"], str]
MADE_AND_DELETED = [name for name in ENTITY_NAMES if not model_of(name).options().singleton]


def _pick(data: st.DataObject, entity: str) -> int:
    ids = list(model_of(entity).objects.order_by("pk").values_list("pk", flat=True)[:30])
    # Something else may have been deleted; a write to it is refused like any other.
    return data.draw(st.sampled_from(ids or [1]), label=entity)


def create_any(data: st.DataObject, shop: Shop, into: str | None) -> str:
    name = data.draw(st.sampled_from(MADE_AND_DELETED), label="create")
    fields = data.draw(whole_records(model_of(name), shop, TAGS), label="fields")
    pictures = {key: png(number) for number, key in enumerate(file_keys(model_of(name)))}
    return writing.create(name, fields | pictures, change_set=into).change_set


def create_small(data: st.DataObject, shop: Shop, into: str | None) -> str:
    parent = data.draw(st.sampled_from(["product", "page", "question", "answer"]), label="create")
    fields: dict[str, Any] = texts("Twin", "Zwilling")
    if parent == "page":
        fields["product_id"] = _pick(data, "product")
    elif parent == "question":
        fields |= {"page_id": _pick(data, "page"), "question_type": "dropdown"}
    elif parent == "answer":
        fields["question_id"] = _pick(data, "question")
    return writing.create(parent, fields, change_set=into).change_set


def update_any(data: st.DataObject, shop: Shop, into: str | None) -> str:
    name = data.draw(st.sampled_from(ENTITY_NAMES), label="update")
    keys = writable_keys(model_of(name), TAGS)
    key = data.draw(st.sampled_from(sorted(keys)), label="key")
    value = data.draw(value_of(keys[key], shop), label="value")
    return writing.update(name, _pick(data, name), {key: value}, change_set=into).change_set


def delete_any(data: st.DataObject, shop: Shop, into: str | None) -> str:
    name = data.draw(st.sampled_from(MADE_AND_DELETED), label="delete")
    return writing.delete(name, _pick(data, name), change_set=into).change_set


def move(data: st.DataObject, shop: Shop, into: str | None) -> str:
    moves = [("page", "product"), ("question", "page"), ("answer", "question"), ("product-list-assignment", "product")]
    name, parent = data.draw(st.sampled_from(moves), label="move")
    fields: dict[str, Any] = {f"{parent}_id": _pick(data, parent)}
    if data.draw(st.booleans()):
        fields["ordering"] = data.draw(st.integers(0, 50), label="ordering")
    return writing.update(name, _pick(data, name), fields, change_set=into).change_set


def reorder(data: st.DataObject, shop: Shop, into: str | None) -> str:
    ordered = ["page", "question", "answer", "product-list-assignment", "example"]
    name = data.draw(st.sampled_from(ordered), label="reorder")
    ordering = data.draw(st.integers(0, 50), label="ordering")
    return writing.update(name, _pick(data, name), {"ordering": ordering}, change_set=into).change_set


def list_products(data: st.DataObject, shop: Shop, into: str | None) -> str:
    lists = data.draw(st.lists(st.sampled_from([shop.shown, shop.hidden]), unique=True), label="lists")
    product = _pick(data, "product")
    return writing.update("product", product, {"product_listing_ids": lists}, change_set=into).change_set


def assign(data: st.DataObject, shop: Shop, into: str | None) -> str:
    fields = {"product_id": _pick(data, "product"), "listing_id": _pick(data, "product-list")}
    return writing.create("product-list-assignment", fields, change_set=into).change_set


def unassign(data: st.DataObject, shop: Shop, into: str | None) -> str:
    return writing.delete("product-list-assignment", _pick(data, "product-list-assignment"), change_set=into).change_set


def retype(data: st.DataObject, shop: Shop, into: str | None) -> str:
    if data.draw(st.booleans()):
        kind = data.draw(st.sampled_from(["matrix", "formula", "code"]), label="type")
        return writing.update("calculation", _pick(data, "calculation"), {"type": kind}, change_set=into).change_set
    kind = data.draw(st.sampled_from(["textbox", "dropdown", "calendar", "upload"]), label="question_type")
    return writing.update("question", _pick(data, "question"), {"question_type": kind}, change_set=into).change_set


def relabel(data: st.DataObject, shop: Shop, into: str | None) -> str:
    name = data.draw(st.sampled_from(["product", "page"]), label="relabel")
    key = data.draw(st.sampled_from(["label_en_GB", "label_de_DE"]), label="key")
    label = data.draw(st.sampled_from(["", "door", "window", "gate", "gate-2"]), label="label")
    return writing.update(name, _pick(data, name), {key: label}, change_set=into).change_set


def speak(data: st.DataObject, shop: Shop, into: str | None) -> str:
    spoken = data.draw(st.permutations(["en-GB", "de-DE", "fr-FR"]), label="languages")
    count = data.draw(st.integers(1, 3), label="count")
    fields = {"active_languages": spoken[:count], "language_tag": spoken[0]}
    return writing.update("settings", 1, fields, change_set=into).change_set


GESTURES: list[Gesture] = [
    update_any, create_any, create_small, delete_any, move, reorder, list_products, assign, unassign, retype, relabel,
    speak,
]  # fmt: skip


def make_one(data: st.DataObject, shop: Shop, into: str | None) -> str:
    """Make a random write and return its set's handle, or "" where it was refused or changed nothing."""
    gesture = data.draw(st.sampled_from(GESTURES), label="gesture")
    try:
        written = gesture(data, shop, into)
    except StorageFailed:
        raise
    except EntityError as error:
        event(f"{gesture.__name__}: {type(error).__name__}")
        return ""
    event(f"{gesture.__name__}: {'done' if written else 'nothing to do'}")
    return written
