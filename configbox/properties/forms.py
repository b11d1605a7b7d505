"""Form fields from properties: one plain box per API key. A box checks nothing; the pipeline does, for every door."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms

from configbox.properties.base import Property
from configbox.properties.columns import Boolean, Choice, DateTime, NumberedChoice, Secret
from configbox.properties.files import File, Upload
from configbox.properties.issues import Refused
from configbox.properties.json_values import JsonRefused, read_json, write_json
from configbox.properties.numbers import Number, Whole
from configbox.properties.owned import ActiveLanguages, References
from configbox.properties.references import Reference
from configbox.properties.rule import Rule

LONG = 300


class Box(forms.CharField):
    """A text box that hands on what was typed: not stripped, not validated, line ends as the text had them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, strip=False, **kwargs)
        # NUL and the like are refused by the pipeline, in the words of every door.
        self.validators = []

    def to_python(self, value: Any) -> str:
        return "" if value is None else str(value).replace("\r\n", "\n")


@dataclass(frozen=True)
class FormType:
    """How a type of property stands in a form: its widget, the text in the box, the value that is sent."""

    field: Callable[[Property], forms.Field]
    shown: Callable[[Any], Any]
    sent: Callable[[Any], Any]


def _text(value: Any) -> Any:
    return "" if value is None else str(value)


def _or_none(typed: str) -> Any:
    return typed if typed != "" else None


def _parts(typed: str) -> list[str]:
    return [part.strip() for part in typed.split(",") if part.strip()]


def _json(typed: str) -> Any:
    if typed.strip() == "":
        return None
    try:
        return read_json(typed)
    except JsonRefused as refusal:
        raise Refused("json", f"is not valid JSON: {refusal.message}") from None


def _upload(chosen: Any) -> Any:
    return Upload(chosen.name, chosen.read()) if chosen else ""


def _select(of: Any) -> forms.Field:
    empty = [] if of.has_default() else [("", "")]
    return Box(widget=forms.Select(choices=[*empty, *((str(key), label) for key, label in of.options)]))


def _text_box(of: Property) -> forms.Field:
    limit = of.value_schema().get("maxLength", LONG + 1)
    return Box(widget=forms.Textarea(attrs={"rows": 4}) if limit > LONG else forms.TextInput())


# The first class in a property's method resolution order that stands here decides.
FORM_TYPES: dict[type[Any], FormType] = {
    Boolean: FormType(lambda of: forms.BooleanField(required=False), bool, bool),
    Choice: FormType(_select, _text, str),
    NumberedChoice: FormType(_select, _text, _or_none),
    Whole: FormType(lambda of: Box(), _text, _or_none),
    Number: FormType(lambda of: Box(), _text, _or_none),
    Reference: FormType(lambda of: Box(), _text, _or_none),
    References: FormType(lambda of: Box(), lambda value: ", ".join(map(str, value or [])), _parts),
    ActiveLanguages: FormType(lambda of: Box(), lambda value: ", ".join(value or []), _parts),
    DateTime: FormType(lambda of: Box(), _text, _or_none),
    Rule: FormType(
        lambda of: Box(widget=forms.Textarea(attrs={"rows": 4})),
        lambda value: write_json(value) if value else "",
        _json,
    ),
    Secret: FormType(lambda of: Box(widget=forms.PasswordInput(render_value=False)), lambda value: "", str),
    File: FormType(lambda of: forms.FileField(required=False), lambda value: value, _upload),
    Property: FormType(_text_box, _text, str),
}


def form_type(of: Property) -> FormType:
    """Return how a property stands in a form."""
    return next(FORM_TYPES[klass] for klass in type(of).__mro__ if klass in FORM_TYPES)


def form_field(of: Property, key: str) -> forms.Field:
    """Return the box of one API key, with its label, tooltip and unit."""
    field = form_type(of).field(of)
    field.label = of.label(key) + (f" ({of.prop.unit})" if of.prop.unit else "")
    field.help_text = str(of.prop.tooltip)
    return field
