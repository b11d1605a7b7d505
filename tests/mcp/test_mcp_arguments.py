"""Arguments: exact strings are taken, nothing is cut, every fault is told at once (row 15, case G29)."""

import time
from decimal import Decimal

import pytest

from cbx_mcp.protocol.arguments import read_arguments
from tests.mcp.fixture_tools import TYPED


def accepted(arguments, schema=TYPED):
    read, faults = read_arguments(schema, arguments)
    assert faults == []
    return read


def faults_of(arguments, schema=TYPED):
    return read_arguments(schema, arguments)[1]


@pytest.mark.parametrize(
    ("name", "sent", "read"),
    [
        ("whole", "5", 5),
        ("whole", "5.0", 5),
        ("whole", Decimal("5.0"), 5),
        ("number", "1.50", Decimal("1.50")),
        ("number", "-3", -3),
        ("number", 7, 7),
        ("flag", "true", True),
        ("flag", "false", False),
        ("words", '["a", "1"]', ["a", "1"]),
        ("numbers", '["1", 2.0]', [1, 2]),
        ("numbers", ["1", Decimal("2.0")], [1, 2]),
        ("fields", '{"price": 841.90, "n": "5"}', {"price": Decimal("841.90"), "n": "5"}),
        ("text", "5", "5"),
        ("text", '{"a":1}', '{"a":1}'),
        ("text", "true", "true"),
        ("kind", "page", "page"),
    ],
)
def test_what_is_exactly_the_wanted_type_is_taken(name, sent, read):
    taken = accepted({name: sent})[name]
    assert taken == read
    assert type(taken) is type(read)
    assert str(taken) == str(read)


def test_texts_inside_free_objects_are_left_alone():
    assert accepted({"fields": {"text": '{"a":1}', "number": "5"}}) == {"fields": {"text": '{"a":1}', "number": "5"}}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"whole": "12abc"}, 'whole must be a whole number, got "12abc".'),
        ({"whole": Decimal("5.7")}, "whole must be a whole number, got 5.7."),
        ({"whole": "5.7"}, "whole must be a whole number, got 5.7."),
        ({"whole": True}, "whole must be a whole number, got true."),
        ({"whole": " 5"}, 'whole must be a whole number, got " 5".'),
        ({"whole": []}, "whole must be a whole number, got a list."),
        ({"whole": 0}, "whole must be at least 1, got 0."),
        ({"number": "18,50"}, 'number must be a number, got "18,50".'),
        ({"number": "NaN"}, 'number must be a number, got "NaN".'),
        ({"number": "1" * 41}, None),
        ({"flag": "yes"}, 'flag must be true or false, got "yes".'),
        ({"flag": 1}, "flag must be true or false, got 1."),
        ({"flag": "True"}, 'flag must be true or false, got "True".'),
        ({"words": "a,b"}, None),
        ({"words": ["a", 5]}, "words[1] must be text, got 5."),
        ({"fields": "{a"}, None),
        ({"fields": "[]"}, 'fields must be an object, got "[]".'),
        ({"text": 5}, "text must be text, got 5."),
        ({"kind": "anwser"}, 'kind cannot be "anwser"; did you mean answer? Valid values: answer, question, page.'),
        (
            {"texts": "x"},
            "texts is an unknown argument; did you mean text? Valid arguments: "
            "whole, number, flag, words, numbers, fields, text, kind.",
        ),
    ],
)
def test_what_is_not_is_refused_by_name(arguments, sentence):
    (fault,) = faults_of(arguments)
    if sentence is None:
        assert fault.startswith(f"{next(iter(arguments))} must be ")
    else:
        assert fault == sentence


def test_json_text_that_cannot_be_read_says_why():
    (fault,) = faults_of({"fields": '{"a": 1e99}'})
    assert fault == (
        "fields must be an object, got text that cannot be read as one "
        "(At a: the exponent of a number must be between -30 and 30)."
    )


def test_every_fault_is_told_at_once():
    faults = faults_of({"whole": "x", "flag": "maybe", "kind": "thing", "nope": 1, "neither": 2})
    assert [fault.split()[0] for fault in faults] == ["whole", "flag", "kind", "nope", "neither"]


def test_a_missing_argument_is_named():
    schema = {**TYPED, "required": ["whole", "kind"]}
    assert set(faults_of({"whole": None}, schema)) == {
        "kind is missing.",
        "whole must be a whole number, got null.",
    }


def test_null_means_absent_where_an_argument_is_optional_and_is_named_where_unknown():
    assert accepted({"whole": None, "text": "x"}) == {"text": "x"}
    assert faults_of({"nope": None})[0].startswith("nope is an unknown argument.")


def one_kind(count):
    names = [f"kind-{number:02}" for number in range(count)]
    return {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": names}},
        "required": [],
        "additionalProperties": False,
    }


def test_enums_of_thirty_values_are_shown_whole():
    (fault,) = faults_of({"kind": "kind-07x"}, one_kind(30))
    assert "more" not in fault
    assert all(f"kind-{number:02}" in fault for number in range(30))


def test_of_many_faults_the_first_are_told_and_the_others_counted():
    faults = faults_of({"text": 5, **{f"unknown-{number}": 1 for number in range(20_000)}})
    assert len(faults) == 21
    assert faults[0] == "text must be text, got 5."
    assert faults[19].startswith("unknown-18 is an unknown argument.")
    assert faults[20] == "and 19981 more."
    wrong = faults_of({"words": [1] * 1000})
    assert len(wrong) == 21
    assert wrong[20] == "and 980 more."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"words": ["a"] * 10_001}, "words may have at most 10000 entries, got 10001."),
        ({"words": "[" + "1," * 10_000 + "1]"}, "words may have at most 10000 entries, got 10001."),
        ({"fields": {"ids": [1] * 10_001}}, "fields.ids may have at most 10000 entries, got 10001."),
        ({"fields": dict.fromkeys(map(str, range(10_001)))}, "fields may have at most 10000 entries, got 10001."),
        ({"nope": [[0] * 10_001]}, "nope[0] may have at most 10000 entries, got 10001."),
    ],
)
def test_lists_and_objects_beyond_measure_are_refused_by_name(arguments, sentence):
    assert faults_of(arguments) == [sentence]


def test_ten_thousand_entries_are_taken():
    assert len(accepted({"words": ["a"] * 10_000})["words"]) == 10_000


def test_a_list_of_millions_is_refused_at_once():
    started = time.process_time()
    assert faults_of({"words": [1] * 1_900_000}) == ["words may have at most 10000 entries, got 1900000."]
    assert time.process_time() - started < 10


def test_an_empty_text_where_one_is_needed_is_refused():
    schema = {**TYPED, "properties": {"handle": {"type": "string", "minLength": 1}}}
    assert faults_of({"handle": ""}, schema) == ["handle must not be empty; leave it out if you have none."]


def test_long_enums_are_shown_closest_first_and_cut():
    (fault,) = faults_of({"kind": "kind-39x"}, one_kind(40))
    assert fault.startswith('kind cannot be "kind-39x"; did you mean kind-39? Valid values: kind-39, ')
    assert fault.endswith(" and 30 more.")
