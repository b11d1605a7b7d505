"""Which questions, answers and calculations a stored rule names, also where the rule itself cannot be expressed."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from configbox.engine.rules.conditions import SELECTION_FIELDS, built_in
from configbox.engine.rules.scalars import MAX_ID

# As the engine reads an id: spaces, zeros in front and a whole number's decimals do not matter.
_DIGITS = re.compile(r"\s*0*([1-9][0-9]{0,18})(\.0*)?\s*", re.ASCII)


@dataclass(frozen=True)
class RuleReferences:
    """Ids that a rule names; an answer as (question id, answer id).

    `selections` are the texts that a question's selection is compared with by == or !=, whatever they mean.
    """

    questions: frozenset[int] = frozenset()
    answers: frozenset[tuple[int, int]] = frozenset()
    selections: frozenset[tuple[int, str]] = frozenset()
    calculations: frozenset[int] = frozenset()


def references(stored: str) -> RuleReferences:
    """Return every id that a stored rule names, in mixed rules and custom conditions too; none for malformed JSON."""
    try:
        # Numbers stay text: a number that no rule may hold must not hide the ids beside it.
        value = json.loads(stored, parse_int=str, parse_float=str, parse_constant=str) if stored else []
    except (ValueError, RecursionError):
        return RuleReferences()
    questions: set[int] = set()
    answers: set[tuple[int, int]] = set()
    selections: set[tuple[int, str]] = set()
    calculations: set[int] = set()
    for fields in _objects(value):
        question = _id(fields.get("questionId"))
        calculation = _id(fields.get("calcId"))
        answer = _id(fields.get("value")) if _names_answer(fields) else None
        if question is not None:
            questions.add(question)
            if answer is not None:
                answers.add((question, answer))
            if isinstance(value_text := fields.get("value"), str) and built_in(fields) and _names_answer(fields):
                selections.add((question, value_text))
        if calculation is not None:
            calculations.add(calculation)
    return RuleReferences(frozenset(questions), frozenset(answers), frozenset(selections), frozenset(calculations))


def _objects(value: object) -> Iterator[dict[str, object]]:
    """Yield the fields of every object inside, those of an older shape's `data` beside their owner's."""
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, list):
            waiting.extend(inner)
        elif isinstance(inner, dict):
            data = inner.get("data")
            fields = {**inner, **data} if isinstance(data, dict) else inner
            waiting.extend(child for child in fields.values() if child is not data)
            yield {**fields, "type": inner.get("type")}


def _names_answer(fields: dict[str, object]) -> bool:
    """Return whether the value is compared with the selected answer; what a custom type's operators do is its own."""
    field = fields.get("field")
    if not isinstance(field, str) or field not in SELECTION_FIELDS:
        return False
    return built_in(fields) is None or fields.get("operator") in ("==", "!=")


def _id(value: object) -> int | None:
    match = _DIGITS.fullmatch(value) if isinstance(value, str) else None
    number = int(match.group(1)) if match else 0
    return number if 0 < number <= MAX_ID else None
