"""The second half of a write: an image becomes rows. Undo, import and merge come in here, past the deciding."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db.models import F

from configbox.entities.images import Image, image_of
from configbox.entities.sequences import new_id, note_id
from configbox.properties.entity import Entity, entity_models, properties
from configbox.properties.owned import References


def store_new(model: type[Entity], after: Image, *, tags: Sequence[str], pk: int, rev: int = 1) -> tuple[Entity, Image]:
    """Make the rows of a record under its id; a record that comes back has a `rev` too. Return it and its image."""
    record = model(id=pk, rev=rev)
    for each in properties(model).values():
        each.assign(record, after)
    record.save(force_insert=True)
    return _store_beside(record, {}, after, tags)


def store_changed(record: Entity, before: Image, after: Image, *, tags: Sequence[str]) -> tuple[Entity, Image]:
    """Write the difference between two images of one record. Return it and its image."""
    for each in properties(type(record)).values():
        each.assign(record, after)
    record.rev += 1
    record.save(force_update=True)
    return _store_beside(record, before, after, tags)


def _store_beside(record: Entity, before: Mapping[str, Any], after: Image, tags: Sequence[str]) -> tuple[Entity, Image]:
    for each in properties(type(record)).values():
        each.store(record, before, after, new_id)
    _advance_owners(type(record), before, after)
    # Read back: what is recorded and answered is what stands in the database.
    record = type(record).objects.get(pk=record.pk)
    return record, image_of(record, tags)


def remove(record: Entity, before: Image) -> None:
    """Remove a record's rows and everything it owns. Raises ProtectedError where others refer to it."""
    for each in properties(type(record)).values():
        each.remove(record)
    note_id(type(record), record.pk)
    _advance_owners(type(record), before, {})
    record.delete()


def _advance_owners(model: type[Entity], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Advance the revision of records that show this row in a list of theirs: their own record changed too."""
    for owner in entity_models():
        for each in properties(owner).values():
            if isinstance(each, References) and apps.get_model(each.through_name) is model:
                keys = {values.get(each.own + "_id") for values in (before, after)} - {None}
                owner.objects.filter(pk__in=keys).update(rev=F("rev") + 1)
