"""Properties that are rows of their own, owned by the record: lists of ids, children, active languages."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps
from django.db import models

from configbox.languages.models import Language
from configbox.languages.tags import TAG
from configbox.properties.base import NewId, Property, Values
from configbox.properties.columns import Code
from configbox.properties.issues import Refused, shown
from configbox.properties.numbers import MAX_ID, place_after, possible_ids, read_whole
from configbox.properties.prop import Prop
from configbox.properties.references import no_such_record
from configbox.properties.translated import VirtualField

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues
    from configbox.properties.entity import Entity


MAX_IDS = 10_000


class VirtualProperty(Property, VirtualField):
    """A property without a column. Subclasses say where its rows are."""

    def __init__(self, *, prop: Prop) -> None:
        self.prop = prop
        super().__init__(verbose_name=cast(Any, prop.label), blank=True, null=True, editable=False)


class Children(VirtualProperty):
    """The records of another entity that this record holds: records of their own, so no door takes them here."""

    kind = "childentries"
    representable = False

    def __init__(self, of: str, by: str, *, prop: Prop) -> None:
        self.of, self.by = of, by
        super().__init__(prop=prop)

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        return {}


class References(VirtualProperty):
    """A list of ids, each a row of `through` that links this record (`own`) with another (`other`).

    Canonical form: `[[row id, other id, ordering], …]` sorted by the other's id; a row that is still to be made has
    no id. Records show the list of the others' ids, and a write replaces the whole list, keeping rows that stay.
    """

    kind = "multiselect"

    def __init__(self, through: str, own: str, other: str, *, prop: Prop) -> None:
        self.through_name, self.own, self.other = through, own, other
        super().__init__(prop=prop)

    @property
    def through(self) -> "type[Entity]":
        return cast("type[Entity]", apps.get_model(self.through_name))

    @property
    def target(self) -> "type[Entity]":
        model: type[Entity] = self.through._meta.get_field(self.other).related_model  # type: ignore[assignment]
        return model

    def expected(self) -> str:
        return f"a list of ids of {self.target._meta.verbose_name_plural}"

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        if not isinstance(raw, list | tuple):
            raise self.wrong(raw)
        if len(raw) > MAX_IDS:
            raise Refused("length", f"may name at most {MAX_IDS} ids, got {len(raw)}.")
        ids: set[int] = set()
        for each in raw:
            value = read_whole(each)
            if value is None or value <= 0:
                raise Refused("type", f"must be {self.expected()}; {shown(each)} is no id.")
            if value in ids:
                raise Refused("duplicate", f"names {value} twice; each id may stand once.")
            if not possible_ids([value]):
                raise no_such_record(self.target, value)
            ids.add(value)
        return [[None, value, None] for value in sorted(ids)]

    def combine(self, before: Any, new: Any) -> Any:
        present = {row[1]: row for row in before or []}
        return [present.get(row[1], row) for row in new]

    def present(self, value: Any) -> Any:
        return [row[1] for row in value or []]

    def initial(self) -> Any:
        return []

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        rows: dict[int, list[list[int]]] = {record.pk: [] for record in records}
        found = self.through.objects.filter(**{f"{self.own}__in": list(rows)}).order_by(f"{self.other}_id")
        for owner, pk, other, ordering in found.values_list(f"{self.own}_id", "pk", f"{self.other}_id", "ordering"):
            rows[owner].append([pk, other, ordering])
        for record in records:
            setattr(record, self.name, rows[record.pk])

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        return {self.key: getattr(record, self.name) or []}

    def faults(self, values: "RecordValues", keys: Iterable[str]) -> Iterable[tuple[str, Refused]]:
        wanted = [row[1] for row in values[self.key] or []]
        known = set(self.target.objects.filter(pk__in=wanted).values_list("pk", flat=True))
        for missing in [pk for pk in wanted if pk not in known]:
            yield self.key, no_such_record(self.target, missing)

    def store(self, record: "Entity", before: Values, after: Values, new_id: NewId) -> None:
        if self.key not in after or before.get(self.key, []) == after[self.key]:
            return
        wanted = after[self.key]
        kept = {row[0] for row in wanted if row[0] is not None}
        self.through.objects.filter(**{self.own: record.pk}).exclude(pk__in=kept).delete()
        stored: dict[int, Any] = {row.pk: row for row in self.through.objects.filter(**{self.own: record.pk})}
        for pk, other, ordering in wanted:
            row = stored.get(pk)
            if row is None:
                row = cast(Any, self.through)(id=pk or new_id(self.through))
                setattr(row, f"{self.own}_id", record.pk)
                setattr(row, f"{self.other}_id", other)
                last = self.through.objects.filter(**{self.other: other}).aggregate(last=models.Max("ordering"))["last"]
                row.ordering = place_after(last) if ordering is None else ordering
                # A row that comes back goes on above every revision it had: each of those advanced its owner too.
                row.rev = record.rev if pk else 1
                row.save(force_insert=True)
            elif row.ordering != ordering:
                row.ordering = ordering
                row.rev += 1
                row.save()

    def remove(self, record: "Entity") -> None:
        self.through.objects.filter(**{self.own: record.pk}).delete()

    def value_schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": MAX_ID}, "uniqueItems": True}


class ActiveLanguages(VirtualProperty):
    """The tags of the languages in which the store keeps its texts, the leading one first."""

    kind = "multiselect"

    def expected(self) -> str:
        return 'a list of language tags such as ["en-GB", "de-DE"], the leading one first'

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        if not isinstance(raw, list | tuple):
            raise self.wrong(raw)
        for tag in raw:
            if not isinstance(tag, str) or not TAG.fullmatch(tag) or len(tag) > 20:
                raise Refused("language", f"must be {self.expected()}; {shown(tag)} is no language tag.")
        if len(set(raw)) != len(raw):
            raise Refused("duplicate", "names a language twice; each may stand once.")
        return list(raw)

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        active = list(Language.objects.filter(active=True).order_by("position", "tag").values_list("tag", flat=True))
        for record in records:
            setattr(record, self.name, active)

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        return {self.key: list(getattr(record, self.name) or [])}

    def store(self, record: "Entity", before: Values, after: Values, new_id: NewId) -> None:
        if self.key not in after or before.get(self.key) == after[self.key]:
            return
        chosen = list(after[self.key])
        Language.objects.exclude(tag__in=chosen).update(active=False)
        for position, tag in enumerate(chosen):
            Language.objects.update_or_create(tag=tag, defaults={"active": True, "position": position})

    def value_schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}


class Computed(VirtualProperty):
    """A value that is derived from the record and never written. `of` takes many records and returns id → value."""

    kind = "derived"

    def __init__(self, of: str, schema: dict[str, Any], *, prop: Prop) -> None:
        self.of, self.schema = of, schema
        super().__init__(prop=prop)

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        values = getattr(type(records[0]), self.of)(records)
        for record in records:
            setattr(record, self.name, values.get(record.pk))

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        # Not part of the image: it follows from what is.
        return {}

    def value_schema(self) -> dict[str, Any]:
        return dict(self.schema)


class LanguageChoice(Code):
    """The tag of one of the active languages."""

    kind = "join"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 20)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "the tag of an active language"

    def reads(self) -> tuple[str, ...]:
        return ("active_languages",)

    def faults(self, values: "RecordValues", keys: Iterable[str]) -> Iterable[tuple[str, Refused]]:
        active = values["active_languages"]
        tags = values.tags if active is None else active
        # An empty list is a fault of its own.
        if tags and values[self.key] not in tags:
            got = shown(values[self.key])
            yield self.key, Refused("language", f"must be {self.expected()} ({', '.join(tags)}), got {got}.")
