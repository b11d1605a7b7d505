"""Searching the stored rules of a product for what they name, so that nothing named is deleted."""

from collections.abc import Iterator
from typing import Any, cast

from configbox.catalog.models import Answer, Calculation, Page, Question
from configbox.engine import rules
from configbox.engine.question_types import QUESTION_TYPES
from configbox.entities.errors import Blocker
from configbox.entities.records import titles_of
from configbox.languages.active import active_tags
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity


def rules_of_product(product: int) -> Iterator[tuple[Question | Answer, rules.RuleReferences]]:
    """Yield every question and answer of a product that has a rule, with what the rule names. Two queries."""
    for question in Question.objects.filter(page__product_id=product).exclude(rules="").order_by("pk"):
        yield question, rules.references(question.rules)
    for answer in Answer.objects.filter(question__page__product_id=product).exclude(rules="").order_by("pk"):
        yield answer, rules.references(answer.rules)


def named_by(model: type[Entity], pk: int) -> Iterator[Question | Answer]:
    """Yield the questions and answers whose rules name a question, an answer or a calculation; its own rule aside."""
    product = _product_of(model, pk)
    if product is None:
        return
    for record, named in rules_of_product(product):
        if type(record) is model and record.pk == pk:
            continue
        if model is Question:
            found = pk in named.questions
        elif model is Answer:
            found = any(answer == pk for _, answer in named.answers)
        else:
            found = pk in named.calculations
        if found:
            yield record


def _product_of(model: type[Entity], pk: int) -> int | None:
    paths: dict[type[Entity], str] = {
        Question: "page__product_id",
        Answer: "question__page__product_id",
        Calculation: "product_id",
    }
    return cast("int | None", model.objects.filter(pk=pk).values_list(paths[model], flat=True).first())


def rules_naming(model: type[Entity], pk: int) -> Iterator[Blocker]:
    """Yield every question and answer whose rule names this question, answer or calculation."""
    if model not in (Question, Answer, Calculation):
        return
    tags = active_tags()
    by_model: dict[type[Any], list[Any]] = {}
    for record in named_by(model, pk):
        by_model.setdefault(type(record), []).append(record)
    for kind, records in by_model.items():
        titles = titles_of(kind, records, tags, tags[0] if tags else "")
        for record in records:
            yield Blocker(kind, record.pk, titles[record.pk], "rules", "is used by the rules of")


def product_of(values: RecordValues) -> int | None:
    """Return the id of the product that a question, an answer or a page with these values belongs to."""
    if values.model is Page:
        return values["product_id"]  # type: ignore[no-any-return]
    if values.model is Question:
        return Page.objects.filter(pk=values["page_id"]).values_list("product_id", flat=True).first()
    return Question.objects.filter(pk=values["question_id"]).values_list("page__product_id", flat=True).first()


def takes_answers(question_type: str) -> bool:
    kind = QUESTION_TYPES.get(question_type)
    return kind is not None and kind.takes_answers
