"""What a property's schema admits and what the property reads are the same values, for every simple type.

A property also reads the exact text of a number or a switch (`"12"`, `"true"`), which a schema does not promise; what
it makes of such text is a value that the schema admits.
"""

from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configbox.entities.registry import entities, model_of
from configbox.properties.base import Property
from configbox.properties.columns import Boolean, Choice, LongText, NumberedChoice, Text
from configbox.properties.issues import Refused
from configbox.properties.json_values import write_json
from configbox.properties.numbers import Number, Whole
from configbox.properties.owned import References
from configbox.properties.references import Reference
from configbox.properties.rule import Rule
from configbox.properties.schema import property_schema, writable_keys
from configbox.properties.translated import Translated
from configbox.properties.url_label import UrlLabel

SIMPLE = (Text, LongText, Translated, Boolean, Choice, NumberedChoice, Whole, Number, Reference, References)
STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
WHOLE_NUMBERS = st.one_of(
    st.integers(-12, 130), st.sampled_from([2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 10**14, 10**30])
)
# How many decimals and significant digits are kept is no word of JSON Schema: these have at most 2 and 9.
DECIMALS = st.decimals(-1_000_000, 1_000_000, places=2)
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
VALIDATING = ("type", "enum", *BOUNDS, "maxLength", "items", "uniqueItems")
WORDS = st.sampled_from(["", "true", "false", "null", "12", "12.50", "12abc", "1e3", " 12", "18,50", "textbox", "code"])


def simple_properties() -> dict[str, tuple[Property, str]]:
    """Return each simple property under a name for a report, with one of its keys."""
    found = {}
    for name in sorted(entities()):
        for key, each in writable_keys(model_of(name), ["en-GB"]).items():
            if isinstance(each, SIMPLE) and not isinstance(each, Rule | UrlLabel):
                found[f"{name}.{key}"] = (each, key)
    return found


PROPERTIES = simple_properties()
VALIDATORS = {
    name: jsonschema_rs.Draft202012Validator(write_json(property_schema(of, key)))
    for name, (of, key) in PROPERTIES.items()
}


def near(of: Property) -> st.SearchStrategy[Any]:
    """Return values on both sides of what a property takes."""
    limits = of.value_schema()
    strategies: list[st.SearchStrategy[Any]] = [
        st.none(),
        st.booleans(),
        WHOLE_NUMBERS,
        DECIMALS,
        WORDS,
        st.text(STORABLE, max_size=20),
        st.lists(st.one_of(st.integers(-1, 4), WORDS), max_size=4),
        st.just({}),
    ]
    if limits.get("maxLength", 10**6) < 1000:
        edge = limits["maxLength"]
        strategies.append(st.sampled_from(["🚪" * edge, "ä" * edge, "x" * (edge + 1), "🚪" * (edge + 1)]))
    if "enum" in limits:
        strategies.append(st.sampled_from(limits["enum"]))
        strategies.append(st.sampled_from(limits["enum"]).map(str))
    for bound in (limits[word] for word in BOUNDS if word in limits):
        strategies.append(st.sampled_from([bound, bound - 1, bound + 1, Decimal(bound)]))
    return st.one_of(strategies)


def is_lenient(of: Property, raw: Any) -> bool:
    """Say whether a value is more than the schema promises: exact text of a number or a switch, also in a list."""
    if isinstance(raw, list):
        return any(isinstance(each, str) for each in raw)
    return isinstance(raw, str) and of.value_schema()["type"] != "string"


def disagreement(name: str, raw: Any) -> str | None:
    """Return in which way schema and property disagree about a value, or None."""
    of, _ = PROPERTIES[name]
    admitted = VALIDATORS[name].is_valid(raw)
    try:
        canonical = of.read(raw)
    except Refused as refusal:
        return f"{name}: the schema admits {raw!r}, which {refusal.message}" if admitted else None
    if canonical is None and not of.accepts_null():
        # An absent required reference is told with every other absent value, after reading.
        return None
    if not VALIDATORS[name].is_valid(of.present(canonical)):
        return f"{name}: {raw!r} is read as {canonical!r}, which the schema refuses"
    if not admitted and not is_lenient(of, raw):
        return f"{name}: {raw!r} is read, the schema refuses it"
    return None


def alike() -> dict[str, list[str]]:
    """Return the properties whose type and schema are the same, by the name of the first."""
    groups: dict[tuple[type, str], list[str]] = {}
    for name, (of, key) in PROPERTIES.items():
        schema = {word: value for word, value in property_schema(of, key).items() if word in VALIDATING}
        groups.setdefault((type(of), write_json(schema)), []).append(name)
    return {names[0]: names for names in groups.values()}


ALIKE = alike()


@pytest.mark.parametrize("first", ALIKE)
@given(data=st.data())
def test_schema_and_property_agree(first: str, data: st.DataObject) -> None:
    raw = data.draw(near(PROPERTIES[first][0]))
    assert [found for name in ALIKE[first] if (found := disagreement(name, raw))] == []


@pytest.mark.parametrize(
    "raw",
    [None, True, False, 0, 1, -1, 2, 5, 101, 2**31, Decimal("1.0"), Decimal("0.5"), "", "1", "0.5", "true", "x", [],
     [1], [1, 1], ["2"], [True], [0], {}, {"a": 1}],
    ids=repr,
)  # fmt: skip
def test_every_simple_property_agrees_about_the_usual_suspects(raw: Any) -> None:
    assert [found for name in PROPERTIES if (found := disagreement(name, raw))] == []


def test_every_simple_type_was_asked() -> None:
    asked = [of for of, _ in PROPERTIES.values()]
    assert [kind.__name__ for kind in SIMPLE if not any(isinstance(of, kind) for of in asked)] == []
