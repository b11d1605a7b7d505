"""The PC Richmond feature model as plain data: a real shop's questions, answers, prices and cross rules.

Where the file comes from stands in `demo_data/pc_richmond/SOURCE.md`.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias
from xml.etree.ElementTree import Element

DEFAULT = Path(__file__).parent / "demo_data" / "pc_richmond" / "Sprey2020.xml"

# Position of a question in the shop, and of an answer in that question.
AnswerKey: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class ShopAnswer:
    """A choice, its extra price (0 where the file has none) and the name of its group inside the question, or ""."""

    title: str
    price: Decimal
    group: str


@dataclass(frozen=True)
class ShopQuestion:
    """A question with its answers in the order of the file."""

    title: str
    required: bool
    answers: tuple[ShopAnswer, ...]


@dataclass(frozen=True)
class ShopRule:
    """One implication: with any of `when` selected, one of `requires` must be selected and none of `excludes`.

    Group names stand for all their answers; each answer is named once. `requires` is empty where nothing is required.
    """

    number: int
    when: tuple[AnswerKey, ...]
    requires: tuple[AnswerKey, ...]
    excludes: tuple[AnswerKey, ...]

    @property
    def carriers(self) -> tuple[AnswerKey, ...]:
        """The answers whose own rules carry this implication: those that need another one, those that are excluded."""
        return (*(self.when if self.requires else ()), *self.excludes)


@dataclass(frozen=True)
class Shop:
    """The product: title, net base price, questions and the implications between their answers."""

    title: str
    base_price: Decimal
    questions: tuple[ShopQuestion, ...]
    rules: tuple[ShopRule, ...]


def read_shop(path: Path = DEFAULT) -> Shop:
    """Read the model. Raises ValueError for an implication of a shape that answer rules cannot carry."""
    # The file comes with the program; nobody uploads it.
    document = ElementTree.parse(path).getroot()  # noqa: S314
    root = document.find("struct/*[@name]")
    if root is None:
        raise ValueError(f"{path.name} has no product under <struct>. Give a FeatureIDE model with one root feature.")
    questions = []
    answers_of: dict[str, list[AnswerKey]] = {}
    for question_index, element in enumerate(_features(root)):
        answers = []
        for answer_index, (leaf, groups) in enumerate(_leaves(element)):
            group = groups[-1] if len(groups) > 1 else ""
            answers.append(ShopAnswer(leaf.attrib["name"], _price(leaf), group))
            for name in dict.fromkeys((*groups, leaf.attrib["name"])):
                answers_of.setdefault(name, []).append((question_index, answer_index))
        required = element.get("mandatory") == "true"
        questions.append(ShopQuestion(element.attrib["name"], required, tuple(answers)))
    rules = tuple(
        _rule(number, implication, answers_of)
        for number, implication in enumerate(document.findall("constraints/rule/imp"), start=1)
    )
    return Shop(root.attrib["name"], _price(root), tuple(questions), rules)


def implications(shop: Shop) -> dict[int, tuple[AnswerKey, ...]]:
    """Return, for the number of each implication, the answers whose rules carry it."""
    return {rule.number: rule.carriers for rule in shop.rules}


def answer_rules(shop: Shop, ids: Mapping[AnswerKey | int, int]) -> dict[AnswerKey, dict[str, object]]:
    """Return the authored rule of every answer that an implication concerns.

    `ids` gives the record id of every question (by its position) and answer (by its key). Several implications on one
    answer are one rule: what it needs, an `any` each, and what it excludes; `not` alone can stand at the top only.
    """
    carriers = dict.fromkeys(key for rule in shop.rules for key in rule.carriers)
    return {key: _answer_rule(shop, key, ids) for key in sorted(carriers)}


def _answer_rule(shop: Shop, key: AnswerKey, ids: Mapping[AnswerKey | int, int]) -> dict[str, object]:
    needed = dict.fromkeys(rule.requires for rule in shop.rules if rule.requires and key in rule.when)
    excluded = dict.fromkeys(other for rule in shop.rules if key in rule.excludes for other in rule.when)
    if not needed:
        return {"not": _joined("any", [_leaf(other, "==", ids) for other in excluded])}
    parts = [_joined("any", [_leaf(other, "==", ids) for other in alternatives]) for alternatives in needed]
    return _joined("all", parts + [_leaf(other, "!=", ids) for other in excluded])


def _joined(head: str, members: list[dict[str, object]]) -> dict[str, object]:
    return members[0] if len(members) == 1 else {head: members}


def _leaf(key: AnswerKey, operator: str, ids: Mapping[AnswerKey | int, int]) -> dict[str, object]:
    return {"question": ids[key[0]], "operator": operator, "value": ids[key]}


def _features(element: Element) -> list[Element]:
    return [child for child in element if child.get("name") and child.tag != "attribute"]


def _leaves(element: Element, above: tuple[str, ...] = ()) -> Iterator[tuple[Element, tuple[str, ...]]]:
    """Yield every feature without children, and the names of the groups it is in, the question first."""
    children = _features(element)
    if not children:
        yield element, above
    for child in children:
        yield from _leaves(child, (*above, element.attrib["name"]))


def _price(element: Element) -> Decimal:
    attribute = element.find("attribute[@name='Price']")
    return Decimal("0" if attribute is None else attribute.get("value", "0"))


def _rule(number: int, implication: Element, answers_of: Mapping[str, list[AnswerKey]]) -> ShopRule:
    condition, consequence = implication
    when = _answers(_names(condition, "disj"), answers_of)
    if consequence.tag in ("var", "disj"):
        return ShopRule(number, when, _answers(_names(consequence, "disj"), answers_of), ())
    return ShopRule(number, when, (), _answers(_names(consequence, "conj", negated=True), answers_of))


def _names(term: Element, joint: str, negated: bool = False) -> list[str]:
    """Return the feature names of nested pairs of one kind; each name under a <not> where `negated`."""
    if term.tag == joint:
        return [name for part in term for name in _names(part, joint, negated)]
    if negated and term.tag == "not" and len(term) == 1:
        return _names(term[0], "disj")
    if negated or term.tag != "var" or not term.text:
        raise ValueError(f"An implication holds <{term.tag}> where only <{joint}> of features is understood.")
    return [term.text]


def _answers(names: list[str], answers_of: Mapping[str, list[AnswerKey]]) -> tuple[AnswerKey, ...]:
    return tuple(dict.fromkeys(key for name in names for key in answers_of[name]))
