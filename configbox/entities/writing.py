"""Create, update, delete: the one way a record is written, whichever door the call came through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError

from configbox.entities import changes, storing
from configbox.entities.deciding import Decision, decide
from configbox.entities.errors import Conflict, EntityError, InUse, Invalid, NotDeletable, NotFound, NotOffered
from configbox.entities.images import Image, image_of
from configbox.entities.records import present_record
from configbox.entities.references import blockers_of
from configbox.entities.registry import model_of
from configbox.entities.sequences import new_id
from configbox.entities.transactions import whole
from configbox.entities.view import current, view_language, view_tags
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, shown
from configbox.properties.numbers import MAX_ID, read_whole
from configbox.properties.uniqueness import unique_issues

# No entity has so many in so many languages.
MAX_FIELDS = 1000


@dataclass(frozen=True)
class Written:
    """A write's answer: the record as it is now, faults that were there before, and the change set it went into.

    `change_set` is "" where nothing changed. After a delete the record is as it was.
    """

    model: type[Entity]
    id: int
    record: dict[str, Any]
    warnings: list[Issue] = field(default_factory=list)
    change_set: str = ""


def create(name: str, fields: Mapping[str, Any], *, change_set: str | None = None) -> Written:
    """Make a record. Raises Invalid naming every fault at once; nothing is stored by half."""
    model = writable_model(name, "create")
    tags = view_tags()
    language = view_language(tags)
    sent = _fields(model, fields)
    decided: list[Decision] = []

    def work() -> Written:
        # Taken first: creates of one entity wait here for each other, and then see each other's labels and places.
        pk = new_id(model)
        decided[:] = [decide(model, sent, tags=tags, language=language)]
        decision = decided[0]
        record, image = storing.store_new(model, decision.image, tags=tags, pk=pk)
        into = changes.open_set(change_set)
        changes.record_change(into, model, record.pk, "create", {}, image, rev=record.rev, tags=tags, language=language)
        return Written(model, record.pk, present_record(record, image, tags), decision.warnings, into.handle)

    return whole(model._meta.verbose_name, work, lost=lambda: _lost(model, decided, None, tags, language))


def update(name: str, pk: Any, fields: Mapping[str, Any], *, rev: Any = None, change_set: str | None = None) -> Written:
    """Change what was sent and nothing else. `rev` refuses the write if the record changed since it was read."""
    model = writable_model(name, "update")
    number = record_id(model, pk)
    tags = view_tags()
    language = view_language(tags)
    sent = _fields(model, fields)
    decided: list[Decision] = []

    def work() -> Written:
        record, before = _locked(model, number, tags)
        presented = present_record(record, before, tags)
        _same_revision(model, record, presented, rev)
        decided[:] = [
            decide(model, sent, tags=tags, language=language, record=record, before=before, presented=presented)
        ]
        decision = decided[0]
        if not decision.touched:
            return Written(model, number, presented, decision.warnings)
        record, image = storing.store_changed(record, before, decision.image, tags=tags)
        into = changes.open_set(change_set)
        changes.record_change(
            into, model, number, "update", before, image, rev=record.rev, tags=tags, language=language
        )
        return Written(model, number, present_record(record, image, tags), decision.warnings, into.handle)

    return whole(model._meta.verbose_name, work, lost=lambda: _lost(model, decided, number, tags, language))


def delete(name: str, pk: Any, *, rev: Any = None, change_set: str | None = None) -> Written:
    """Delete one record. Raises InUse naming what refers to it."""
    model = writable_model(name, "delete")
    number = record_id(model, pk)
    tags = view_tags()
    language = view_language(tags)

    def work() -> Written:
        record, before = _locked(model, number, tags)
        presented = present_record(record, before, tags)
        _same_revision(model, record, presented, rev)
        if (refusal := getattr(model, "delete_refusal", lambda record: None)(record)) is not None:
            raise NotDeletable(refusal)
        if blockers := blockers_of(model, number, tags, language):
            raise InUse(model, blockers)
        into = changes.open_set(change_set)
        changes.record_change(into, model, number, "delete", before, {}, rev=record.rev, tags=tags, language=language)
        try:
            with transaction.atomic():
                storing.remove(record, before)
        except ProtectedError as error:
            # A row arrived after the look.
            raise InUse(model, blockers_of(model, number, tags, language)) from error
        return Written(model, number, presented, [], into.handle)

    def lost() -> EntityError | None:
        blockers = blockers_of(model, number, tags, language)
        return InUse(model, blockers) if blockers else None

    return whole(model._meta.verbose_name, work, lost=lost)


def writable_model(name: str, operation: str) -> type[Entity]:
    """Return the model of an entity on which this view may do a writing operation. Looks up no record.

    Raises NotFound for an unknown entity, Refused for a scope that the view lacks, then NotOffered.
    """
    model = model_of(name)
    options = model.options()
    current().require(model, "write")
    if options.frozen:
        raise NotOffered(f"No door writes {model._meta.verbose_name_plural}: {options.frozen}")
    if operation not in options.operations:
        done = ", ".join(options.operations)
        raise NotOffered(f"A {model._meta.verbose_name} takes no {operation}; what can be done with it: {done}.")
    return model


def record_id(model: type[Entity], pk: Any) -> int:
    """Return a sent id as a number, or raise Invalid."""
    number = read_whole(pk)
    if number is None:
        message = f"id must be the whole number of a {model._meta.verbose_name}, got {shown(pk)}."
        raise Invalid("request", [Issue("id", "type", message)])
    if not 0 < number <= MAX_ID:
        raise NotFound.record(model, number)
    return number


def _fields(model: type[Entity], fields: Any) -> Mapping[str, Any]:
    if not isinstance(fields, Mapping):
        message = f"fields must be an object of field names and values, got {shown(fields)}."
        raise Invalid("request", [Issue("fields", "type", message)])
    if len(fields) > MAX_FIELDS:
        # Before the transaction: others wait for its end.
        message = f"fields may have at most {MAX_FIELDS} names, got {len(fields)}."
        raise Invalid("request", [Issue("fields", "length", message)])
    return fields


def _locked(model: type[Entity], pk: int, tags: Sequence[str]) -> tuple[Entity, Image]:
    record = model.objects.select_for_update().filter(pk=pk).first()
    if record is None:
        raise NotFound.record(model, pk)
    return record, image_of(record, tags)


def _same_revision(model: type[Entity], record: Entity, presented: dict[str, Any], rev: Any) -> None:
    if rev is None:
        return
    number = read_whole(rev)
    if number is None:
        message = f"rev must be the whole number that was read with the record, got {shown(rev)}."
        raise Invalid("request", [Issue("rev", "type", message)])
    if number != record.rev:
        raise Conflict(
            f"This {model._meta.verbose_name} changed since it was read: it is at rev {record.rev}, not {number}. "
            "Look at its present values, then repeat the write with that rev. [rev]",
            presented,
        )


def _lost(
    model: type[Entity], decided: list[Decision], pk: int | None, tags: Sequence[str], language: str
) -> EntityError | None:
    """Return the error that names the field in which a competing write was faster, or None."""
    if not decided:
        return None
    values = RecordValues(model, decided[0].image, pk, tags, language)
    issues = list(unique_issues(model, values, None))
    for each in properties(model).values():
        keys = [key for key in each.keys(tags) if values[key] is not None and not each.is_empty(values[key])]
        issues += [
            Issue(key, refusal.code, f"Field {each.label(key)} {refusal.message}")
            for key, refusal in each.faults(values, keys)
        ]
    issues = [issue for issue in issues if issue.field not in decided[0].filled]
    return Invalid(str(model._meta.verbose_name), issues) if issues else None
