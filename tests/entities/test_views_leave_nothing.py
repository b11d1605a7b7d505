"""A view that rolls back leaves nothing, ids included; what stores elsewhere follows the same protocol."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.db import connection, models
from django.test.utils import isolate_apps

from configbox.access.grants import Grant
from configbox.catalog.models import Page, Product
from configbox.entities import history, reading, writing
from configbox.entities.errors import Invalid
from configbox.entities.view import View, view
from configbox.properties.base import NewId, Values
from configbox.properties.columns import read_text
from configbox.properties.entity import Entity, properties
from configbox.properties.files import stored_path
from configbox.properties.owned import VirtualProperty
from configbox.properties.prop import Prop
from tests.entities.dumps import dump
from tests.entities.shop import Shop, create, png, texts

pytestmark = pytest.mark.django_db


def try_out(write: Callable[[], writing.Written]) -> writing.Written:
    """Do a write in a dry run of its own."""
    with view(actor="stdio", grant=Grant.everything(), door="stdio", dry_run=True):
        return write()


def test_a_dry_run_answers_as_if_done_and_leaves_nothing(author: View, shop: Shop) -> None:
    before = dump()
    made = try_out(lambda: writing.create("page", {"product_id": shop.product} | texts("New", "Neu")))
    changed = try_out(lambda: writing.update("product", shop.product, {"product_listing_ids": [shop.hidden]}))
    gone = try_out(lambda: writing.delete("answer", shop.red))
    assert made.record["title_de_DE"] == "Neu"
    assert changed.record["product_listing_ids"] == [shop.hidden]
    assert gone.id == shop.red
    assert dump() == before
    # The id that was tried out is given to the record that is made.
    assert create("page", {"product_id": shop.product} | texts("Real")) == made.id


def test_a_dry_run_leaves_no_label_language_picture_or_set(author: View, shop: Shop) -> None:
    handle = writing.update("product", shop.product, {"sku": "GATE"}).change_set
    before = dump()
    tried = [
        try_out(lambda: writing.update("product", shop.product, {"label_de_DE": "tor"}, change_set=handle)),
        try_out(lambda: writing.update("product", shop.product, {"prod_image": png(3)})),
        try_out(lambda: writing.update("settings", 1, {"active_languages": ["en-GB", "fr-FR"]})),
        try_out(lambda: writing.create("product", {"product_listing_ids": [shop.shown]} | texts("Gate"))),
    ]
    assert tried[0].record["label_de_DE"] == "tor"
    assert tried[0].change_set == handle
    assert tried[2].record["active_languages"] == ["en-GB", "fr-FR"]
    assert dump() == before


def test_an_undo_is_tried_out_like_any_write(author: View, shop: Shop) -> None:
    handle = writing.update("product", shop.product, {"sku": "GATE"}).change_set
    before = dump()
    with view(actor="stdio", grant=Grant.everything(), door="stdio", dry_run=True):
        history.undo(handle)
        assert reading.get("product", shop.product)["sku"] == "DOOR"
    assert dump() == before


def test_a_dry_run_is_refused_as_the_write_would_be(author: View, shop: Shop) -> None:
    before = dump()
    with pytest.raises(Invalid):
        try_out(lambda: writing.create("page", {"product_id": 999_999}))
    assert dump() == before


def test_ids_are_never_given_twice(author: View, shop: Shop) -> None:
    last = create("product-list", texts("Last"))
    writing.delete("product-list", last)
    assert create("product-list", texts("Next")) == last + 1


def test_a_file_is_kept_by_its_content(author: View, shop: Shop) -> None:
    first = writing.update("product", shop.product, {"prod_image": png(1)})
    name = Product.objects.get(pk=shop.product).prod_image
    assert stored_path(name).read_bytes() == png(1).content
    writing.update("product", shop.other_product, {"prod_image": png(1)})
    assert Product.objects.get(pk=shop.other_product).prod_image == name
    second = writing.update("product", shop.product, {"prod_image": png(2)})
    assert Product.objects.get(pk=shop.product).prod_image != name
    history.undo(second.change_set)
    assert Product.objects.get(pk=shop.product).prod_image == name
    history.undo(first.change_set)
    assert Product.objects.get(pk=shop.product).prod_image == ""
    # What no row names any more may still be named by a change: only a sweep removes it.
    assert stored_path(name).exists()


@pytest.mark.parametrize(
    ("upload", "code"),
    [
        (png(1).__class__("picture.exe", png(1).content), "extension"),
        (png(1).__class__("picture.png", b"no picture"), "image"),
        (png(1).__class__("picture.png", b"x" * 2_000_001), "size"),
    ],
)
def test_a_file_that_is_none_is_refused(upload: Any, code: str, author: View, shop: Shop) -> None:
    with pytest.raises(Invalid) as caught:
        writing.update("product", shop.product, {"prod_image": upload})
    assert [(issue.field, issue.code) for issue in caught.value.issues] == [("prod_image", code)]


class SideNote(VirtualProperty):
    """A text that another app keeps in a table of its own."""

    kind = "string"

    def __init__(self, rows: Any, *, prop: Prop) -> None:
        self.rows = rows
        super().__init__(prop=prop)

    def read(self, raw: Any) -> Any:
        return read_text(raw, 100)

    def initial(self) -> Any:
        return ""

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        found = dict(self.rows.objects.filter(page__in=[each.pk for each in records]).values_list("page", "note"))
        for record in records:
            setattr(record, self.name, found.get(record.pk, ""))

    def image(self, record: Entity, tags: Iterable[str]) -> dict[str, Any]:
        return {self.key: getattr(record, self.name) or ""}

    def store(self, record: Entity, before: Values, after: Values, new_id: NewId) -> None:
        if before.get(self.key, "") != after.get(self.key, ""):
            self.rows.objects.update_or_create(page=record.pk, defaults={"note": after[self.key]})

    def remove(self, record: Entity) -> None:
        self.rows.objects.filter(page=record.pk).delete()


@pytest.fixture
def side_table(transactional_db: None) -> Iterator[Any]:
    """Let another app add a property to the page, with a table of its own."""
    with isolate_apps("configbox.catalog"):

        class Note(models.Model):
            page = models.IntegerField(primary_key=True)
            note = models.CharField(max_length=100)

            class Meta:
                app_label = "catalog"
                db_table = "configbox_test_notes"

            def __str__(self) -> str:
                return self.note

    with connection.schema_editor() as editor:
        editor.create_model(Note)
    field = SideNote(Note, prop=Prop(label="Note", listing=990))
    field.contribute_to_class(Page, "note")
    properties.cache_clear()
    yield Note
    Page._meta.private_fields.remove(field)
    Page._meta._expire_cache()  # type: ignore[attr-defined]
    delattr(Page, "note")
    properties.cache_clear()
    with connection.schema_editor() as editor:
        editor.delete_model(Note)


def test_a_property_may_store_in_a_table_of_another_app(side_table: Any, author: View, shop: Shop) -> None:
    made = writing.create("page", {"product_id": shop.product, "note": "Überall 📌"} | texts("Noted"))
    assert made.record["note"] == "Überall 📌"
    assert list(side_table.objects.values_list("page", "note")) == [(made.id, "Überall 📌")]
    with view(actor="stdio", grant=Grant.everything(), door="stdio", dry_run=True):
        writing.update("page", made.id, {"note": "Only tried"})
    assert reading.get("page", made.id)["note"] == "Überall 📌"
    changed = writing.update("page", made.id, {"note": "Changed"})
    history.undo(changed.change_set)
    assert reading.get("page", made.id)["note"] == "Überall 📌"
    gone = writing.delete("page", made.id)
    assert list(side_table.objects.all()) == []
    history.undo(gone.change_set)
    assert reading.get("page", made.id)["note"] == "Überall 📌"
