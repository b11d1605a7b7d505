"""Searching the stored rules of a product for what they name."""

from collections.abc import Iterator
from typing import cast

from configbox.catalog.models import Answer, Calculation, Question
from configbox.engine import rules
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
