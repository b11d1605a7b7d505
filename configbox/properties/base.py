"""The protocol that every property follows, whichever way it stores: columns, texts, or rows the record owns.

A property knows its API keys, its canonical value per key (what an image and a change hold), and the way from a
sent value to the canonical one and back to what a record shows.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from configbox.properties.issues import Refused, shown
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues
    from configbox.properties.entity import Entity

Values = Mapping[str, Any]
# Gives the id of a row that is about to be made.
NewId = Callable[["type[Entity]"], int]


def identical(left: Any, right: Any) -> bool:
    """Say whether two JSON values are the same in type too: Python takes true for 1, inside lists as well."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(identical, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(identical(left[key], right[key]) for key in left)
    return type(left) is type(right) and bool(left == right)


class Property:
    """Mixin for Django fields. Subclasses override what differs; each type is one class."""

    kind: ClassVar[str] = "string"
    # False: tools cannot show or take it honestly; describe names it under unsupportedFields.
    representable: ClassVar[bool] = True
    translated: ClassVar[bool] = False
    prop: Prop
    name: str

    # --- keys -------------------------------------------------------------------------------------------------
    @property
    def key(self) -> str:
        """Return the API name; a translated property has one key per language instead (`keys`)."""
        return self.name

    def keys(self, tags: Iterable[str]) -> list[str]:
        """Return the flat API keys, one per language for a translated property."""
        return [self.key]

    def label(self, key: str) -> str:
        """Return the label for a sentence about `key`; a translated one names its language: `Title (de-DE)`."""
        return str(self.prop.label)

    # --- values -----------------------------------------------------------------------------------------------
    def read(self, raw: Any) -> Any:
        """Turn a sent JSON value into the canonical one, or raise Refused."""
        raise NotImplementedError(type(self).__name__)

    def present(self, value: Any) -> Any:
        """Turn a canonical value into what a record shows."""
        return value

    def combine(self, before: Any, new: Any) -> Any:
        """Return what is stored when `new` is sent and `before` is there: both canonical."""
        return new

    def unchanged(self, raw: Any, presented: Any) -> bool:
        """Say whether a sent value is what the record shows already, so that nothing needs checking."""
        return identical(raw, presented)

    def same(self, left: Any, right: Any) -> bool:
        """Say whether two canonical values mean the same."""
        return bool(left == right)

    def is_empty(self, value: Any) -> bool:
        """Say whether a canonical value counts as nothing. 0 and False are values."""
        return value is None or value == "" or value == []

    def initial(self) -> Any:
        """Return the canonical value of a new record in which nothing was sent."""
        return None

    # --- deciding ---------------------------------------------------------------------------------------------
    def reads(self) -> tuple[str, ...]:
        """Name the other properties whose change makes this one's value worth checking again."""
        return ()

    def fill(self, values: "RecordValues", touched: set[str], creating: bool) -> dict[str, Any]:
        """Return canonical values that fill themselves: an ordering, a URL label, an internal name."""
        return {}

    def faults(self, values: "RecordValues", keys: Iterable[str]) -> Iterable[tuple[str, Refused]]:
        """Yield what is wrong with the stored-to-be values at `keys` that reading one value alone cannot see."""
        return ()

    # --- storage ----------------------------------------------------------------------------------------------
    def load(self, records: "list[Entity]", tags: Iterable[str] | None = None) -> None:
        """Fetch for many records at once what does not stand in their own rows. Columns need nothing."""

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        """Return the canonical value per key of a loaded record."""
        raise NotImplementedError(type(self).__name__)

    def assign(self, record: "Entity", values: Values) -> None:
        """Put canonical values on the instance before its row is saved; only keys in `values` change."""

    def store(self, record: "Entity", before: Values, after: Values, new_id: NewId) -> None:
        """Write what does not stand in the record's own row, after the row is saved."""

    def remove(self, record: "Entity") -> None:
        """Remove what `store` wrote, before the row is deleted."""

    # --- description ------------------------------------------------------------------------------------------
    def value_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of one value, without description."""
        return {"type": "string"}

    def accepts_null(self) -> bool:
        """Say whether null may be sent, which clears the value."""
        return False

    @property
    def sortable(self) -> bool:
        return self.prop.sortable

    @property
    def filterable(self) -> bool:
        return self.prop.filter

    def refuse_null(self, raw: Any) -> None:
        if raw is None:
            raise Refused("null", f"cannot be null: expected {self.expected()}.")

    def expected(self) -> str:
        """Name in words what this type takes."""
        return "text"

    def wrong(self, raw: Any) -> Refused:
        """Return the refusal of a value of the wrong type."""
        return Refused("type", f"must be {self.expected()}, got {shown(raw)}.")


class ColumnProperty(Property):
    """A property that is one column of the record's own row. Mixed in before a Django field class.

    `deconstruct` gives back the plain Django field, so that labels, choices and other metadata never make a
    migration.
    """

    column_class: ClassVar[str]

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        self.prop = prop
        kwargs.setdefault("verbose_name", prop.label)
        kwargs.setdefault("help_text", prop.tooltip)
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, _, args, kwargs = super().deconstruct()  # type: ignore[misc]
        for word in ("prop", "verbose_name", "help_text", "choices", "validators", "blank"):
            kwargs.pop(word, None)
        return name, self.column_class, args, kwargs

    def clone(self) -> Any:
        """Return a plain column: Django clones fields for migrations and for altering tables."""
        from django.utils.module_loading import import_string

        _, path, args, kwargs = self.deconstruct()
        return import_string(path)(*args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        # Abstract bases hand their fields to subclasses by copy.
        copied = super().__deepcopy__(memo)  # type: ignore[misc]
        copied.prop = self.prop
        return copied

    def initial(self) -> Any:
        field: Any = self
        return field.get_default() if field.has_default() else (None if field.null else "")

    def image(self, record: "Entity", tags: Iterable[str]) -> dict[str, Any]:
        return {self.key: self.from_column(getattr(record, self.attname))}  # type: ignore[attr-defined]

    def assign(self, record: "Entity", values: Values) -> None:
        if self.key in values:
            setattr(record, self.attname, self.to_column(values[self.key]))  # type: ignore[attr-defined]

    def from_column(self, value: Any) -> Any:
        """Return the canonical value of a column's value."""
        return value

    def to_column(self, value: Any) -> Any:
        """Return the column's value of a canonical value."""
        return value
