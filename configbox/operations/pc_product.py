"""The PC shop as records, one write after another, for whoever writes them: the demo store, or a client over MCP.

A generator, so that it does not care how a write is made: it yields a step and is sent the id that came of it.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from configbox.languages.tags import flat_key
from configbox.operations.pc_shop import AnswerKey, Shop, ShopQuestion, answer_rules

SKU = "PC-RICHMOND"


@dataclass(frozen=True)
class Step:
    """One write: a create where `id` is None, else an update of that record."""

    entity: str
    fields: dict[str, Any]
    id: int | None = None


@dataclass
class Authored:
    """The ids that came of the writes."""

    product: int = 0
    page: int = 0
    questions: list[int] = field(default_factory=list)
    answers: dict[AnswerKey, int] = field(default_factory=dict)
    rules: dict[AnswerKey, dict[str, object]] = field(default_factory=dict)


def authoring_steps(shop: Shop, tags: Iterable[str]) -> Generator[Step, int, Authored]:
    """Yield the writes that make the shop's product, rules last, when every id they name is known."""
    tags = list(tags)
    done = Authored()
    product = {"sku": SKU, "baseprice": shop.base_price, "published": True} | _texts("title", shop.title, tags)
    done.product = yield Step("product", product)
    done.page = yield Step("page", {"product_id": done.product} | _texts("title", "Configuration", tags))
    for position, question in enumerate(shop.questions):
        fields = {
            "page_id": done.page,
            "question_type": _question_type(question),
            "required": question.required,
        }
        number = yield Step("question", fields | _texts("title", question.title, tags))
        done.questions.append(number)
        preselected = _preselected(question)
        for place, answer in enumerate(question.answers):
            fields = {
                "question_id": number,
                "price": answer.price,
                "option_custom_1": answer.group,
                "default": place == preselected,
            }
            done.answers[position, place] = yield Step("answer", fields | _texts("title", answer.title, tags))
    ids: dict[AnswerKey | int, int] = dict(enumerate(done.questions))
    ids |= done.answers
    done.rules = answer_rules(shop, ids)
    for key, rule in done.rules.items():
        yield Step("answer", {"rules": rule}, done.answers[key])
    return done


def fields_used(shop: Shop, tags: Iterable[str]) -> dict[str, set[str]]:
    """Return every field name the writes will use, by entity, without writing anything."""
    used: dict[str, set[str]] = {}
    steps = authoring_steps(shop, tags)
    number = 1
    try:
        step = next(steps)
        while True:
            used.setdefault(step.entity, set()).update(step.fields)
            number += 1
            step = steps.send(number)
    except StopIteration:
        return used


def _texts(name: str, text: str, tags: list[str]) -> dict[str, str]:
    # The file mixes German and English and says everything once.
    return {flat_key(name, tag): text for tag in tags}


def _question_type(question: ShopQuestion) -> str:
    return "checkbox" if len(question.answers) == 1 else "dropdown"


def _preselected(question: ShopQuestion) -> int | None:
    """Return the answer a required question starts with: the first that costs nothing extra."""
    if not question.required:
        return None
    return next((place for place, answer in enumerate(question.answers) if answer.price == 0), 0)
