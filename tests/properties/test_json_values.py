"""The reader and the writer of JSON: exact numbers, storable text, bounded nesting, one ASCII line."""

import tracemalloc
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from django.utils.translation import gettext_lazy
from hypothesis import given
from hypothesis import strategies as st

from configbox.properties.json_values import JsonRefused, check_text, read_json, shown_path, write_json


def refusal(data):
    with pytest.raises(JsonRefused) as caught:
        read_json(data)
    return caught.value


def test_numbers_are_whole_or_exact_decimals():
    read = read_json('{"whole": 5, "point": 5.0, "money": 841.90, "tiny": 1e-30, "big": -1E+30, "zero": -0}')
    assert read == {
        "whole": 5,
        "point": Decimal("5.0"),
        "money": Decimal("841.90"),
        "tiny": Decimal("1e-30"),
        "big": Decimal("-1E+30"),
        "zero": 0,
    }
    assert type(read["whole"]) is int
    assert str(read["money"]) == "841.90"
    assert str(read["point"]) == "5.0"


@pytest.mark.parametrize("data", [b'\xef\xbb\xbf{"a": 1}', '\ufeff{"a": 1}', '{"a": 2, "a": 1}', b' {"a":1}\r\n'])
def test_marks_spaces_and_equal_keys_are_taken(data):
    assert read_json(data) == {"a": 1}


@pytest.mark.parametrize("data", ["", "{bad", "[1,]", b"\xff", "NaN", "[Infinity]", '{"a": -Infinity}', '"a\nb"', "01"])
def test_what_is_no_json_is_a_fault_of_syntax(data):
    assert refusal(data).kind == "syntax"


@pytest.mark.parametrize(
    "data", ["[" * 100_000, '{"a":' * 100_000, "[" * 101 + "]" * 101, '{"a":' * 101 + "1" + "}" * 101]
)
def test_nesting_beyond_measure_is_refused_without_harm(data):
    assert refusal(data).message == "This JSON is nested too deep: at most 100 levels are read."


def test_a_hundred_levels_are_read():
    value = read_json("[" * 100 + "]" * 100)
    for _ in range(99):
        (value,) = value
    assert value == []


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        ("1" * 41, (), "at most 40 digits, got 41."),
        ('{"a": [0, 1.' + "0" * 40 + "]}", ("a", 1), "At a[1]: a number may have at most 40 digits, got 41."),
        ('{"a": 1e31}', ("a",), "At a: the exponent of a number must be between -30 and 30."),
        ('{"a": 1e-31}', ("a",), "the exponent"),
        ('{"a": 1e999999999999999999}', ("a",), "the exponent"),
        ('{"a": "x\\u0000"}', ("a",), "the character NUL (U+0000)"),
        ('{"a\\u0000": 1}', (), "in a key, it contains the character NUL"),
        ('{"a": "\\ud800"}', ("a",), "half of a surrogate pair (U+D800) at character 1."),
        ('{"b": {"\\udc00": 1}}', ("b",), "At b: in a key, it contains half of a surrogate pair (U+DC00)"),
    ],
)
def test_a_value_that_cannot_be_taken_is_named_with_its_path(data, path, words):
    refused = refusal(data)
    assert refused.kind == "value"
    assert refused.path == path
    assert words in refused.message


def test_the_envelope_around_a_bad_value_stays_readable():
    refused = refusal('{"id": 7, "price": 1e99}')
    assert refused.document["id"] == 7
    assert not isinstance(refused.document["price"], int | Decimal)


def test_forty_digits_and_a_whole_pair_are_taken():
    assert read_json("1" * 40) == int("1" * 40)
    assert read_json('"\\ud83d\\ude00"') == "\U0001f600"


def test_check_text_says_why_or_nothing():
    assert check_text("Grüße\U0001f600\n") is None
    assert check_text("a\x00") == "it contains the character NUL (U+0000)."
    assert check_text("ab\udfff") == "it contains half of a surrogate pair (U+DFFF) at character 3."


def test_what_is_written_is_one_plain_line_with_exact_digits():
    moment = datetime(2026, 12, 24, 18, 30, tzinfo=timezone(timedelta(hours=1)))
    written = write_json(
        {
            "price": Decimal("841.90"),
            "large": Decimal("1E+3"),
            "tiny": Decimal("1E-10"),
            "moment": moment,
            "day": date(2026, 1, 2),
            "label": gettext_lazy("Title"),
            "id": UUID(int=1),
            "text": "Grüße\n\u2028",
            "none": None,
        }
    )
    assert written == (
        '{"price": 841.90, "large": 1000, "tiny": 0.0000000001, "moment": "2026-12-24T18:30:00+01:00", '
        '"day": "2026-01-02", "label": "Title", "id": "00000000-0000-0000-0000-000000000001", '
        '"text": "Gr\\u00fc\\u00dfe\\n\\u2028", "none": null}'
    )


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (Decimal("NaN"), ValueError),
        (Decimal("Infinity"), ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        (datetime(2026, 1, 1), ValueError),
        (object(), TypeError),
        ({1, 2}, TypeError),
    ],
)
def test_what_has_no_json_form_is_refused(value, error):
    with pytest.raises(error):
        write_json({"a": [value]})


def test_a_moment_in_utc_carries_its_offset():
    assert write_json(datetime(2026, 1, 1, tzinfo=UTC)) == '"2026-01-01T00:00:00+00:00"'


def test_a_path_reads_as_people_write_it():
    assert shown_path(("fields", "rules", 2, "value")) == "fields.rules[2].value"
    assert shown_path(("a\nb",)) == "a\\nb"


def test_a_key_beyond_measure_is_cut_in_a_path():
    assert shown_path(("fields", "k" * 50_000)) == "fields." + "k" * 57 + "..."


def test_faults_are_found_in_the_order_of_the_text_and_behind_containers():
    refused = refusal('{"a": [[1, {"b": []}], [true, 1e99]], "c": 1e98, "d": "\\u0000"}')
    assert refused.path == ("a", 1, 1)
    assert refusal('[[], {}, {"a": {}}, "\\u0000"]').path == (3,)


def test_too_deep_counts_even_behind_another_fault():
    assert refusal("[1e99, " + "[" * 100 + "]" * 101).kind == "syntax"


def test_millions_of_values_under_ninety_levels_cost_little_beyond_themselves():
    text = "[" * 90 + ",".join("1" * 200_000) + "]" * 90
    tracemalloc.start()
    try:
        read_json(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The list's own pointers and what json keeps to grow it, nothing per value.
    assert peak < 200_000 * 8 * 4


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**39), 10**39)
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=6)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc"), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_what_was_written_reads_back_the_same(value):
    written = write_json(value)
    assert written.isascii()
    assert "\n" not in written
    assert read_json(written) == value
    assert write_json(read_json(written.encode())) == written
