"""Properties that are one column: texts, switches, choices, times."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import nh3
from django.db import models
from django.utils.dateparse import parse_datetime

from configbox.languages.columns import ByteComparedCharField
from configbox.properties.base import ColumnProperty
from configbox.properties.issues import Refused, shown
from configbox.properties.json_values import check_text
from configbox.properties.numbers import read_whole
from configbox.properties.prop import Prop

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues

MAX_LONG_TEXT = 1_000_000


def read_text(raw: Any, max_length: int | None) -> str:
    """Return sent text unchanged, or raise Refused: wrong type, NUL, lone surrogate, too long (never cut)."""
    if not isinstance(raw, str):
        raise Refused("type", f"must be text, got {shown(raw)}.")
    if fault := check_text(raw):
        raise Refused("text", f"cannot be stored: {fault}")
    if max_length is not None and len(raw) > max_length:
        raise Refused("max_length", f"may have at most {max_length} characters, got {len(raw)}.")
    return raw


def read_html(raw: Any, max_length: int | None) -> str:
    """Return HTML without scripts, handlers and javascript addresses; what is harmless stays."""
    # Cleaning may lengthen a text: & becomes &amp;
    return read_text(nh3.clean(read_text(raw, max_length)), max_length)


class Text(ColumnProperty, models.CharField):  # type: ignore[type-arg]
    """A short text in one language, "" when nothing was entered."""

    kind = "string"
    column_class = "django.db.models.CharField"

    def __init__(self, *args: Any, prop: Prop, fill_from: str | None = None, **kwargs: Any) -> None:
        # Name of the translated property whose text stands here when nothing was entered.
        self.fill_from = fill_from
        kwargs.setdefault("max_length", 255)
        kwargs.setdefault("default", "")
        kwargs.setdefault("blank", True)
        super().__init__(*args, prop=prop, **kwargs)

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        return read_text(raw, self.max_length)

    def fill(self, values: "RecordValues", touched: set[str], creating: bool) -> dict[str, Any]:
        if self.fill_from is None or values[self.key] or not (creating or self.key in touched):
            return {}
        return {self.key: values.text(self.fill_from)[: self.max_length]}

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.max_length}


class Code(Text, ByteComparedCharField):
    """A text that identifies: article numbers, ISO codes. Compared by bytes on every database."""

    kind = "string"
    column_class = "configbox.languages.columns.ByteComparedCharField"


class LongText(ColumnProperty, models.TextField):  # type: ignore[type-arg]
    """Text of any length in one language."""

    kind = "string"
    column_class = "django.db.models.TextField"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        kwargs.setdefault("default", "")
        kwargs.setdefault("blank", True)
        super().__init__(*args, prop=prop, **kwargs)

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        return read_text(raw, MAX_LONG_TEXT)

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": MAX_LONG_TEXT}


class Secret(Text):
    """A credential: written and never read, on any door, in any change, log or error."""

    kind = "secret"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        if not prop.sensitive:
            raise TypeError("A Secret needs Prop(sensitive=True).")
        super().__init__(*args, prop=prop, **kwargs)


class Boolean(ColumnProperty, models.BooleanField):  # type: ignore[type-arg]
    """Yes or no."""

    kind = "boolean"
    column_class = "django.db.models.BooleanField"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        kwargs.setdefault("default", False)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "true or false"

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        if isinstance(raw, bool):
            return raw
        if raw in ("true", "false") and isinstance(raw, str):
            return raw == "true"
        raise self.wrong(raw)

    def value_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    @property
    def filterable(self) -> bool:
        return True


class Published(Boolean):
    """Whether the shop shows the record."""

    kind = "published"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        kwargs.setdefault("default", True)
        super().__init__(*args, prop=prop, **kwargs)


class DateTime(ColumnProperty, models.DateTimeField):  # type: ignore[type-arg]
    """A moment, kept in UTC. Its canonical form is ISO 8601 with an offset."""

    kind = "datetime"
    column_class = "django.db.models.DateTimeField"

    def __init__(self, *args: Any, prop: Prop, **kwargs: Any) -> None:
        kwargs.setdefault("null", True)
        kwargs.setdefault("blank", True)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "a moment with its offset such as 2026-12-24T18:00:00+01:00, or null"

    def accepts_null(self) -> bool:
        return bool(self.null)

    def read(self, raw: Any) -> Any:
        if raw is None and self.null:
            return None
        self.refuse_null(raw)
        try:
            moment = parse_datetime(raw) if isinstance(raw, str) and raw.isascii() else None
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            raise self.wrong(raw)
        try:
            return moment.astimezone(UTC).isoformat()
        except OverflowError:
            raise self.wrong(raw) from None

    def from_column(self, value: Any) -> Any:
        return None if value is None else value.astimezone(UTC).isoformat()

    def to_column(self, value: Any) -> Any:
        return None if value is None else datetime.fromisoformat(value)

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date-time"}


def keys_of(choices: Iterable[tuple[Any, Any]]) -> list[Any]:
    return [key for key, _ in choices]


class Choice(ColumnProperty, models.CharField):  # type: ignore[type-arg]
    """One of a declared set of keys."""

    kind = "dropdown"
    column_class = "django.db.models.CharField"

    def __init__(self, options: Sequence[tuple[str, Any]] = (), *args: Any, prop: Prop, **kwargs: Any) -> None:
        self.options = tuple(options)
        kwargs.setdefault("max_length", 60)
        if self.options:
            kwargs.setdefault("default", self.options[0][0])
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "one of " + ", ".join(shown(key) for key in keys_of(self.options))

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        if not isinstance(raw, str) or raw not in keys_of(self.options):
            raise Refused("choice", f"must be {self.expected()}; got {shown(raw)}.")
        return raw

    def value_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": keys_of(self.options)}

    @property
    def filterable(self) -> bool:
        return True


class NumberedChoice(ColumnProperty, models.SmallIntegerField):  # type: ignore[type-arg]
    """One of a declared set of numbers, as the domain's dropdowns with numbered keys."""

    kind = "dropdown"
    column_class = "django.db.models.SmallIntegerField"

    def __init__(self, options: Sequence[tuple[int, Any]] = (), *args: Any, prop: Prop, **kwargs: Any) -> None:
        self.options = tuple(options)
        if self.options:
            kwargs.setdefault("default", self.options[0][0])
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return "one of " + ", ".join(f"{key} ({label})" for key, label in self.options)

    def read(self, raw: Any) -> Any:
        self.refuse_null(raw)
        value = read_whole(raw)
        if value is None or value not in keys_of(self.options):
            raise Refused("choice", f"must be {self.expected()}; got {shown(raw)}.")
        return value

    def value_schema(self) -> dict[str, Any]:
        return {"type": "integer", "enum": keys_of(self.options)}

    @property
    def filterable(self) -> bool:
        return True
