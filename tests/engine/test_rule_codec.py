"""Rules between their stored and their authored form: what is kept, what is refused, what comes back raw."""

import json
from decimal import Decimal

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configbox.engine.rules import RuleError, RuleReferences, decode, encode, equivalent, json_schema, references

A = {"question": 11, "operator": "==", "value": 22}
B = {"question": 13, "operator": "!=", "value": 30}
C = {"calculation": 7, "operator": ">=", "value": Decimal("12.5")}
D = {"customerGroup": "custom_1", "operator": "<", "value": "gold"}

STORED_A = '{"type":"QuestionProperty","questionId":"11","field":"selectedAnswer.id","operator":"==","value":"22"}'
STORED_B = '{"type":"QuestionProperty","questionId":"13","field":"selectedAnswer.id","operator":"!=","value":"30"}'
STORED_C = '{"type":"Calculation","calcId":"7","operator":">=","value":"12.5"}'
STORED_D = '{"type":"CustomerGroup","fieldName":"custom_1","operator":"<","value":"gold"}'
AND = '{"type":"combinator","kind":"and"}'
OR = '{"type":"combinator","kind":"or"}'
NOT = '{"type":"negation"}'


def refusal(rule: object, present: str = "") -> str:
    with pytest.raises(RuleError) as caught:
        encode(rule, present)
    assert str(caught.value) == caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("rule", "stored"),
    [
        (None, ""),
        (A, f"[{STORED_A}]"),
        (B, f"[{STORED_B}]"),
        (C, f"[{STORED_C}]"),
        (D, f"[{STORED_D}]"),
        ({"all": [A, B]}, f"[{STORED_A},{AND},{STORED_B}]"),
        ({"any": [A, B, C]}, f"[{STORED_A},{OR},{STORED_B},{OR},{STORED_C}]"),
        ({"all": [A, {"any": [B, C]}]}, f"[{STORED_A},{AND},[{STORED_B},{OR},{STORED_C}]]"),
        ({"all": [{"all": [A, B]}, C]}, f"[[{STORED_A},{AND},{STORED_B}],{AND},{STORED_C}]"),
        ({"not": A}, f"[{NOT},{STORED_A}]"),
        ({"not": {"any": [A, D]}}, f"[{NOT},{STORED_A},{OR},{STORED_D}]"),
    ],
)
def test_the_authored_form_is_stored_as_tokens_and_reads_back(rule: object, stored: str) -> None:
    assert encode(rule) == stored
    assert decode(stored) == rule


def test_nothing_stored_is_no_rule() -> None:
    assert decode(None) is None
    assert decode("") is None


def test_one_element_groups_are_their_element() -> None:
    assert encode({"all": [{"any": [A]}]}) == f"[{STORED_A}]"
    assert encode({"all": [{"any": [A]}, {"all": [B]}]}) == f"[{STORED_A},{AND},{STORED_B}]"


def test_ids_may_be_digits() -> None:
    assert encode({"question": "11", "operator": "==", "value": "22"}) == f"[{STORED_A}]"
    assert encode({"question": Decimal("11"), "operator": "==", "value": 22}) == f"[{STORED_A}]"


@pytest.mark.parametrize(
    "value",
    ["gold", "", " 22", "007", "1.10", "1e3", "-0", "+5", "1.", ".5", "٢٢", "9" * 41,
     '5" pipe \\ C:\\new', "<b>&amp;", "a\nb\tc", "🛠 Tür", "null", "true"],
)  # fmt: skip
def test_a_text_that_is_no_plain_number_survives_three_cycles(value: str) -> None:
    rule: object = {"question": 11, "operator": "==", "value": value}
    for _ in range(3):
        stored = encode(rule)
        assert json.loads(stored)[0]["value"] == value
        rule = decode(stored)
        assert rule == {"question": 11, "operator": "==", "value": value}
        assert isinstance(rule["value"], str)


@pytest.mark.parametrize(
    ("value", "stored", "back"),
    [
        (22, "22", 22),
        ("22", "22", 22),
        (0, "0", 0),
        (-3, "-3", -3),
        (Decimal("1.10"), "1.1", Decimal("1.1")),
        (Decimal("-0.0"), "0", 0),
        (Decimal("1E+3"), "1000", 1000),
        (Decimal("5E-7"), "0.0000005", Decimal("0.0000005")),
        ("9" * 40, "9" * 40, int("9" * 40)),
        (Decimal("1234567890.123456789012345678901234567891"), "1234567890.123456789012345678901234567891", None),
    ],
)
def test_a_plain_number_reads_back_as_a_number(value: object, stored: str, back: object) -> None:
    text = encode({"calculation": 7, "operator": "==", "value": value})
    assert json.loads(text)[0]["value"] == stored
    read = decode(text)
    assert read is not None
    expected = value if back is None else back
    assert (read["value"], type(read["value"])) == (expected, type(expected))


@pytest.mark.parametrize(
    ("leaf", "stored"),
    [
        (
            {"condition": "Dimensions", "questionId": 11, "operator": ">=", "value": 100, "subValue": "w"},
            '[{"type":"Dimensions","questionId":11,"operator":">=","value":100,"subValue":"w"}]',
        ),
        (
            {"condition": "X", "n": Decimal("1.10"), "deep": [{"a": None, "b": [True, "1.10", Decimal("1E+5")]}]},
            '[{"type":"X","n":1.10,"deep":[{"a":null,"b":[true,"1.10",1E+5]}]}]',
        ),
        (
            {"condition": "QuestionProperty", "questionId": 11, "field": "price", "operator": ">", "value": 100},
            '[{"type":"QuestionProperty","questionId":11,"field":"price","operator":">","value":100}]',
        ),
        (
            {"condition": "Calculation", "calcId": "7", "operator": "==", "value": "1", "note": "kept"},
            '[{"type":"Calculation","calcId":"7","operator":"==","value":"1","note":"kept"}]',
        ),
        ({"condition": "X", "question": 5, "all": []}, '[{"type":"X","question":5,"all":[]}]'),
        ({"condition": "X", "data": {"questionId": 1}}, '[{"type":"X","data":{"questionId":1}}]'),
    ],
)
def test_conditions_by_name_travel_verbatim(leaf: dict[str, object], stored: str) -> None:
    assert encode(leaf) == stored
    read = decode(stored)
    assert read == leaf
    assert encode(read) == stored


def test_a_built_in_condition_by_name_that_says_no_more_is_the_friendly_leaf() -> None:
    leaf = {"condition": "QuestionProperty", "questionId": 11, "field": "selected", "operator": "==", "value": 22}
    assert encode(leaf) == f"[{STORED_A}]"
    assert encode({"condition": "Calculation", "calcId": 7, "operator": ">=", "value": "12.5"}) == f"[{STORED_C}]"


@pytest.mark.parametrize(
    ("rule", "fragments"),
    [
        ({}, ["rules is an empty object", '{"all": [...]}']),
        ([], ["rules is an empty list"]),
        ([A], ["rules is a list"]),
        ("x", ['rules is "x"']),
        (False, ["rules is false"]),
        ({"all": []}, ["rules.all is an empty list", "null"]),
        ({"any": []}, ["rules.any is an empty list"]),
        ({"all": A}, ["rules.all is an object"]),
        ({"all": [A, None]}, ["rules.all[1] is null"]),
        ({"any": [A, {"all": [{}]}]}, ["rules.any[1].all[0] is an empty object"]),
        ({"foo": 1}, ['"foo"', "make no rule"]),
        ({"all": [A], "any": [B]}, ['mixes "all" and "any"']),
        ({"all": [A], "note": "x"}, ['"note" beside "all"']),
        ({"not": A, "note": "x"}, ['"note" beside "not"']),
        ({"question": 11, "operator": "==", "value": 22, "x": 1}, ['the key "x"', '"question"']),
        ({"question": 11, "value": 22}, ["rules has no operator", "<, <=, ==, !=, >=, >"]),
        (
            {"all": [A, {"question": 11, "operator": "=", "value": 22}]},
            ['rules.all[1].operator is "="', "Use one of: <, <=, ==, !=, >=, >."],
        ),
        ({"question": 11, "operator": ["=="], "value": 22}, ["rules.operator is a list"]),
        ({"all": [{"not": A}]}, ['rules.all[0] has "not" inside', "!=", "at the top"]),
        ({"not": {"not": A}}, ['rules.not has "not" inside']),
        ({"all": [A, {"raw": "[]"}]}, ['rules.all[1] has "raw" inside']),
        ({"question": True, "operator": "==", "value": 22}, ["rules.question is true", "id of a question"]),
        ({"question": 11.0, "operator": "==", "value": 22}, ["rules.question is a float"]),
        ({"question": Decimal("11.5"), "operator": "==", "value": 22}, ["rules.question is 11.5"]),
        ({"question": 0, "operator": "==", "value": 22}, ["rules.question is 0"]),
        ({"question": -4, "operator": "==", "value": 22}, ["rules.question is -4"]),
        ({"question": "12abc", "operator": "==", "value": 22}, ['rules.question is "12abc"']),
        ({"question": "011", "operator": "==", "value": 22}, ['rules.question is "011"']),
        ({"question": 2**63, "operator": "==", "value": 22}, ["rules.question is 9223372036854775808"]),
        ({"calculation": None, "operator": "==", "value": 22}, ["rules.calculation is null", "id of a calculation"]),
        ({"customerGroup": "custom_5", "operator": "==", "value": ""}, ["custom_1, custom_2, custom_3, custom_4"]),
        ({"question": 11, "operator": "=="}, ["rules has no value"]),
        ({"question": 11, "operator": "==", "value": None}, ["rules.value is null", '"not answered"']),
        ({"question": 11, "operator": "==", "value": True}, ["rules.value is true"]),
        ({"question": 11, "operator": "==", "value": [22]}, ["rules.value is a list"]),
        ({"question": 11, "operator": "==", "value": 0.5}, ["rules.value is a float", "exact decimal digits"]),
        ({"question": 11, "operator": "==", "value": 10**40}, ["at most 40 digits"]),
        ({"question": 11, "operator": "==", "value": Decimal("NaN")}, ["rules.value is NaN"]),
        ({"question": 11, "operator": "==", "value": Decimal("1E+999999")}, ["rules.value is 1E+999999"]),
        ({"question": 11, "operator": "==", "value": "a\0"}, ["rules.value holds a NUL character", '"a\\u0000"']),
        ({"question": 11, "operator": "==", "value": "\ud800"}, ["half of a surrogate pair"]),
        ({"condition": "X", "a\0": 1}, ["NUL character"]),
        ({"condition": "X", "a": {"b": ["\udfff"]}}, ["rules.a.b[0] holds"]),
        ({"condition": "X", "a": 0.5}, ["rules.a is a float"]),
        ({"condition": "X", "type": "Y"}, ['"type" beside "condition"']),
        ({"condition": ""}, ["name of a condition type"]),
        ({"condition": "Combinator", "kind": "and"}, ["is no condition"]),
        ({"condition": "negation"}, ["is no condition"]),
        (
            {"condition": "QuestionProperty", "field": "price", "operator": ">", "value": 1},
            ["rules.questionId is null"],
        ),
        ({"condition": "QuestionProperty", "questionId": 1, "operator": ">", "value": 1}, ["rules.field is null"]),
        ({"condition": "Calculation", "calcId": 7, "operator": "~", "value": 1}, ['rules.operator is "~"']),
        ({"condition": "CustomerGroup", "operator": "==", "value": 1}, ["rules.fieldName is null"]),
    ],
)
def test_refusals_name_the_place_and_what_is_valid(rule: object, fragments: list[str]) -> None:
    message = refusal(rule)
    for fragment in fragments:
        assert fragment in message
    assert message.endswith(".")


def test_the_error_says_its_place() -> None:
    with pytest.raises(RuleError) as caught:
        encode({"all": [A, {"any": [B, {"question": 11, "operator": "<>", "value": 1}]}]})
    assert caught.value.place == "rules.all[1].any[1].operator"


def nested(levels: int) -> dict[str, object]:
    rule: dict[str, object] = dict(A)
    for _ in range(levels - 1):
        rule = {"all": [rule, B]}
    return rule


def test_fifty_levels_are_read_and_written_and_no_more() -> None:
    assert decode(encode(nested(50))) == nested(50)
    assert "deeper than 50 levels" in refusal(nested(51))
    assert "deeper than 50 levels" in refusal(nested(20_000))
    fields: object = "x"
    for _ in range(48):
        fields = [fields]
    leaf = {"condition": "X", "f": fields}
    assert decode(encode(leaf)) == leaf
    assert "deeper than 50 levels" in refusal({"condition": "X", "f": [fields]})


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[" * 60 + "]" * 60])
def test_depth_bombs_are_raw(text: str) -> None:
    read = decode(text)
    assert read is not None
    assert read["raw"] == text
    assert references(text) == RuleReferences()
    assert equivalent(text, text + " ") is False
    assert "accepted only as it was read" in refusal({"raw": text})


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ("not json", "is not valid JSON"),
        ("[NaN]", "NaN is no JSON number"),
        ('{"type":"X"}', "should be a JSON list"),
        ("null", "should be a JSON list of conditions, but is null"),
        ("[]", "empty list"),
        ("[[]]", "empty list"),
        (f"[{NOT}]", "empty list"),
        (f"[{STORED_A},{AND},{STORED_B},{OR},{STORED_C}]", 'mixes "and" and "or"'),
        (f"[{STORED_A},{AND},{NOT},{STORED_B}]", "negation elsewhere"),
        (f"[[{NOT},{STORED_A}]]", "negation elsewhere"),
        (f"[{STORED_A},{AND},[{NOT},{STORED_B}]]", "negation elsewhere"),
        (f"[{NOT},{NOT},{STORED_A}]", "negation elsewhere"),
        (f"[{STORED_A},{STORED_B}]", "Item 2"),
        (f"[{STORED_A},{AND}]", "no condition behind it"),
        (f"[{AND}]", "Item 1"),
        (f'[{STORED_A},{{"type":"combinator","kind":"xor"}},{STORED_B}]', "Item 2"),
        (f'[{STORED_A},{{"type":"combinator","kind":"and","id":3}},{STORED_B}]', "Item 2"),
        ('["x"]', 'but is "x"'),
        ('[{"type":5}]', "but is an object"),
        ('[{"type":["X"]}]', "but is an object"),
        ('[{"type":"X","condition":"y"}]', 'field named "condition"'),
        ('[{"type":"X","v":"\\u0000"}]', "NUL"),
        ('[{"type":"X","v":"\\ud800"}]', "surrogate"),
        ('[{"type":"X","v":' + "9" * 41 + "}]", "40 digits"),
        ('[{"type":"X","v":1e99999999999999999999}]', "40 digits"),
        (STORED_A.join("[]").replace('"=="', '"="'), 'is "="'),
        (STORED_A.join("[]").replace('"22"', "null"), "is null"),
        (STORED_A.join("[]").replace('"11"', '"0"'), 'is "0"'),
    ],
)
def test_what_cannot_be_expressed_comes_back_raw_and_goes_back_unchanged(stored: str, reason: str) -> None:
    read = decode(stored)
    assert read is not None
    assert set(read) == {"raw", "reason"}
    assert read["raw"] == stored
    assert reason in str(read["reason"])
    assert encode(read, present=stored) == stored


@pytest.mark.parametrize(
    "variant",
    [
        f"[[{STORED_A}],{AND},[{STORED_B}]]",
        f"[[[{STORED_A},{AND},{STORED_B}]]]",
        f"[{STORED_A},{AND},{STORED_B}]".replace('"kind":"and"', '"kind":"AND"'),
        f"[{STORED_A},{AND},{STORED_B}]".replace('"type":"combinator"', '"type":"Combinator"'),
        f"[{STORED_A},{AND},{STORED_B}]".replace('"11"', "11").replace('"30"', "30"),
        f"[{STORED_A},{AND},{STORED_B}]".replace("selectedAnswer.id", "selected"),
        f"[{STORED_A},{AND},{STORED_B}]".replace("selectedAnswer.id", "selection"),
        '[{"value":"22","field":"selected","questionId":11,"operator":"==","type":"QuestionProperty"},'
        f"{AND},{STORED_B}]",
        '[{"type":"QuestionProperty","data":{"questionId":11,"field":"selected","operator":"==","value":22}},'
        '{"type":"combinator","data":{"kind":"and"}}, ' + STORED_B + "]",
    ],
)
def test_variants_of_older_editors_read_as_the_same_rule(variant: str) -> None:
    plain = f"[{STORED_A},{AND},{STORED_B}]"
    assert decode(variant) == {"all": [A, B]}
    assert equivalent(variant, plain)
    assert equivalent(plain, variant)


def test_a_negation_over_brackets_is_a_negation() -> None:
    assert decode(f"[{NOT},[{STORED_A},{OR},{STORED_B}]]") == {"not": {"any": [A, B]}}
    assert decode(f'[{{"type":"Negation"}},{STORED_A}]') == {"not": A}


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("", "", True),
        ("", "[]", False),
        (f"[{STORED_A}]", f"[{STORED_B}]", False),
        (f"[{STORED_A},{AND},{STORED_B}]", f"[{STORED_A},{OR},{STORED_B}]", False),
        (f"[{STORED_A},{AND},{STORED_B}]", f"[{STORED_B},{AND},{STORED_A}]", False),
        (f"[{NOT},{STORED_A}]", f"[{STORED_A}]", False),
        (f"[[{NOT},{STORED_A}]]", f"[{NOT},{STORED_A}]", False),
        (f"[{STORED_A},{AND},{STORED_B},{OR},{STORED_C}]", f"[[{STORED_A}],{AND},{STORED_B},{OR},{STORED_C}]", True),
        (f"[{STORED_A},{AND},{STORED_B},{OR},{STORED_C}]", f"[{STORED_A},{AND},[{STORED_B},{OR},{STORED_C}]]", False),
        ('[{"type":"X","value":1.10}]', '[{"type":"X","value":1.1}]', False),
        ('[{"type":"X","value":1}]', '[{"type":"X","value":true}]', False),
        (
            '[{"type":"X","questionId":11,"v":{"a":1,"b":2}}]',
            '[{"v":{"b":2,"a":1},"questionId":"11","type":"X"}]',
            True,
        ),
        (STORED_C.join("[]"), STORED_C.join("[]").replace('"12.5"', "12.50"), True),
        (STORED_C.join("[]"), STORED_C.join("[]").replace('"12.5"', '"12.50"'), False),
        ('[{"type":["X"]}]', '[{"type": ["X"]}]', True),
        ("broken", "broken", True),
        ("broken", "broken ", False),
    ],
)
def test_equivalence_is_about_meaning(a: str, b: str, same: bool) -> None:
    assert equivalent(a, b) is same
    assert equivalent(b, a) is same


def test_raw_is_accepted_where_it_is_a_list_of_tokens() -> None:
    mixed = f"[{STORED_A}, {AND}, {STORED_B}, {OR}, {STORED_C}]"
    assert encode({"raw": mixed}) == mixed
    assert encode({"raw": mixed, "reason": "whatever"}) == mixed


@pytest.mark.parametrize(
    ("rule", "fragment"),
    [
        ({"raw": "broken"}, "not valid JSON"),
        ({"raw": ""}, "not valid JSON"),
        ({"raw": "[]"}, "empty list"),
        ({"raw": "[[]]"}, "empty list"),
        ({"raw": "[1]"}, "It holds 1"),
        ({"raw": '[{"kind":"and"}]'}, "It holds an object"),
        ({"raw": '[{"type":"X","v":"\\u0000"}]'}, "NUL"),
        ({"raw": "[\0]"}, "NUL"),
        ({"raw": 5}, "has 5 under raw or reason"),
        ({"raw": "[]", "reason": 5}, "has 5 under raw or reason"),
        ({"raw": f"[{STORED_A}]", "note": "x"}, '"note" beside "raw"'),
    ],
)
def test_a_malformed_raw_is_refused_unless_it_is_what_is_stored(rule: dict[str, object], fragment: str) -> None:
    assert fragment in refusal(rule, present="something else")


def test_an_unchanged_raw_is_accepted_whatever_it_holds() -> None:
    assert encode({"raw": "broken", "reason": "…"}, present="broken") == "broken"


def test_references_name_questions_answers_and_calculations() -> None:
    stored = encode({"all": [A, {"any": [B, C, D]}, {"question": 14, "operator": ">", "value": 3}]})
    assert references(stored) == RuleReferences(
        questions=frozenset({11, 13, 14}),
        answers=frozenset({(11, 22), (13, 30)}),
        selections=frozenset({(11, "22"), (13, "30")}),
        calculations=frozenset({7}),
    )


@pytest.mark.parametrize(
    ("stored", "questions", "answers", "calculations"),
    [
        ("", set(), set(), set()),
        ("broken", set(), set(), set()),
        ("5", set(), set(), set()),
        (f"[{STORED_A},{AND},{STORED_C},{OR},{NOT}]", {11}, {(11, 22)}, {7}),
        ('[{"type":"Dimensions","questionId":11,"calcId":"7","value":100}]', {11}, set(), {7}),
        ('[{"type":"Dim","questionId":11,"field":"selectedAnswer.id","value":22}]', {11}, {(11, 22)}, set()),
        ('[{"type":"Dim","parts":[{"questionId":"11","field":"selected","value":"22"}]}]', {11}, {(11, 22)}, set()),
        (
            '[{"type":"QuestionProperty","data":{"questionId":11,"field":"selected","operator":"==","value":22}}]',
            {11},
            {(11, 22)},
            set(),
        ),
        (
            '[{"type":"QuestionProperty","data":{"questionId":11,"field":"selected","operator":"<","value":22}}]',
            {11},
            set(),
            set(),
        ),
        (
            '[{"type":"QuestionProperty","questionId":11,"field":"price","operator":"==","value":22}]',
            {11},
            set(),
            set(),
        ),
        (STORED_A.join("[]").replace('"22"', '""'), {11}, set(), set()),
        (STORED_A.join("[]").replace('"22"', '"007"'), {11}, {(11, 7)}, set()),
        (STORED_A.join("[]").replace('"11"', "true"), set(), set(), set()),
        (STORED_A.join("[]").replace('"11"', "9" * 5000), set(), set(), set()),
        ('[{"type":"X","questionId":11,"n":' + "9" * 5000 + "}]", {11}, set(), set()),
        ('[{"type":["X"],"questionId":11,"field":"selected","operator":["="],"value":22}]', {11}, {(11, 22)}, set()),
    ],
)
def test_references_are_found_where_no_rule_can_be_read(
    stored: str, questions: set[int], answers: set[tuple[int, int]], calculations: set[int]
) -> None:
    found = references(stored)
    assert (found.questions, found.answers, found.calculations) == (questions, answers, calculations)


def validator() -> jsonschema_rs.Validator:
    parts = json_schema()
    schema = {"type": "object", "properties": {"rules": parts["schema"]}, "$defs": parts["defs"]}
    jsonschema_rs.meta.validate(schema)
    return jsonschema_rs.validator_for(schema)


@pytest.mark.parametrize(
    "rule", [None, A, D, {"all": [A, {"any": [B, C]}]}, {"not": {"any": [A]}}, {"raw": "x", "reason": "y"},
             {"condition": "Dimensions", "subValue": "w"}, {"question": "11", "operator": "==", "value": ""}],
)  # fmt: skip
def test_the_schema_allows_the_authored_form(rule: object) -> None:
    assert validator().is_valid({"rules": rule})


@pytest.mark.parametrize(
    "rule", [{}, [], {"all": []}, {"all": [{"not": A}]}, {"not": {"not": A}}, {"all": [A], "any": [B]}, {"all": [None]},
             {"question": 0, "operator": "==", "value": 1}, {"question": 1, "operator": "=", "value": 1},
             {"question": 1, "operator": "==", "value": None}, {"question": 1, "operator": "==", "value": 1, "x": 2},
             {"customerGroup": "x", "operator": "==", "value": 1}, {"condition": "X", "type": "Y"}, "x"],
)  # fmt: skip
def test_the_schema_refuses_what_the_codec_refuses(rule: object) -> None:
    assert not validator().is_valid({"rules": rule})
    refusal(rule)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NUMBERS = st.integers(-(10**39), 10**39) | st.decimals(-(10**9), 10**9, places=3)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
VERBATIM = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
IDS = st.integers(1, 2**63 - 1) | st.integers(1, 500).map(str)
TAIL = {"operator": st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]), "value": TEXTS | NUMBERS}
LEAVES = st.one_of(
    st.fixed_dictionaries({"question": IDS, **TAIL}),
    st.fixed_dictionaries({"calculation": IDS, **TAIL}),
    st.fixed_dictionaries({"customerGroup": st.sampled_from(["custom_1", "custom_4"]), **TAIL}),
    st.dictionaries(TEXTS.filter(lambda key: key not in ("type", "condition")), VERBATIM, max_size=3).map(
        lambda fields: {"condition": "Own", **fields}
    ),
    st.fixed_dictionaries(
        {
            "condition": st.just("QuestionProperty"),
            "questionId": IDS,
            "field": st.sampled_from(["price", "selected", "selectedAnswer.id"]),
            **TAIL,
        },
        optional={"extra": VERBATIM},
    ),
)
NESTED = st.recursive(
    LEAVES,
    lambda inner: (
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=4)})
        | st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=4)})
    ),
    max_leaves=8,
)
RULES = NESTED | NESTED.map(lambda rule: {"not": rule})
HEADS = st.sampled_from(["all", "any", "not", "question", "calculation", "customerGroup", "condition", "raw", "value",
                         "operator", "type"])  # fmt: skip
NEAR_RULES = st.recursive(
    JSON,
    lambda inner: st.dictionaries(HEADS, inner | st.lists(inner, max_size=3), max_size=4),
    max_leaves=10,
)
TOKENS = st.recursive(
    st.sampled_from([STORED_A, STORED_B, STORED_C, AND, OR, NOT, '{"type":"X"}', '{"type":[]}', "1", '"x"', "[]"]),
    lambda inner: st.lists(inner, max_size=5).map(lambda items: "[" + ",".join(items) + "]"),
    max_leaves=9,
)


@given(RULES)
def test_what_is_written_reads_back_and_is_stored_the_same_again(rule: dict[str, object]) -> None:
    stored = encode(rule)
    read = decode(stored)
    assert read is not None
    assert "raw" not in read
    assert encode(read) == stored
    assert decode(encode(read)) == read


@given(st.text() | TOKENS | JSON.map(lambda value: json.dumps(value, default=str)))
def test_reading_never_fails_and_keeps_the_meaning(text: str) -> None:
    read = decode(text)
    if not text:
        assert read is None
        return
    assert read is not None
    references(text)
    again = encode(read, present=text)
    assert equivalent(text, again)
    assert references(again) == references(text)


@given(JSON | NEAR_RULES)
def test_writing_raises_nothing_but_rule_errors(rule: object) -> None:
    try:
        stored = encode(rule)
    except RuleError as error:
        sentence = error.place + error.message
    else:
        sentence = stored
        assert (stored == "") == (rule is None)
    sentence.encode()
