"""The values of one record as conditions and checks read them, and when a property applies."""

from collections.abc import Iterable, Mapping
from typing import Any

from configbox.languages.tags import flat_key
from configbox.properties.base import Property
from configbox.properties.entity import Entity, properties
from configbox.properties.references import Reference


class RecordValues(Mapping[str, Any]):
    """A record's canonical values by API key, with a way to the records its references name.

    `id` is None while the record is not stored. `language` is that of the view, for what fills itself.
    """

    def __init__(
        self, model: type[Entity], values: Mapping[str, Any], id: int | None, tags: Iterable[str], language: str
    ) -> None:
        self.model, self.values_by_key, self.id, self.language = model, values, id, language
        self.tags = list(tags)
        self._related: dict[tuple[type[Entity], int], Entity | None] = {}

    def __getitem__(self, key: str) -> Any:
        return self.values_by_key.get(key)

    def __iter__(self) -> Any:
        return iter(self.values_by_key)

    def __len__(self) -> int:
        return len(self.values_by_key)

    def text(self, name: str) -> str:
        """Return a translated property's text in the language of the view, else in the first that has one."""
        for tag in [self.language, *self.tags]:
            if text := self[flat_key(name, tag)]:
                return str(text)
        return ""

    def along(self, path: str) -> Any:
        """Return the value at a property name, or at the end of a path through references."""
        first, *rest = path.split(".")
        own = properties(self.model)[first]
        if not rest:
            return self[own.key]
        record = self._record(own, self[own.key])
        for step in rest[:-1]:
            if record is None:
                return None
            via = properties(type(record))[step]
            record = self._record(via, getattr(record, via.attname))  # type: ignore[attr-defined]
        if record is None:
            return None
        last = properties(type(record))[rest[-1]]
        return last.image(record, self.tags)[last.key]

    def _record(self, reference: Property, pk: int | None) -> Entity | None:
        if not isinstance(reference, Reference) or pk is None:
            return None
        key = (reference.target, pk)
        if key not in self._related:
            self._related[key] = reference.target.objects.filter(pk=pk).first()
        return self._related[key]

    def applies(self, of: Property) -> bool:
        """Say whether a property applies to this record."""
        return all(matches(self.along(path), wanted) for path, wanted in of.prop.applies_when.items())


def matches(value: Any, wanted: Any) -> bool:
    """Say whether a value meets one entry of `applies_when`."""
    if isinstance(wanted, list | tuple):
        return any(matches(value, each) for each in wanted)
    if wanted == "*":
        return value not in (None, "", [])
    if isinstance(wanted, str) and wanted.startswith("!"):
        return bool(value != wanted[1:])
    return bool(value == wanted)
