"""The PC Richmond model as it is read: what is in it, its twelve implications, and the rules that carry them."""

from decimal import Decimal

import pytest

from configbox.engine.rules import decode, encode
from configbox.operations.pc_shop import Shop, answer_rules, implications, read_shop

SHOP = read_shop()
KEYS = {
    answer.title: (question_index, answer_index)
    for question_index, question in enumerate(SHOP.questions)
    for answer_index, answer in enumerate(question.answers)
}
IDS = {key: 1000 + number for number, key in enumerate(KEYS.values())} | {
    index: 100 + index for index in range(len(SHOP.questions))
}
TITLES = {IDS[key]: title for title, key in KEYS.items()}

CASES_WITH_AIR = [
    "Aerocool Aero-800", "Aerocool Battlehawk V2", "Corsair Obsidian 450D", "Phanteks Enthoo Pro", "Silent Base 800",
    "Thermaltake Core V51", "Thermaltake Suppressor F51", "Thermaltake Core X31", "Corsair Carbide Air 540 Cube",
    "Dark Base Pro 900", "Corsair Obsidian 750D", "NZXT H630", "Cougar Panzer Max", "Cooler Master Storm Trooper",
]  # fmt: skip
SMALL_BOARDS = ["MSI B250M PRO-VDH", "MSI B250M GAMING PRO", "B250M-A"]

# number: (with one of these selected, one of these is needed, none of these may be selected); groups by their name
IMPLICATIONS = {
    1: (
        ["1070 Series", "1070-Ti Series", "1080 Series", "1080-Ti Series", "P5000 Pny", "P6000 Pny", "RX580"],
        ["VS550", "VS650", "Corsair TX-M-Series", "Corsair HX-Series", "500 W", "500 W CM", "600 W", "600 W CM",
         "700 W", "700 W CM", "Bequiet Dark Power", "Argus"],
        [],
    ),
    2: (
        ["Stufe 1", "Stufe 2", "Stufe 3"],
        ["Be Quiet Dark Roch Pro 3", "Scythe Asura", "MSI Core Frozr XL", "Argus Storm 2", "Corsair H100i",
         "Corsair H115i", "Bequiet Water Cooling", "NZXT Water Cooling"],
        [],
    ),
    3: (
        ["Corsair Vengeance RGB Black", "4x 8GB DDR4-2133", "4x 16GB DDR4-2133", "4x 8GB DDR4-2400",
         "4x 16GB DDR4-2400"],
        ["MSI Z270 PC MATE", "MSI Z270 Gaming Pro Carbon", "Z270F GAMING", "IX HERO Gaming"],
        [],
    ),
    4: (
        ["Corsair H115i", "Silent Loop 280mm", "Silent Loop 360mm"],
        ["Corsair Obsidian 450D", "Phanteks Enthoo Pro", "Silent Base 800", "Thermaltake Suppressor F51",
         "Thermaltake Core X31", "Corsair Carbide Air 540 Cube", "Dark Base Pro 900", "Corsair Obsidian 750D",
         "NZXT H630", "Cougar Panzer Max", "Cooler Master Storm Trooper"],
        [],
    ),
    5: (
        ["MSI Z270 PC MATE", "MSI Z270 Gaming Pro Carbon", "H270-PLUS", "Z270-K", "Z270F GAMING", "IX HERO Gaming"],
        CASES_WITH_AIR,
        [],
    ),
    6: (
        ["MSI Core Frozr", "Big Tower Cooler", "Argus Water Cooling", "Corsair Water Cooling",
         "Bequiet Water Cooling", "NZXT Water Cooling"],
        CASES_WITH_AIR,
        [],
    ),
    7: (["XG-C100C", "LAN", "ASUS Soundcard", "2x USB3.1"], [], SMALL_BOARDS),
    8: (["i7 Overclocked"], [*SMALL_BOARDS, "B250M-PLUS", "H270-PLUS", "IX HERO Gaming"], []),
    9: (
        ["Corsair Carbide 270R", "BitFenix Aegis", "M-908", "M-909", "Corsair Carbide Clear 400c", "NZXT H440 white",
         "NZXT H440 black", "Thermaltake Versa N27", "Thermaltake View 31", "anidees AI-Crystal",
         "Thermaltake Core V21", "Design Tower"],
        [],
        ["DVD-Drive", "BluRay-Drive", "Hard Drive Caddies"],
    ),
    10: (["4x USB3.0"], [], ["B250M-A", "Netis WF2113"]),
    11: (["2x USB3.1"], [], [*SMALL_BOARDS, "LAN"]),
    12: (["Stufe 2", "Stufe 3"], [], ["Scythe Asura", "Silent Loop 120mm", "NZXT Water Cooling"]),
}  # fmt: skip


def expanded(names: list[str]) -> set[str]:
    found = {a.title for q in SHOP.questions for a in q.answers if a.title in names or a.group in names}
    assert len(found) >= len(names)
    return found


def titles(keys: tuple[tuple[int, int], ...]) -> list[str]:
    return [SHOP.questions[question].answers[answer].title for question, answer in keys]


def price(title: str) -> Decimal:
    question, answer = KEYS[title]
    return SHOP.questions[question].answers[answer].price


def leaf(title: str, operator: str = "==") -> dict[str, object]:
    key = KEYS[title]
    return {"question": IDS[key[0]], "operator": operator, "value": IDS[key]}


def holds(rule: object, selected: set[str]) -> bool:
    """Evaluate an authored rule of answer leaves, as far as these rules go."""
    assert isinstance(rule, dict)
    if "all" in rule:
        return all(holds(member, selected) for member in rule["all"])
    if "any" in rule:
        return any(holds(member, selected) for member in rule["any"])
    if "not" in rule:
        return not holds(rule["not"], selected)
    return (TITLES[rule["value"]] in selected) == (rule["operator"] == "==")


def configuration(*chosen: str) -> set[str]:
    """The free answer of every required question (of the coolers the first), `chosen` in their questions' place."""
    questions = {KEYS[title][0] for title in chosen}
    defaults = {
        next(answer.title for answer in question.answers if answer.price == 0)
        for index, question in enumerate(SHOP.questions)
        if question.required and index not in questions
    }
    return defaults | set(chosen)


def total(selected: set[str]) -> Decimal:
    return SHOP.base_price + sum((price(title) for title in selected), Decimal(0))


def test_the_shop_has_the_counts_of_the_file() -> None:
    assert isinstance(SHOP, Shop)
    assert SHOP.title == "PC RICHMOND F"
    assert SHOP.base_price == Decimal("841.90")
    assert len(SHOP.questions) == 23
    assert sum(len(question.answers) for question in SHOP.questions) == 285
    assert len(KEYS) == 285
    assert [question.title for question in SHOP.questions if question.required] == [
        "Processor", "Graphic card", "RAM", "Mainboard", "Case", "Power Adapter", "CPU Cooler", "Sound Card",
    ]  # fmt: skip


def test_a_question_without_groups_and_one_that_is_itself_an_answer() -> None:
    by_title = {question.title: question for question in SHOP.questions}
    assert [(a.title, a.price, a.group) for a in by_title["Multicardreader"].answers] == [
        ("Multicardreader", Decimal("9.9"), "")
    ]
    assert [a.title for a in by_title["Extensions"].answers] == ["4x USB3.0", "2x USB3.1", "Firewire PCI-Card"]
    assert {a.group for a in by_title["Extensions"].answers} == {""}


def test_the_group_is_the_innermost_one() -> None:
    graphic = SHOP.questions[1]
    assert [a.group for a in graphic.answers][:3] == ["1030 Series", "1030 Series", "1050 Series"]
    assert [(a.title, a.group) for a in SHOP.questions[12].answers] == [
        ("PCE-N15", "Asus Network"), ("PCE-AC55BT", "Asus Network"), ("PCE-AC88", "Asus Network"),
        ("XG-C100C", "Asus Network"), ("Netis WF2113", ""), ("2x 1 Gbit INtel", "LAN"), ("4x 1 Gbit Intel", "LAN"),
    ]  # fmt: skip


def test_names_that_differ_in_letter_case_are_different_answers() -> None:
    assert price("MSI Gaming X 8G") == Decimal("524.8")
    assert price("MSI GAMING X 8G") == Decimal("1511.8")
    assert price("MSI GAMING X 11G") == Decimal("764.8")
    assert price("MSI Gaming X 11G") == Decimal("1977.8")


def test_four_coolers_have_no_price_and_cost_nothing() -> None:
    coolers = [f"Silent Loop {size}mm" for size in (120, 240, 280, 360)]
    assert [str(price(title)) for title in coolers] == ["0", "0", "0", "0"]
    without = [a.title for q in SHOP.questions for a in q.answers if str(a.price) == "0"]
    assert without == coolers


def test_prices_are_the_texts_of_the_file() -> None:
    assert str(price("i7-7700K Kaby Lake")) == "177.9"
    assert str(price("G4600 Kaby Lake")) == "0.0"


@pytest.mark.parametrize("number", IMPLICATIONS)
def test_each_implication_is_read_as_the_file_says(number: int) -> None:
    rule = SHOP.rules[number - 1]
    when, requires, excludes = IMPLICATIONS[number]
    assert rule.number == number
    for keys, names in ((rule.when, when), (rule.requires, requires), (rule.excludes, excludes)):
        assert len(set(keys)) == len(keys)
        assert set(titles(keys)) == expanded(names)


def test_implications_name_their_carriers() -> None:
    carriers = implications(SHOP)
    assert list(carriers) == list(range(1, 13))
    assert [len(keys) for keys in carriers.values()] == [15, 3, 6, 3, 6, 18, 3, 3, 6, 2, 5, 4]
    assert titles(carriers[10]) == ["B250M-A", "Netis WF2113"]
    assert titles(carriers[4]) == ["Corsair H115i", "Silent Loop 280mm", "Silent Loop 360mm"]
    assert {key for keys in carriers.values() for key in keys} == set(answer_rules(SHOP, IDS))
    assert len(answer_rules(SHOP, IDS)) == 60


def test_implications_on_one_answer_become_one_rule() -> None:
    rules = answer_rules(SHOP, IDS)
    assert rules[KEYS["Netis WF2113"]] == {"not": leaf("4x USB3.0")}
    assert rules[KEYS["B250M-A"]] == {
        "not": {
            "any": [
                leaf(title)
                for title in (
                    "XG-C100C", "2x 1 Gbit INtel", "4x 1 Gbit Intel", "Xonar DSX", "Strix Soar", "Strix Raid Pro",
                    "2x USB3.1", "4x USB3.0",
                )
            ]
        }
    }  # fmt: skip
    with_air = {"any": [leaf(title) for title in CASES_WITH_AIR]}
    assert rules[KEYS["Scythe Asura"]] == {"all": [with_air, leaf("Stufe 2", "!="), leaf("Stufe 3", "!=")]}
    assert rules[KEYS["H270-PLUS"]] == with_air
    for_280mm = {"any": [leaf(title) for title in IMPLICATIONS[4][1]]}
    assert rules[KEYS["Silent Loop 280mm"]] == {"all": [for_280mm, with_air]}


def test_every_rule_reads_back_as_written() -> None:
    for rule in answer_rules(SHOP, IDS).values():
        assert decode(encode(rule)) == rule


REFERENCES = [
    ((), "841.90", set()),
    (
        ("i7-7700K Kaby Lake", "2x 8GB DDR4-2400", "Z270F GAMING", "Silent Base 800", "VS550", "Corsair H60"),
        "1318.20",
        set(),
    ),
    (("Gainward Phoenix",), "1235.70", {1}),
    (("Gainward Phoenix", "VS550"), "1239.60", set()),
    (("Stufe 2", "Scythe Asura", "H270-PLUS", "Silent Base 800"), "1262.50", {12}),
    (("Stufe 2", "Be Quiet Dark Roch Pro 3", "H270-PLUS", "Silent Base 800"), "1286.30", set()),
    (
        ("1,0 TB 850 EVO", "4x USB3.0", "Pro", "KASPERSKY Internet Security", "Microsoft Office 2016 Home and Student"),
        "1587.40",
        set(),
    ),
    (("B250M-A", "4x USB3.0"), "876.80", {10}),
]


@pytest.mark.parametrize(("chosen", "expected", "broken"), REFERENCES)
def test_known_configurations_have_their_price_and_break_their_rules(
    chosen: tuple[str, ...], expected: str, broken: set[int]
) -> None:
    selected = configuration(*chosen)
    assert total(selected) == Decimal(expected)
    rules = answer_rules(SHOP, IDS)
    refused = {title for title in selected if KEYS[title] in rules and not holds(rules[KEYS[title]], selected)}
    assert bool(refused) == bool(broken)
    carriers = implications(SHOP)
    for number in broken:
        assert refused <= set(titles(carriers[number]))


def test_answer_rules_say_what_the_implications_say_for_every_pair() -> None:
    """Laid over a working configuration, each answer and each pair is refused exactly when an implication is broken."""
    rules = answer_rules(SHOP, IDS)
    base = configuration("Silent Base 800", "VS550")
    concerned = [title for keys in IMPLICATIONS.values() for names in keys for title in expanded(names)]
    verdicts = set()
    names = sorted(set(concerned))
    for position, first in enumerate(names):
        for second in names[position:]:
            if KEYS[first][0] == KEYS[second][0] and first != second:
                continue
            taken = {KEYS[first][0], KEYS[second][0]}
            selected = {title for title in base if KEYS[title][0] not in taken} | {first, second}
            implied = all(
                not (selected & set(titles(rule.when)))
                or (
                    (not rule.requires or bool(selected & set(titles(rule.requires))))
                    and not selected & set(titles(rule.excludes))
                )
                for rule in SHOP.rules
            )
            ruled = all(holds(rules[KEYS[title]], selected) for title in selected if KEYS[title] in rules)
            assert ruled == implied, (first, second)
            verdicts.add(ruled)
    assert verdicts == {True, False}


def test_an_implication_of_another_shape_is_refused(tmp_path) -> None:
    model = tmp_path / "model.xml"
    model.write_text(
        "<m><struct><and name='P'><feature name='A'/><feature name='B'/></and></struct><constraints><rule>"
        "<imp><var>A</var><disj><not><var>B</var></not><var>A</var></disj></imp></rule></constraints></m>"
    )
    with pytest.raises(ValueError, match="<not> where only <disj>"):
        read_shop(model)
