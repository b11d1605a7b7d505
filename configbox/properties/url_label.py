"""The part of an address that names a record, per language, with the labels it had before."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.utils import timezone

from configbox.languages.tags import flat_key
from configbox.properties.base import NewId, Values
from configbox.properties.columns import read_text
from configbox.properties.issues import Refused, shown
from configbox.properties.owned import VirtualProperty
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues
    from configbox.properties.entity import Entity

MAX_LENGTH = 190


def slug(title: str) -> str:
    """Return a title as a label: spaces become hyphens, all but letters a-z, digits and hyphens goes."""
    return re.sub(r"[^a-z0-9-]", "", title.strip().replace(" ", "-").lower())[:MAX_LENGTH].strip("-")


def _led_by(label: str, labels: list[str]) -> list[str]:
    return [label, *[past for past in labels if past not in (label, "")]]


class UrlLabel(VirtualProperty):
    """A label that fills itself from the title and is unique among its siblings, past labels included.

    Rows stand in one table for all entities. Canonical form per language: `[present label, past label, …]`, so that
    undo brings back redirects too. `within` names the reference whose records share one space of labels.
    """

    kind = "translatable"
    translated = True

    def __init__(self, rows: str, source: str = "title", within: str | None = None, *, prop: Prop) -> None:
        self.rows_name, self.source, self.within = rows, source, within
        super().__init__(prop=prop)

    @property
    def rows(self) -> Any:
        return apps.get_model(self.rows_name)

    @property
    def entity_name(self) -> str:
        return self.model.options().name  # type: ignore[attr-defined, no-any-return]

    def keys(self, tags: Iterable[str]) -> list[str]:
        return [flat_key(self.name, tag) for tag in tags]

    def label(self, key: str) -> str:
        return f"{self.prop.label} ({key[len(self.name) + 1 :].replace('_', '-')})"

    def expected(self) -> str:
        return "letters a-z, digits and hyphens"

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        label = read_text(raw, MAX_LENGTH)
        if label and not re.fullmatch(r"[a-z0-9-]+", label):
            raise Refused("label", f"may hold only {self.expected()}, got {shown(label)}.")
        return [label] if label else []

    def combine(self, before: Any, new: Any) -> Any:
        """Keep what a label was before as a redirect; an empty one waits to be filled."""
        label = new[0] if new else ""
        return list(before) if before and before[0] == label else _led_by(label, before or [])

    def present(self, value: Any) -> Any:
        return value[0] if value else ""

    def is_empty(self, value: Any) -> bool:
        return not value or value == [""]

    def initial(self) -> Any:
        return []

    def reads(self) -> tuple[str, ...]:
        return (self.within + "_id",) if self.within else ()

    def _scope(self, values: Values) -> int:
        return int(values[self.within + "_id"] or 0) if self.within else 0

    def fill(self, values: "RecordValues", touched: set[str], creating: bool) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        for tag in values.tags:
            key, title_key = flat_key(self.name, tag), flat_key(self.source, tag)
            if self.present(values[key]) or not (creating or key in touched or title_key in touched):
                continue
            label = slug(values[title_key] or "") or timezone.now().strftime("%Y%m%d%H%M%S%f")
            filled[key] = _led_by(self._free(label, tag, values), values[key] or [])
        return filled

    def _free(self, label: str, tag: str, values: "RecordValues") -> str:
        """Return the label, numbered where a sibling has it already: it is ours to choose."""
        siblings = self.rows.objects.filter(entity=self.entity_name, scope=self._scope(values), language=tag)
        taken = set(
            siblings.filter(label__startswith=label).exclude(record=values.id or 0).values_list("label", flat=True)
        )
        number, free = 1, label
        while free in taken:
            number += 1
            free = f"{label[: MAX_LENGTH - len(str(number)) - 1]}-{number}"
        return free

    def faults(self, values: "RecordValues", keys: Iterable[str]) -> Iterable[tuple[str, Refused]]:
        # Labels of languages that are not active are stored as well, and move along.
        stored = [key for key in values.values_by_key if key.startswith(self.name + "_")]
        for key in stored:
            labels = values[key] or []
            if not labels:
                continue
            tag = key[len(self.name) + 1 :].replace("_", "-")
            taken = self.rows.objects.filter(
                entity=self.entity_name, scope=self._scope(values), language=tag, label__in=labels
            ).exclude(record=values.id or 0)
            for row in taken[:1]:
                kind = self.model._meta.verbose_name
                was = "is" if row.position == 0 else "was, and still redirects,"
                yield (
                    key,
                    Refused("unique", f"must be unique: {shown(row.label)} {was} the address of {kind} {row.record}."),
                )

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        found: dict[int, dict[str, list[str]]] = {record.pk: {} for record in records}
        rows = self.rows.objects.filter(entity=self.entity_name, record__in=list(found)).order_by("position")
        for record, language, label in rows.values_list("record", "language", "label"):
            found[record].setdefault(language, []).append(label)
        for each in records:
            setattr(each, self.name, found[each.pk])

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        labels: dict[str, list[str]] = getattr(record, self.name) or {}
        return {flat_key(self.name, tag): labels.get(tag, []) for tag in dict.fromkeys([*tags, *labels])}

    def store(self, record: "Entity", before: Values, after: Values, new_id: NewId) -> None:
        prefix = self.name + "_"
        scope = self._scope(after)
        moved = (
            bool(before)
            and self.within is not None
            and before.get(self.within + "_id") != after.get(self.within + "_id")
        )
        for key in [key for key in after if key.startswith(prefix)]:
            if before.get(key, []) == after[key] and not moved:
                continue
            language = key[len(prefix) :].replace("_", "-")
            self._store_labels(record.pk, scope, language, after[key])

    def _store_labels(self, record: int, scope: int, language: str, labels: list[str]) -> None:
        """Make the rows of one language these labels. A row that stays keeps the moment since when it stands."""
        own = self.rows.objects.filter(entity=self.entity_name, record=record, language=language)
        own.exclude(label__in=labels).delete()
        stored = set(own.values_list("label", flat=True))
        for position, label in enumerate(labels):
            if label in stored:
                own.filter(label=label).update(scope=scope, position=position)
            else:
                self.rows.objects.create(
                    entity=self.entity_name,
                    scope=scope,
                    language=language,
                    label=label,
                    record=record,
                    position=position,
                )

    def remove(self, record: "Entity") -> None:
        self.rows.objects.filter(entity=self.entity_name, record=record.pk).delete()

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": MAX_LENGTH, "pattern": "^[a-z0-9-]*$"}
