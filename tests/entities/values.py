"""Values that a property takes, as strategies derived from what the property declares: its limits among them."""

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from django.db.models import UniqueConstraint
from hypothesis import strategies as st

from configbox.engine.question_types import QUESTION_TYPES
from configbox.properties.base import Property
from configbox.properties.columns import Boolean, Choice, DateTime, LongText, NumberedChoice, Text
from configbox.properties.entity import Entity
from configbox.properties.numbers import Number, Ordering, Whole
from configbox.properties.owned import ActiveLanguages, LanguageChoice, References
from configbox.properties.references import Reference
from configbox.properties.rule import Rule
from configbox.properties.schema import writable_keys
from configbox.properties.translated import Translated
from configbox.properties.url_label import MAX_LENGTH, UrlLabel
from tests.entities.shop import Shop

HOSTILE = [
    " ",
    "Tür 🚪 Größe 👨‍👩‍👧 باب",
    "\u202eמפתח\u202c \u200f\u200e",
    "Nut & bolt <M8> \"A2\" 'x'",
    "5\" pipe \\ C:\\new \\\\ %s {0} ${x} ' -- ;",
    "</script><script>alert(1)</script>",
    "a\tb\r\nc\n",
    "e\u0301 é ﬁ İ ß",
    "null",
    "0",
    "false",
    " padded ",
    "\ufeffmark",
    "\U0010ffff\uffff",
]
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
# Longer than any column of MySQL's TEXT where counted in bytes, short enough for many examples.
LONG = 3000


def texts(limit: int, *, empty: bool = True) -> st.SearchStrategy[str]:
    """Return texts up to a limit in characters, the limit itself in several scripts among them."""
    least = 0 if empty else 1
    full = min(limit, LONG)
    return st.one_of(
        st.sampled_from([text[:limit] for text in HOSTILE if empty or text.strip()]),
        st.text(CHARACTERS, min_size=least, max_size=min(full, 40)).filter(lambda text: empty or text.strip()),
        st.sampled_from(["x" * full, "ä" * full, "🚪" * full, "ب" * full]),
        *([st.just("")] if empty else []),
    )


def numbers(of: Number) -> st.SearchStrategy[Any]:
    """Return what a decimal property takes: its bounds, its digits at their limit, both as numbers and as text."""
    whole_digits = min(of.max_digits - of.decimal_places, of.max_significant_digits)
    least_step = Decimal(1).scaleb(-of.decimal_places)
    widest = Decimal(10) ** whole_digits - 1
    finest = (Decimal(10) ** of.max_significant_digits - 1) * least_step
    low = Decimal(of.minimum) if of.minimum is not None else -widest
    high = Decimal(of.maximum) if of.maximum is not None else widest
    edges = [low, high, Decimal(0), least_step, -least_step, widest, -widest, finest, -finest, Decimal("841.90")]
    whole = [edge for edge in edges if low <= edge <= high and abs(edge) <= widest]
    scaled = st.integers(0, 10**6).map(lambda steps: low + steps * least_step if of.minimum is not None else steps)
    inside = st.one_of(st.sampled_from(whole), scaled.filter(lambda value: low <= value <= high))
    return inside.flatmap(lambda value: st.sampled_from([value, format(Decimal(value), "f")]))


def moments() -> st.SearchStrategy[Any]:
    offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
    edges = ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00", "2026-12-24T18:00:00+01:00"]
    inside = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=offsets)
    return st.one_of(st.none(), st.sampled_from(edges), inside.map(lambda moment: moment.isoformat()))


def rules(shop: Shop) -> st.SearchStrategy[Any]:
    """Return rules that name what the shop's first product has."""
    value = st.one_of(texts(30), st.sampled_from([Decimal("12.5"), 7, "", '5" pipe \\ C:\\new', "<"]))
    compared = st.fixed_dictionaries(
        {
            "question": st.just(shop.width),
            "operator": st.sampled_from(["==", "!=", "<", ">", "<=", ">="]),
            "value": value,
        }
    )
    selected = st.sampled_from(
        [
            {"question": shop.colour, "operator": "==", "value": shop.red},
            {"question": shop.colour, "operator": "!=", "value": ""},
            {"calculation": shop.area, "operator": ">=", "value": Decimal("1.25")},
            {"customerGroup": "custom_1", "operator": "==", "value": "trade"},
            {"condition": "StoreWeather", "sunny": True, "note": 'a "b" \\ ü 🚪'},
        ]
    )
    leaf = st.one_of(compared, selected)
    nested = st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        ),
        max_leaves=6,
    )
    return st.one_of(st.none(), nested, nested.map(lambda rule: {"not": rule}))


def candidates(shop: Shop) -> dict[str, list[int]]:
    """Return, by entity, the records that a reference may name without leaving the first product."""
    return {
        "product": [shop.product],
        "page": [shop.page, shop.second_page],
        "question": [shop.colour, shop.material],
        "calculation": [shop.area, shop.price_per_metre],
        "product-list": [shop.shown, shop.hidden],
        "tax-class": [1, shop.tax_class],
        "country": [1, 249],
    }


def value_of(of: Property, shop: Shop) -> st.SearchStrategy[Any]:
    """Return what may be sent for a property. Required ones are never left empty, whether they apply or not."""
    required = of.prop.required
    match of:
        case Rule():
            return rules(shop)
        case LanguageChoice():
            return st.just("en-GB")
        case ActiveLanguages():
            more = st.lists(st.sampled_from(["fr-FR", "ar", "zh-Hant-TW", "es-419"]), unique=True)
            return more.map(lambda tags: ["en-GB", "de-DE", *tags])
        case UrlLabel():
            label = st.text("abcxyz0189-", min_size=1, max_size=MAX_LENGTH)
            return st.one_of(st.just(""), label, st.just("z" * MAX_LENGTH))
        case References():
            return st.lists(st.sampled_from(candidates(shop)["product-list"]), unique=True)
        case Reference():
            ids = candidates(shop)[of.target.options().name]
            chosen = st.sampled_from([*ids, *map(str, ids)])
            return chosen if required else st.one_of(st.none(), chosen)
        case Choice():
            # A ShapeDiver model is required with it, and no tool takes one.
            return st.sampled_from([key for key, _ in of.options if key != "shapediver"])
        case NumberedChoice():
            return st.sampled_from([key for key, _ in of.options])
        case Boolean():
            return st.booleans()
        case DateTime():
            return moments()
        case Whole():
            edges = [of.minimum, of.maximum, 0, 1, "7"]
            inside = st.one_of(st.sampled_from(edges), st.integers(of.minimum, of.maximum))
            empty = of.null and not required and not isinstance(of, Ordering)
            return st.one_of(st.none(), inside) if empty else inside
        case Number():
            return st.one_of(st.none(), numbers(of)) if of.null and not required else numbers(of)
        case Text():
            return texts(of.max_length or LONG, empty=not required)
        case LongText():
            return texts(LONG, empty=not required)
        case Translated():
            return texts(of.limit, empty=not required)
    raise NotImplementedError(f"No values for {type(of).__name__}: say here what it takes.")


@st.composite
def whole_records(draw: st.DrawFn, model: type[Entity], shop: Shop, tags: list[str]) -> dict[str, Any]:
    """Return fields for a create: a value for every key that can be written, consistent with each other."""
    constraints = [each for each in model._meta.constraints if isinstance(each, UniqueConstraint)]
    unique = {each.fields[0] for each in constraints if len(each.fields) == 1}
    fields = {}
    for key, each in writable_keys(model, tags).items():
        values = value_of(each, shop)
        if key in unique:
            taken = set(model.objects.values_list(key, flat=True))
            values = values.filter(lambda value, taken=taken: value not in taken)
        fields[key] = draw(values, label=key)
    if model.options().name == "product-list-assignment":
        # The other list holds the product already.
        fields["listing_id"] = shop.hidden
    return consistent(fields)


def consistent(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Mend what each value alone cannot know: values that a rule over several fields would refuse together."""
    settled = dict(fields)
    for low, high in (("minval", "maxval"), ("calendar_days_min", "calendar_days_max")):
        if low in settled and high in settled and settled[low] is not None and settled[high] is not None:
            settled[low], settled[high] = sorted((settled[low], settled[high]), key=Decimal)
    if settled.get("prefill_on_init"):
        settled["default_value"] = fitting_default(settled["question_type"], settled.get("default_value", ""))
    return settled


def fitting_default(question_type: str, typed: str) -> str:
    """Return a preset value that a question's type takes, whatever it lets a shopper enter."""
    kind = QUESTION_TYPES[question_type].default_value
    return {"number": "12", "color": "#336699", "ral": "RAL 7016", "text": "12"}.get(kind or "", typed)
