"""The round-trip law: what was read can be written back and nothing happens; one field written leaves all others."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configbox.entities import reading, writing
from configbox.entities.images import differences
from configbox.entities.registry import model_of
from configbox.languages.models import Text
from configbox.properties.entity import translated_properties
from configbox.properties.json_values import read_json, write_json
from configbox.properties.schema import writable_keys
from configbox.system.models import Change, ChangeSet
from tests.conftest import LONG_SWEEPS
from tests.entities.dumps import dump, file_keys
from tests.entities.rollback import rolled_back
from tests.entities.shop import ENTITY_NAMES, TAGS, Shop, image, png, records_of
from tests.entities.values import consistent, value_of, whole_records

# One example writes every field of a record; the entities are many.
EXAMPLES = settings(max_examples=200 if LONG_SWEEPS else 12)
FOREIGN = "fr-FR"

pytestmark = pytest.mark.timeout(3600)


def stored(name: str, fields: dict[str, Any]) -> int:
    """Make a record of any entity, or fill the only one there is; pictures and texts of another language too."""
    model = model_of(name)
    pictures = {key: png(number) for number, key in enumerate(file_keys(model))}
    if model.options().singleton:
        pk = writing.update(name, 1, fields | pictures).id
    else:
        pk = writing.create(name, fields | pictures).id
    for each in translated_properties(model):
        Text.objects.update_or_create(
            field=each.number, record=pk, language=FOREIGN, defaults={"text": "laissé en place"}
        )
    return pk


def through_json(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as it comes back from a caller who read it as JSON."""
    read = read_json(write_json(record))
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize("name", ENTITY_NAMES)
@EXAMPLES
@given(data=st.data())
def test_a_record_that_was_read_is_written_back_without_a_trace(name: str, data: st.DataObject, shop: Shop) -> None:
    with rolled_back():
        fields = data.draw(whole_records(model_of(name), shop, TAGS), label="fields")
        pk = stored(name, fields)
        read = through_json(reading.get(name, pk))
        before = dump()
        written = writing.update(name, pk, read, rev=read["rev"])
        assert (written.change_set, through_json(written.record)) == ("", read)
        assert dump() == before


@pytest.mark.parametrize("name", ENTITY_NAMES)
@EXAMPLES
@given(data=st.data())
def test_what_is_written_is_what_is_read(name: str, data: st.DataObject, shop: Shop) -> None:
    with rolled_back():
        model = model_of(name)
        fields = data.draw(whole_records(model, shop, TAGS), label="fields")
        pk = stored(name, fields)
        read = image(name, pk)
        for key, each in writable_keys(model, TAGS).items():
            if each.is_empty(each.read(fields[key])):
                # Empty ones may have filled themselves.
                continue
            assert each.same(each.combine(read[key], each.read(fields[key])), read[key]), key


@pytest.mark.parametrize("name", ENTITY_NAMES)
@EXAMPLES
@given(data=st.data())
def test_one_field_in_one_language_leaves_all_others(name: str, data: st.DataObject, shop: Shop) -> None:
    with rolled_back():
        model = model_of(name)
        fields = data.draw(whole_records(model, shop, TAGS), label="fields")
        pk = stored(name, fields)
        free = {key: each for key, each in writable_keys(model, TAGS).items() if not each.prop.locked_after_store}
        key = data.draw(st.sampled_from(sorted(free)), label="key")
        value = data.draw(value_of(free[key], shop), label="value")
        alone = consistent(fields | {key: value})[key] == value and not _decides_for_others(key)
        if not alone:
            return
        before, record, changes = image(name, pk), reading.get(name, pk), Change.objects.count()
        sets = ChangeSet.objects.count()
        written = writing.update(name, pk, {key: value})
        after = image(name, pk)
        changed = after[key] != before[key]
        assert differences(model, before, after) == [key] * changed
        assert written.record["rev"] == record["rev"] + changed
        assert Change.objects.count() == changes + changed
        assert ChangeSet.objects.count() == sets + changed
        if changed:
            change = Change.objects.latest("pk")
            assert read_json(change.before) == through_json({key: before[key]})
            assert read_json(change.after) == through_json({key: after[key]})


def _decides_for_others(key: str) -> bool:
    """Say whether a field's values are bound to other fields', or to what other records say."""
    return key in ("question_type", "prefill_on_init", "default_value", "product_id", "listing_id", "question_id")


@pytest.mark.parametrize(
    ("name", "key"), [("answer", "internal_name"), ("question", "internal_name"), ("product", "label_en_GB")]
)
def test_a_field_that_is_emptied_and_fills_itself_as_it_was_makes_no_change(name: str, key: str, shop: Shop) -> None:
    pk = records_of(shop)[name]
    before = dump()
    assert writing.update(name, pk, {key: ""}).change_set == ""
    assert dump() == before
