"""What rules and attached calculations may name, checked when they are written.

A rule on another product's question is well-formed and never true: whatever it governs would vanish without an error.
"""

from collections.abc import Iterable, Iterator, Mapping

from configbox.catalog.models import Answer, Calculation, Product, Question
from configbox.configurator.named_by_rules import product_of, takes_answers
from configbox.engine import rules
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import properties
from configbox.properties.issues import Issue, shown
from configbox.properties.references import CalculationReference

# A restored record may name what is gone or elsewhere by now: undo reports that and goes on.
CROSSING = "crossing"


def _locked_product(values: RecordValues) -> int | None:
    """Return the product and hold it: its rules are written, and its pages moved, one write after the other."""
    product = product_of(values)
    if product is None:
        return None
    Product.objects.select_for_update().filter(pk=product).values_list("pk").first()
    # While this write waited, its page may have moved.
    return product_of(values)


def rule_faults(values: RecordValues) -> Iterator[Issue]:
    """Yield a fault per question, answer or calculation that the rule names and its product does not have."""
    named = rules.references(values["rules"] or "")
    if not (named.questions or named.calculations):
        return
    product = _locked_product(values)
    if product is None:
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
    return Issue("rules", CROSSING, message)


def _answer_faults(selections: Iterable[tuple[int, str]], questions: Mapping[int, tuple[int, str]]) -> Iterator[Issue]:
    wanted = [
        (pk, value)
        for pk, value in sorted(selections)
        if value != "" and pk in questions and takes_answers(questions[pk][1])
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
            yield Issue("rules", CROSSING, message)


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
            yield Issue(each.key, CROSSING, message)
