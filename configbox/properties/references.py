"""Properties that name another record by its id."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django.db import models

from configbox.properties.base import ColumnProperty
from configbox.properties.issues import Refused
from configbox.properties.numbers import MAX_ID, possible_ids, read_whole
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues
    from configbox.properties.entity import Entity


def no_such_record(target: "type[Entity]", pk: int) -> Refused:
    """Return the refusal of an id that names nothing, saying how to find one."""
    kind = target._meta.verbose_name
    return Refused(
        "reference",
        f"names no {kind}: there is none with id {pk}. Find ids with cbx_list_entities entity={target.options().name}.",
    )


class Reference(ColumnProperty, models.ForeignKey):  # type: ignore[type-arg]
    """The id of a record of another entity. An optional one is cleared with null; 0 is refused.

    Deleting the record that is named is refused, unless `on_delete` says that the rows go with it.
    """

    kind = "join"
    column_class = "django.db.models.ForeignKey"

    def __init__(self, to: Any, on_delete: Any = models.PROTECT, *args: Any, prop: Prop, **kwargs: Any) -> None:
        if not prop.required or prop.applies_when:
            kwargs.setdefault("null", True)
            kwargs.setdefault("blank", True)
        kwargs.setdefault("related_name", "+")
        super().__init__(to, on_delete, *args, prop=prop, **kwargs)

    @property
    def key(self) -> str:
        return self.attname

    @property
    def target(self) -> "type[Entity]":
        """Return the model of the records that may be named."""
        return cast("type[Entity]", self.related_model)

    def initial(self) -> Any:
        return None

    def expected(self) -> str:
        return f"the id of a {self.target._meta.verbose_name}" + (", or null for none" if self.null else "")

    def accepts_null(self) -> bool:
        return bool(self.null)

    def read(self, raw: Any) -> Any:
        if raw is None:
            # A required one says "cannot be empty" with every other required property.
            return None
        value = read_whole(raw)
        if value is None:
            raise self.wrong(raw)
        if value <= 0:
            clear = " Send null to clear it." if self.null else ""
            raise Refused("reference", f"must be {self.expected()}; {value} is no id.{clear}")
        if not possible_ids([value]):
            raise no_such_record(self.target, value)
        return value

    def faults(self, values: "RecordValues", keys: Iterable[str]) -> Iterable[tuple[str, Refused]]:
        pk = values[self.key]
        # The lock makes a write and a delete of the record it names wait for each other.
        if pk is not None and not self.target.objects.select_for_update().filter(pk=pk).values_list("pk").first():
            yield self.key, no_such_record(self.target, pk)

    def value_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1, "maximum": MAX_ID}

    @property
    def filterable(self) -> bool:
        return True


class CalculationReference(Reference):
    """The id of a calculation of the same product. Its API name has no `_id` of its own (`calcmodel`)."""

    kind = "calculation"

    @property
    def key(self) -> str:
        return self.name
