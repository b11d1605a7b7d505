"""What a question, an answer or a page may not do while rules name it or calculations are attached to it."""

from collections.abc import Iterator

from django.db.models import Q

from configbox.catalog.models import Answer, Page, Product, Question
from configbox.configurator.named_by_rules import product_of, rules_naming, rules_of_product, takes_answers
from configbox.entities.errors import Blocker
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, shown
from configbox.properties.references import CalculationReference


def unpublished_while_named(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault when a question is taken out of the shop while rules still ask about it."""
    if values["published"] or values.id is None:
        return
    if blockers := list(rules_naming(Question, values.id)):
        message = f"Field Published cannot be false while rules use this question: {_named(blockers)}."
        yield Issue("published", "in_use", message)


def answer_moved_while_named(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault when an answer leaves its question while rules compare that question with it."""
    if values.id is None:
        return
    if Answer.objects.filter(pk=values.id).exclude(question=values["question_id"]).exists() and (
        blockers := list(rules_naming(Answer, values.id))
    ):
        yield Issue(
            "question_id", "in_use", f"Field Question cannot change while rules use this answer: {_named(blockers)}."
        )


def _named(blockers: list[Blocker]) -> str:
    return ", ".join(f"{each.model._meta.verbose_name} {each.id} {shown(each.title)}" for each in blockers[:10])


def moved_away(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault when a question or a page moves to another product and rules would name across products."""
    if values.id is None:
        return
    new_product = product_of(values)
    if values.model is Question:
        moved = [values.id]
        old_product = Question.objects.filter(pk=values.id).values_list("page__product_id", flat=True).first()
        key = "page_id"
    else:
        moved = list(Question.objects.filter(page=values.id).values_list("pk", flat=True))
        old_product = Page.objects.filter(pk=values.id).values_list("product_id", flat=True).first()
        key = "product_id"
    if old_product is None or old_product == new_product or not moved:
        return
    Product.objects.select_for_update().filter(pk__in=[old_product, new_product]).order_by("pk").values_list(
        "pk"
    ).last()
    label = properties(values.model)[key.removesuffix("_id")].label(key)
    for record in _with_calculations(moved):
        kind = record._meta.verbose_name
        message = (
            f"Field {label} cannot leave product {old_product}: {kind} {record.pk} has a calculation of it attached. "
            "Detach that first."
        )
        yield Issue(key, "in_use", message)
    for record, named in rules_of_product(old_product):
        owner = record.pk if isinstance(record, Question) else record.question_id
        inside = owner in moved
        crossing = {pk for pk in named.questions if (pk in moved) != inside} or (inside and named.calculations)
        if crossing:
            kind = record._meta.verbose_name
            message = (
                f"Field {label} cannot leave product {old_product}: the rule of {kind} {record.pk} would name records "
                "of two products. Change that rule first."
            )
            yield Issue(key, "in_use", message)


def _with_calculations(questions: list[int]) -> list[Entity]:
    """Return those of the questions, and of their answers, that have a calculation attached. Two queries."""
    found: list[Entity] = []
    for model, condition in ((Question, Q(pk__in=questions)), (Answer, Q(question__in=questions))):
        attached = Q()
        for each in properties(model).values():
            if isinstance(each, CalculationReference):
                attached |= Q(**{f"{each.attname}__isnull": False})
        found += model.objects.filter(condition & attached).order_by("pk")
    return found


def type_changed_while_named(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault when a question stops or starts to take answers while rules compare what is selected there."""
    if values.id is None:
        return
    before = Question.objects.filter(pk=values.id).values_list("question_type", flat=True).first() or ""
    if takes_answers(before) == takes_answers(values["question_type"]):
        return
    if blockers := list(rules_naming(Question, values.id)):
        kind = shown(values["question_type"])
        message = f"Field Type cannot become {kind} while rules use this question: {_named(blockers)}."
        yield Issue("question_type", "in_use", message)
