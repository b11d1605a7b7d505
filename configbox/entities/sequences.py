"""Ids for new records: one counter per entity, inside the transaction."""

from django.db.models import Max

from configbox.properties.entity import Entity
from configbox.system.models import Sequence


def new_id(model: type[Entity]) -> int:
    """Return the next id of an entity. It is never given twice, and given back if the transaction rolls back."""
    name = model.options().name
    counter = Sequence.objects.select_for_update().filter(entity=name).first()
    highest = model.objects.aggregate(highest=Max("pk"))["highest"] or 0
    if counter is None:
        counter, _ = Sequence.objects.get_or_create(entity=name, defaults={"last": 0})
        counter = Sequence.objects.select_for_update().get(entity=name)
    counter.last = max(counter.last, highest) + 1
    counter.save(update_fields=["last"])
    return counter.last


def note_id(model: type[Entity], pk: int) -> None:
    """Remember that an id was given, so that it is not given again after its record is deleted."""
    name = model.options().name
    if not Sequence.objects.filter(entity=name, last__gte=pk).exists():
        Sequence.objects.update_or_create(entity=name, defaults={"last": pk})
