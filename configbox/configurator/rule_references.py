"""What rules may name, checked when they are written, and what they do name, so that nothing named is deleted.

A rule on another product's question is well-formed and never true: whatever it governs would vanish without an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from configbox.catalog.models import Answer, Calculation, Page, Question
from configbox.configurator.named_by_rules import named_by, rules_of_product
from configbox.engine import rules
from configbox.engine.question_types import QUESTION_TYPES
from configbox.entities.errors import Blocker
from configbox.entities.extensions import WriteCheck, register_check, register_reference_scanner
from configbox.entities.records import titles_of
from configbox.languages.active import active_tags
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, shown
from configbox.properties.references import CalculationReference


def register() -> None:
    """Make the pipeline ask this room about questions, answers and pages."""
    register_check(WriteCheck("question", ("rules", "page_id"), question_rule))
    register_check(WriteCheck("answer", ("rules", "question_id"), answer_rule))
    for model in (Question, Answer):
        keys = tuple(each.key for each in properties(model).values() if isinstance(each, CalculationReference))
        register_check(WriteCheck(model.options().name, keys, calculations_of_the_product))
    register_check(WriteCheck("question", ("published",), unpublished_while_named))
    register_check(WriteCheck("question", ("page_id",), moved_away))
    register_check(WriteCheck("page", ("product_id",), moved_away))
    register_check(WriteCheck("answer", ("question_id",), answer_moved_while_named))
    register_reference_scanner(rules_naming)


def product_of(values: RecordValues) -> int | None:
    """Return the id of the product that a question, an answer or a page with these values belongs to."""
    if values.model is Page:
        return values["product_id"]  # type: ignore[no-any-return]
    path = "page__product_id" if values.model is Question else "question__page__product_id"
    if values.model is Question:
        return Page.objects.filter(pk=values["page_id"]).values_list("product_id", flat=True).first()
    return (
        Question.objects.filter(pk=values["question_id"])
        .values_list(path.removeprefix("question__"), flat=True)
        .first()
    )


def question_rule(values: RecordValues) -> Iterator[Issue]:
    return _rule_faults(values)


def answer_rule(values: RecordValues) -> Iterator[Issue]:
    return _rule_faults(values)


def _rule_faults(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault per question, answer or calculation that the rule names and its product does not have."""
    named = rules.references(values["rules"] or "")
    product = product_of(values)
    if not (named.questions or named.calculations) or product is None:
        return
    # Locked in one order, so that a rule and the delete of what it names wait for each other.
    questions = Question.objects.select_for_update().filter(pk__in=named.questions).order_by("pk")
    found = {pk: (owner, kind) for pk, owner, kind in questions.values_list("pk", "page__product_id", "question_type")}
    for pk in sorted(named.questions):
        if found.get(pk, (None, ""))[0] != product:
            yield _fault("question", pk, product, f'cbx_list_entities entity=question filters={{"id": {pk}}} shows it')
    calculations = Calculation.objects.select_for_update().filter(pk__in=named.calculations).order_by("pk")
    owners = dict(calculations.values_list("pk", "product_id"))
    for pk in sorted(named.calculations):
        if owners.get(pk) != product:
            yield _fault(
                "calculation", pk, product, f'cbx_list_entities entity=calculation filters={{"id": {pk}}} shows it'
            )
    yield from _answer_faults(named.selections, found)


def _fault(kind: str, pk: int, product: int, hint: str) -> Issue:
    message = (
        f"Field Rules names {kind} {pk}, which is no {kind} of product {product}, so it could never be true; {hint}."
    )
    return Issue("rules", "reference", message)


def _answer_faults(selections: Iterable[tuple[int, str]], questions: Mapping[int, tuple[int, str]]) -> Iterator[Issue]:
    wanted = [
        (pk, value)
        for pk, value in sorted(selections)
        if value != "" and pk in questions and _takes_answers(questions[pk][1])
    ]
    ids = [int(value) for _, value in wanted if value.isascii() and value.isdigit() and len(value) < 10]
    answers = Answer.objects.select_for_update().filter(pk__in=ids).order_by("pk")
    owners = dict(answers.values_list("pk", "question_id"))
    for question, value in wanted:
        pk = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
        if pk is None or owners.get(pk) != question:
            message = (
                f"Field Rules compares question {question} with {shown(value)}, which is no answer of it; its answers: "
                f'cbx_list_entities entity=answer filters={{"question_id": {question}}}. "" means not answered.'
            )
            yield Issue("rules", "reference", message)


def _takes_answers(question_type: str) -> bool:
    kind = QUESTION_TYPES.get(question_type)
    return kind is not None and kind.takes_answers


def calculations_of_the_product(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault per attached calculation that belongs to another product."""
    product = product_of(values)
    attached = [
        each
        for each in properties(values.model).values()
        if isinstance(each, CalculationReference) and values[each.key]
    ]
    owners = dict(
        Calculation.objects.filter(pk__in=[values[each.key] for each in attached]).values_list("pk", "product_id")
    )
    for each in attached:
        owner = owners.get(values[each.key])
        if product is not None and owner is not None and owner != product:
            message = (
                f"Field {each.label(each.key)} names calculation {values[each.key]} of product {owner}; "
                f"this record belongs to product {product}."
            )
            yield Issue(each.key, "reference", message)


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
    for record, named in rules_of_product(old_product):
        owner = record.pk if isinstance(record, Question) else record.question_id
        inside = owner in moved
        crossing = {pk for pk in named.questions if (pk in moved) != inside} or (inside and named.calculations)
        if crossing:
            kind = record._meta.verbose_name
            label = properties(values.model)[key.removesuffix("_id")].label(key)
            message = (
                f"Field {label} cannot leave product {old_product}: the rule of {kind} {record.pk} would name records "
                "of two products. Change that rule first."
            )
            yield Issue(key, "in_use", message)


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
