"""Lists of 50 and 200 of many answers, sorted by title and otherwise, in a store of its own.

Run on SQLite, or on MariaDB with DATABASE_URL; a database is made and removed again.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from scratch import scratch_store
from table import milliseconds, print_table

WORDS = "oak walnut steel glass wide narrow left right matt polished Grün Äußere zinc brass front rear".split()  # noqa: SIM905
PER_QUESTION = 100
BATCH = 5_000
TITLES = {"en-GB": "Answer", "de-DE": "Antwort"}


def fill(answers: int) -> None:
    """Make a product whose questions have 100 answers each, with titles in two languages."""
    from configbox.catalog.models import Answer, Page, Product, Question
    from configbox.languages.models import Language, Text
    from configbox.properties.entity import translated_properties

    Language.objects.update_or_create(tag="de-DE", defaults={"active": True, "position": 1})
    product = Product.objects.create(sku="BENCH")
    page = Page.objects.create(product=product)
    questions = range(1, -(-answers // PER_QUESTION) + 1)
    Question.objects.bulk_create([Question(id=each, page=page, question_type="dropdown") for each in questions])
    number = next(each.number for each in translated_properties(Answer) if each.name == "title")
    chance = random.Random(1)
    for start in range(1, answers + 1, BATCH):
        ids = range(start, min(start + BATCH, answers + 1))
        Answer.objects.bulk_create(
            [
                Answer(id=each, question_id=(each - 1) // PER_QUESTION + 1, ordering=each, sku=f"A-{each:06}")
                for each in ids
            ]
        )
        Text.objects.bulk_create(
            Text(field=number, record=each, language=tag, text=f"{' '.join(chance.choices(WORDS, k=3))} {word} {each}")
            for each in ids
            for tag, word in TITLES.items()
        )


def measure(call: Callable[[], Any], times: int) -> tuple[str, str]:
    """Return median and 95th percentile of the calls after a first one."""
    call()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return milliseconds(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=10)
    options = parser.parse_args()
    with scratch_store() as system:
        from configbox.access.grants import Grant
        from configbox.entities.listing import list_records
        from configbox.entities.view import view

        fill(options.answers)
        cases: dict[str, dict[str, Any]] = {
            "50 by title": {"sort": "title", "limit": 50},
            "200 by title": {"sort": "title", "limit": 200},
            "200 by title, turned round": {"sort": "-title", "limit": 200},
            "200 by title, from the middle": {"sort": "title", "limit": 200, "offset": options.answers // 2},
            "200 by title, searching 'brass'": {"sort": "title", "limit": 200, "search": "brass"},
            "100 of one question by title": {"sort": "title", "limit": 100, "filters": {"question_id": 1}},
            "200 by question and title": {"sort": "question,title", "limit": 200},
            "200 in their own order": {"limit": 200},
            "200 by id": {"sort": "id", "limit": 200},
        }
        rows = []
        with view(actor="bench", grant=Grant.everything(), door="bench"):
            for name, arguments in cases.items():
                rows.append((name, *measure(lambda given=arguments: list_records("answer", **given), options.times)))  # type: ignore[misc]
        print(f"{options.answers} answers on {system}, {options.times} lists each")
        print_table(("list", "median ms", "p95 ms"), rows)


if __name__ == "__main__":
    main()
