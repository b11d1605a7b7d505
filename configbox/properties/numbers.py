"""Properties that are one number: whole numbers, places in an order, exact decimals, money."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models

from configbox.properties.base import ColumnProperty
from configbox.properties.issues import Refused, shown
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues

PLAIN_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)
# The highest id that a column of any database here holds, and the last place of an order.
MAX_ID = MAX_PLACE = 2_147_483_647
PLAIN_INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)


class Whole(ColumnProperty, models.IntegerField):  # type: ignore[type-arg]
    """A whole number, with limits."""

    kind = "integer"
    column_class = "django.db.models.IntegerField"

    def __init__(
        self, *args: Any, prop: Prop, minimum: int = -2_147_483_648, maximum: int = 2_147_483_647, **kwargs: Any
    ) -> None:
        self.minimum, self.maximum = minimum, maximum
        if not kwargs.get("null"):
            kwargs.setdefault("default", 0)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "a whole number"

    def accepts_null(self) -> bool:
        return bool(self.null)

    def read(self, raw: Any) -> Any:
        if raw is None and self.null:
            return None
        self.refuse_null(raw)
        value = read_whole(raw)
        if value is None:
            raise self.wrong(raw)
        if not self.minimum <= value <= self.maximum:
            raise Refused("range", f"must be between {self.minimum} and {self.maximum}, got {value}.")
        return value

    def value_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}


def read_whole(raw: Any) -> int | None:
    """Return the whole number that `raw` is exactly, or None. Text counts when it is plain digits."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, Decimal) and raw.is_finite() and raw == raw.to_integral_value():
        return int(raw)
    if isinstance(raw, str) and PLAIN_INTEGER.fullmatch(raw):
        return int(raw)
    return None


def place_after(last: int | None) -> int:
    """Return the place after the last of an order, within what the column holds; ties are broken by id."""
    return min((last or 0) + 10, MAX_PLACE)


def possible_ids(values: Iterable[int]) -> list[int]:
    """Leave out what no id can be: databases refuse numbers beyond their columns."""
    return [value for value in values if 0 < value <= MAX_ID]


class Ordering(Whole):
    """The place of a record among its siblings; a new record goes last. Ties are broken by id everywhere."""

    kind = "ordering"

    def __init__(self, *args: Any, prop: Prop, within: str | None = None, **kwargs: Any) -> None:
        # Name of the reference whose records share one order; None: all records of the entity.
        self.within = within
        # Far below what the column holds, so that there is always room after the last.
        super().__init__(*args, prop=prop, minimum=0, maximum=1_000_000_000, **kwargs)

    def initial(self) -> Any:
        return None

    def fill(self, values: "RecordValues", touched: set[str], creating: bool) -> dict[str, Any]:
        if not creating or values[self.key] is not None:
            return {}
        siblings = values.model.objects.all()
        if self.within is not None:
            siblings = siblings.filter(**{f"{self.within}_id": values[f"{self.within}_id"]})
        last = siblings.aggregate(last=models.Max(self.name))["last"]
        return {self.key: place_after(last)}

    @property
    def sortable(self) -> bool:
        return True


def _significant(value: Decimal) -> tuple[int, int]:
    """Return how many digits a value has without zeros at its end, and its exponent then. Nothing is rounded."""
    _, digits, exponent = value.as_tuple()
    kept = len(digits)
    while kept > 1 and digits[kept - 1] == 0:
        kept -= 1
    if not any(digits):
        return 1, 0
    return kept, int(exponent) + len(digits) - kept


class Number(ColumnProperty, models.DecimalField):  # type: ignore[type-arg]
    """An exact decimal number. Read from a JSON number or plain decimal text, never from a float."""

    kind = "number"
    column_class = "django.db.models.DecimalField"
    # SQLite keeps decimals as binary doubles, which hold 15 significant digits exactly.
    max_significant_digits: ClassVar[int] = 15
    minimum_decimals: ClassVar[int] = 0

    def __init__(
        self, *args: Any, prop: Prop, minimum: int | Decimal | None = None, maximum: int | None = None, **kwargs: Any
    ) -> None:
        self.minimum, self.maximum = minimum, maximum
        kwargs.setdefault("max_digits", 20)
        kwargs.setdefault("decimal_places", 4)
        if not kwargs.get("null"):
            kwargs.setdefault("default", 0)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "a number such as 12.5, with a point and without thousands separators"

    def accepts_null(self) -> bool:
        return bool(self.null)

    def initial(self) -> Any:
        value = super().initial()
        return None if value in (None, "") else self.canonical(Decimal(value))

    def read(self, raw: Any) -> Any:
        if raw is None and self.null:
            return None
        self.refuse_null(raw)
        if isinstance(raw, bool) or not isinstance(raw, int | Decimal | str):
            raise self.wrong(raw)
        if isinstance(raw, str) and not PLAIN_NUMBER.fullmatch(raw):
            raise self.wrong(raw)
        value = Decimal(raw)
        if not value.is_finite():
            raise self.wrong(raw)
        return self._within_limits(value, raw)

    def _within_limits(self, value: Decimal, raw: Any) -> Decimal:
        digits, exponent = _significant(value)
        decimals = max(0, -exponent)
        if decimals > self.decimal_places:
            raise Refused("decimals", f"may have at most {self.decimal_places} decimals, got {shown(raw)}.")
        whole_digits = max(0, digits + exponent)
        significant = whole_digits + decimals if whole_digits else digits
        if significant > self.max_significant_digits or whole_digits > self.max_digits - self.decimal_places:
            most = min(self.max_significant_digits, self.max_digits - self.decimal_places)
            raise Refused("digits", f"has too many digits: at most {most} are kept exactly, got {shown(raw)}.")
        if self.minimum is not None and value < self.minimum:
            raise Refused("range", f"must be at least {self.minimum}, got {shown(raw)}.")
        if self.maximum is not None and value > self.maximum:
            raise Refused("range", f"must be at most {self.maximum}, got {shown(raw)}.")
        return self.canonical(value)

    def canonical(self, value: Decimal) -> Decimal:
        """Return the one form of a value: plain digits, no needless zeros, an amount with two decimals at least."""
        _, exponent = _significant(value)
        return value.quantize(Decimal(1).scaleb(-max(self.minimum_decimals, -exponent, 0))) + 0

    def from_column(self, value: Any) -> Any:
        return None if value is None else self.canonical(Decimal(value))

    def value_schema(self) -> dict[str, Any]:
        # Digits before the point bound the value; how many decimals are kept has no word in JSON Schema that
        # validators with binary floats agree on.
        beyond = 10 ** min(self.max_significant_digits, self.max_digits - self.decimal_places)
        schema: dict[str, Any] = {"type": "number"}
        schema |= {"exclusiveMinimum": -beyond} if self.minimum is None else {"minimum": self.minimum}
        schema |= {"exclusiveMaximum": beyond} if self.maximum is None else {"maximum": self.maximum}
        return schema


class Amount(Number):
    """Money: net, in the base currency, shown with at least two decimals."""

    kind = "price"
    minimum_decimals = 2
