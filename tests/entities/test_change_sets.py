"""Change sets: who may add to one, what undo and redo refuse, and what is never kept."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from configbox.access.grants import Grant, parse_scopes
from configbox.entities import history, reading, writing
from configbox.entities.changes import new_session
from configbox.entities.errors import Conflict, Invalid, NotFound, Refused
from configbox.entities.view import View, view
from configbox.store.models import Settings
from configbox.system.models import Change, ChangeSet
from tests.entities.dumps import dump
from tests.entities.shop import Shop, create, records_of, texts

pytestmark = pytest.mark.django_db


def write_price(shop: Shop, price: str, **more: Any) -> str:
    return writing.update("answer", shop.red, {"price": price}, **more).change_set


def test_a_write_joins_the_set_it_names(author: View, shop: Shop) -> None:
    handle = write_price(shop, "11")
    assert write_price(shop, "12", change_set=handle) == handle
    assert [each["after"] for each in history.changes_of(handle)] == [{"price": 11}, {"price": 12}]
    history.undo(handle)
    assert str(reading.get("answer", shop.red)["price"]) == "10.50"


def test_a_write_that_changes_nothing_makes_no_set(author: View, shop: Shop) -> None:
    before = ChangeSet.objects.count()
    assert write_price(shop, "10.5") == ""
    assert ChangeSet.objects.count() == before


@pytest.mark.parametrize("how", ["unknown", "foreign", "old", "undone"])
def test_a_set_that_cannot_be_joined_is_refused_and_nothing_is_written(how: str, author: View, shop: Shop) -> None:
    handle = write_price(shop, "11")
    found = ChangeSet.objects.filter(handle=handle)
    if how == "unknown":
        handle = "nobody-has-this"
    elif how == "foreign":
        found.update(actor='token #1 "other"')
    elif how == "old":
        found.update(created=timezone.now() - timedelta(days=1, seconds=1))
    else:
        history.undo(handle)
    before = dump()
    with pytest.raises(Invalid) as caught:
        write_price(shop, "12", change_set=handle)
    assert [issue.field for issue in caught.value.issues] == ["change_set"]
    assert "Leave change_set out" in caught.value.message or "opens one" in caught.value.message
    assert dump() == before


def test_a_session_is_one_set(shop: Shop) -> None:
    session = new_session("Spring prices")
    for price in ("20", "21"):
        with view(actor="stdio", grant=Grant.everything(), door="stdio", session=session):
            write_price(shop, price)
    newest = history.change_sets(1)[0]
    assert (newest["title"], newest["changes"], newest["state"]) == ("Spring prices", 2, "open")


def test_undo_meets_a_later_change_and_changes_nothing(author: View, shop: Shop) -> None:
    first = write_price(shop, "11")
    writing.update("answer", shop.red, {"title_de_DE": "Röter"})
    second = write_price(shop, "12")
    before = dump()
    with pytest.raises(Conflict) as caught:
        history.undo(first)
    assert f"Answer {shop.red} was changed since in Price [price]." in caught.value.message
    assert dump() == before
    history.undo(second)
    history.undo(first)
    record = reading.get("answer", shop.red)
    # The text that somebody else wrote meanwhile stays.
    assert (str(record["price"]), record["title_de_DE"]) == ("10.50", "Röter")


def test_undoing_a_create_that_others_use_is_refused(author: View, shop: Shop) -> None:
    made = writing.create("page", {"product_id": shop.product} | texts("New"))
    used = create("question", {"page_id": made.id} | texts("Uses it"))
    with pytest.raises(Conflict) as caught:
        history.undo(made.change_set)
    assert f'Page {made.id} is needed by question {used} "Uses it".' in caught.value.message


def test_redo_brings_a_record_back_under_its_id(author: View, shop: Shop) -> None:
    made = writing.create("page", {"product_id": shop.product} | texts("New"))
    history.undo(made.change_set)
    with pytest.raises(NotFound):
        reading.get("page", made.id)
    other = create("page", {"product_id": shop.product} | texts("Other"))
    assert other == made.id + 1
    history.redo(made.change_set)
    again = reading.get("page", made.id)
    assert again["title_en_GB"] == "New"
    assert again["rev"] > made.record["rev"]


def test_states_say_what_can_be_done(author: View, shop: Shop) -> None:
    handle = write_price(shop, "11")
    with pytest.raises(Conflict, match="only an undone one can be redone"):
        history.redo(handle)
    history.undo(handle)
    with pytest.raises(Conflict, match="is undone; it cannot be undone"):
        history.undo(handle)
    with pytest.raises(NotFound, match="There is no change set"):
        history.undo("nobody-has-this")


def test_undo_needs_the_scopes_of_its_writes(author: View, shop: Shop) -> None:
    handle = write_price(shop, "11")
    with view(actor="stdio", grant=parse_scopes(["store:write"]), door="stdio"), pytest.raises(Refused):
        history.undo(handle)
    assert str(reading.get("answer", shop.red)["price"]) == "11.00"


def test_sensitive_values_are_nowhere(author: View, shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    secret = "s3cr3t-of-the-store"
    caplog.set_level(logging.DEBUG)
    written = writing.update("settings", 1, {"enable_geolocation": True, "maxmind_license_key": secret})
    assert Settings.objects.get(pk=1).maxmind_license_key == secret
    assert secret not in str(written)
    assert secret not in str(reading.get("settings", 1))
    assert "maxmind_license_key" not in written.record
    with pytest.raises(Invalid) as caught:
        writing.update("settings", 1, {"maxmind_license_key": secret, "weightunits": None})
    assert secret not in caught.value.message
    undone = history.undo(written.change_set)
    assert [(issue.field, issue.code) for issue in undone.warnings] == [("maxmind_license_key", "sensitive")]
    assert Settings.objects.get(pk=1).maxmind_license_key == secret
    kept = [str(row) for row in Change.objects.values_list("before", "after", "hidden")]
    assert not [row for row in kept if secret in row]
    assert secret not in caplog.text


def test_a_sensitive_value_that_is_not_sent_stays(author: View, shop: Shop) -> None:
    writing.update("settings", 1, {"product_key": "K"})
    writing.update("settings", 1, reading.get("settings", 1))
    writing.update("settings", 1, {"weightunits": "g"})
    assert Settings.objects.get(pk=1).product_key == "K"


def test_every_record_sent_back_whole_changes_nothing(author: View, shop: Shop) -> None:
    before = dump()
    for entity, pk in records_of(shop).items():
        assert writing.update(entity, pk, reading.get(entity, pk)).change_set == ""
    assert dump() == before
