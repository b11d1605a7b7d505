"""Change sets after the fact: listing them, undoing one, redoing it.

Undo runs a set backwards and restores values without judging them; redo runs it forwards again. Both refuse, naming
every place, where a record no longer holds what the set left there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django.db.models import Count, Max
from django.utils import timezone

from configbox.entities import storing
from configbox.entities.deciding import fault_of
from configbox.entities.errors import Conflict, NotFound, sentence
from configbox.entities.images import Image, differences, image_of, owner_of
from configbox.entities.references import blockers_of
from configbox.entities.registry import entities
from configbox.entities.sequences import note_id
from configbox.entities.transactions import whole
from configbox.entities.view import current, view_language, view_tags
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity
from configbox.properties.issues import Issue, shown
from configbox.properties.json_values import read_json
from configbox.system.models import Change, ChangeSet

UNDOABLE = (ChangeSet.State.OPEN, ChangeSet.State.APPLIED)


@dataclass(frozen=True)
class Replayed:
    """What an undo or a redo did: the set, how many changes, and what a person should look at."""

    handle: str
    changes: int
    warnings: list[Issue] = field(default_factory=list)


def change_sets(limit: int = 50) -> list[dict[str, Any]]:
    """Return the latest change sets, newest first, with the number of their changes. One query."""
    sets = ChangeSet.objects.annotate(size=Count("changes")).order_by("-pk")[:limit]
    return [
        {
            "change_set": each.handle,
            "title": each.title,
            "state": each.state,
            "changes": each.size,
            "actor": each.actor,
            "door": each.door,
            "created": each.created,
        }
        for each in sets
    ]


def changes_of(handle: str) -> list[dict[str, Any]]:
    """Return the changes of a set in the order they were made."""
    return [
        {
            "entity": each.entity,
            "id": each.record,
            "title": each.title,
            "operation": each.operation,
            "before": read_json(each.before),
            "after": read_json(each.after),
            "hidden": read_json(each.hidden),
            "actor": each.actor,
            "time": each.time,
        }
        for each in _find(handle).changes.order_by("pk")
    ]


def _find(handle: str, *, lock: bool = False) -> ChangeSet:
    sets = ChangeSet.objects.select_for_update() if lock else ChangeSet.objects.all()
    found = sets.filter(handle=handle).first()
    if found is None:
        raise NotFound(f"There is no change set {shown(handle)}. `manage.py changes list` names them.")
    return found


def undo(handle: str) -> Replayed:
    """Take back every change of a set, the last one first. Raises Conflict and changes nothing where that cannot be."""
    return whole("change set", lambda: _replay(handle, forwards=False))


def redo(handle: str) -> Replayed:
    """Make every change of an undone set again, with the same ids."""
    return whole("change set", lambda: _replay(handle, forwards=True))


def _replay(handle: str, *, forwards: bool) -> Replayed:
    found = _find(handle, lock=True)
    _state_allows(found, forwards)
    changes = list(found.changes.order_by("pk" if forwards else "-pk"))
    for entity in dict.fromkeys(each.entity for each in changes):
        current().require(entities()[entity], "write")
    replay = _Replay(forwards)
    for change in changes:
        replay.apply(change)
        if replay.conflicts:
            # Later changes build on this one; naming what they would meet as well would only confuse.
            break
    if replay.conflicts:
        verb = "redo" if forwards else "undo"
        raise Conflict(f"Could not {verb} change set {handle}; nothing was changed. " + " ".join(replay.conflicts))
    found.state = ChangeSet.State.APPLIED if forwards else ChangeSet.State.UNDONE
    found.settled = timezone.now()
    found.settled_by = current().actor
    found.save(update_fields=["state", "settled", "settled_by"])
    return Replayed(handle, len(changes), replay.warnings)


def _state_allows(found: ChangeSet, forwards: bool) -> None:
    if forwards and found.state != ChangeSet.State.UNDONE:
        raise Conflict(f"Change set {found.handle} is {found.state}; only an undone one can be redone.")
    if not forwards and found.state not in UNDOABLE:
        raise Conflict(f"Change set {found.handle} is {found.state}; it cannot be undone.")


class _Replay:
    """Applies changes in one direction and collects what stands in the way."""

    def __init__(self, forwards: bool) -> None:
        self.forwards = forwards
        self.tags = view_tags()
        self.language = view_language(self.tags)
        self.conflicts: list[str] = []
        self.warnings: list[Issue] = []

    def apply(self, change: Change) -> None:
        """Bring one record from what the change left (or found) to the other side."""
        model = entities()[change.entity]
        before, after = _image(change.before), _image(change.after)
        expected, wanted = (before, after) if self.forwards else (after, before)
        hidden = cast("list[str]", read_json(change.hidden))
        record = model.objects.select_for_update().filter(pk=change.record).first()
        appears = change.operation == ("create" if self.forwards else "delete")
        vanishes = change.operation == ("delete" if self.forwards else "create")
        if appears:
            self._bring_back(model, change, record, wanted)
        elif record is None:
            self._conflict(model, change.record, "is gone", "")
        elif vanishes:
            self._take_away(model, change, record, expected)
        else:
            self._restore(model, record, expected, wanted)
        if hidden and not vanishes:
            for key in hidden:
                label = owner_of(model, key).label(key)
                self.warnings.append(
                    Issue(key, "sensitive", f"Field {label} is never kept in a change: enter it again.")
                )

    def _bring_back(self, model: type[Entity], change: Change, record: Entity | None, wanted: Image) -> None:
        if record is not None:
            self._conflict(model, change.record, "exists already", "")
            return
        if not self._possible(model, change.record, wanted, set(wanted)):
            return
        last = Change.objects.filter(entity=change.entity, record=change.record).aggregate(last=Max("rev"))["last"] or 0
        note_id(model, change.record)
        storing.store_new(model, wanted, tags=self.tags, pk=change.record, rev=last + 1)

    def _take_away(self, model: type[Entity], change: Change, record: Entity, expected: Image) -> None:
        present = image_of(record, self.tags)
        visible = [key for key in differences(model, present, expected) if not owner_of(model, key).prop.sensitive]
        if visible:
            self._differs(model, record, visible)
        elif blockers := blockers_of(model, record.pk, self.tags, self.language):
            named = ", ".join(
                f"{each.model._meta.verbose_name} {each.id} {shown(each.title)}" for each in blockers[:10]
            )
            self._conflict(model, record.pk, f"is needed by {named}", "")
        else:
            # Undo and redo advance the revision too; whoever brings the record back goes on from here.
            Change.objects.filter(pk=change.pk).update(rev=record.rev)
            storing.remove(record, present)

    def _restore(self, model: type[Entity], record: Entity, expected: Image, wanted: Image) -> None:
        present = image_of(record, self.tags)
        keys = list(dict.fromkeys([*expected, *wanted]))
        differing = differences(
            model, {key: present.get(key) for key in keys}, {key: expected.get(key) for key in keys}
        )
        if differing:
            self._differs(model, record, differing)
            return
        target = {**present, **{key: wanted.get(key) for key in keys}}
        if self._possible(model, record.pk, target, set(keys)):
            storing.store_changed(record, present, target, tags=self.tags)

    def _possible(self, model: type[Entity], pk: int, image: Image, touched: set[str]) -> bool:
        """Name as conflicts what the database would refuse, and as warnings what a write would refuse."""
        values = RecordValues(model, image, pk, self.tags, self.language)
        hard, soft = fault_of(model, values, touched)
        self.warnings += soft
        for issue in hard:
            self._conflict(model, pk, "cannot be restored", sentence([issue]))
        return not hard

    def _differs(self, model: type[Entity], record: Entity, keys: Sequence[str]) -> None:
        labels = ", ".join(f"{owner_of(model, key).label(key)} [{key}]" for key in keys)
        self._conflict(model, record.pk, f"was changed since in {labels}", "")

    def _conflict(self, model: type[Entity], pk: int, what: str, why: str) -> None:
        self.conflicts.append(f"{str(model._meta.verbose_name).capitalize()} {pk} {what}. {why}".strip())


def _image(text: str) -> Image:
    read: Any = read_json(text)
    return dict(read)
