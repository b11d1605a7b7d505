"""A property with one text per language, kept in the strings table."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import FieldError
from django.db import models

from configbox.languages.models import Text as TextRow
from configbox.languages.tags import flat_key
from configbox.languages.texts import texts_of, write_texts
from configbox.properties.base import NewId, Property, Values
from configbox.properties.columns import read_html, read_text
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.entity import Entity


class VirtualField(models.Field):  # type: ignore[type-arg]
    """A field of the model without a column of its own. Its loaded values stand on the instance under its name."""

    def get_attname_column(self) -> tuple[str, None]:
        return self.get_attname(), None

    def contribute_to_class(self, cls: type[models.Model], name: str, private_only: bool = False) -> None:
        super().contribute_to_class(cls, name, private_only=True)
        # from_db fills columns alone: an instance that was not loaded holds None here.
        setattr(cls, name, None)

    def get_lookup(self, lookup_name: str) -> Any:
        raise FieldError(f'"{self.name}" has no column to look up: texts are searched in the strings table.')

    def get_col(self, alias: Any, output_field: Any = None) -> Any:
        raise FieldError(f'"{self.name}" has no column to select: load it with the record.')


class Translated(Property, VirtualField):
    """A text in every language of the store. `number` is its committed, never reused number in the strings table."""

    kind = "translatable"
    translated = True

    def __init__(self, number: int, *, prop: Prop, max_length: int = 255, html: bool = False) -> None:
        self.number = number
        self.prop = prop
        self.html = html
        super().__init__(verbose_name=cast(Any, prop.label), blank=True, null=True, editable=False)
        self.limit = 1_000_000 if html else max_length

    def __deepcopy__(self, memo: dict[int, Any]) -> "Translated":
        copied: Translated = super().__deepcopy__(memo)
        copied.prop = self.prop
        return copied

    def keys(self, tags: Iterable[str]) -> list[str]:
        return [flat_key(self.name, tag) for tag in tags]

    def label(self, key: str) -> str:
        return f"{self.prop.label} ({key[len(self.name) + 1 :].replace('_', '-')})"

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        return read_html(raw, self.limit) if self.html else read_text(raw, self.limit)

    def initial(self) -> Any:
        return ""

    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        load_texts([self], records, tags)

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        texts: dict[str, str] = getattr(record, self.name) or {}
        return {flat_key(self.name, tag): texts.get(tag, "") for tag in dict.fromkeys([*tags, *texts])}

    def store(self, record: "Entity", before: Values, after: Values, new_id: NewId) -> None:
        prefix = self.name + "_"
        changed = {
            key[len(prefix) :].replace("_", "-"): text
            for key, text in after.items()
            if key.startswith(prefix) and self.owns(key) and before.get(key, "") != text
        }
        write_texts(self.number, record.pk, changed)

    def owns(self, key: str) -> bool:
        """Say whether `key` is this property's in some language: `title_de_DE` is, `title_display` is not."""
        from configbox.languages.tags import TAG

        return key.startswith(self.name + "_") and bool(TAG.fullmatch(key[len(self.name) + 1 :].replace("_", "-")))

    def remove(self, record: "Entity") -> None:
        TextRow.objects.filter(field=self.number, record=record.pk).delete()

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.limit}


def load_texts(properties: list[Translated], records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
    """Put the texts of several properties on many records, in one query."""
    if not properties or not records:
        return
    found = texts_of([p.number for p in properties], [record.pk for record in records], tags)
    for each in properties:
        by_record = found.get(each.number, {})
        for record in records:
            setattr(record, each.name, dict(by_record.get(record.pk, {})))
