"""Authors a real shop's product through whatever speaks to a store: asks for the fields first, then writes all of it as
one change set, then reads all of it back. `author_pc_shop.py` does it over MCP, `author_pc_shop_rest.py` over REST.
"""

import json
import os
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parent.parent
# A script has its own folder on the path, not the repository.
sys.path.insert(0, str(ROOT))

from configbox.operations.pc_product import Authored, Step, authoring_steps, fields_used  # noqa: E402
from configbox.operations.pc_shop import AnswerKey, Shop, implications, read_shop  # noqa: E402

TOKEN_VARIABLE = "CONFIGBOX_TOKEN"

Record = dict[str, Any]


class Stopped(Exception):
    """The work cannot go on; the message says why and what to do."""


class Store(Protocol):
    """A connection to a store. Every method raises Stopped, with the store's own words, where the store refuses."""

    change_set: str
    """The handle of the change set that collects the writes, "" before the first one."""

    def languages(self) -> list[str]:
        """Return the tags of the active languages."""

    def describe(self, entity: str) -> Record:
        """Return the JSON Schema of a record's fields."""

    def write(self, step: Step) -> int:
        """Create or update a record and return its id. The first write opens the change set, the others join it."""

    def get(self, entity: str, number: int) -> Record:
        """Return a full record; prices in it are Decimal, with every digit."""

    def ids(self, entity: str, **filters: Any) -> list[int]:
        """Return the ids of all records that match, in the store's own order."""


def given_token() -> str:
    """Return the token from the environment: an argument would stand in the list of processes. Raises Stopped."""
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise Stopped(
            f"The environment variable {TOKEN_VARIABLE} holds no token. "
            "manage.py token_mint NAME --preset=author makes one on the store's machine."
        )
    return token


def sendable(fields: Record) -> Record:
    """Return fields as JSON takes them: a decimal is sent as text, because a binary number would lose digits."""
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in fields.items()}


def error_words(status: int, body: bytes) -> str:
    """Return the sentence of an error that a store sent over HTTP, or the status where something else answered."""
    try:
        words: str = json.loads(body)["error"]["message"]
    except (ValueError, TypeError, KeyError):
        return f"The answer has the status {status} and not the form in which a store says why."
    return words


def author_shop(store: Store, undo: str) -> int:
    """Do everything over one connection, print what came of it, and return the exit code.

    `undo` is the command that takes a change set back, without its handle.
    """
    shop = read_shop()
    try:
        languages = check_fields(store, shop)
        authored = author(store, shop, languages)
        answers = verify(store, shop, languages, authored)
    except Stopped as reason:
        print(reason, file=sys.stderr)
        return 1
    else:
        print("\n".join(summary(shop, authored, answers)))
        return 0
    finally:
        if store.change_set:
            print(f"Change set: {store.change_set}")
            print(f"Undo:       {undo} {store.change_set}")


def check_fields(store: Store, shop: Shop) -> list[str]:
    """Return the store's languages. Raises Stopped where it does not report a field that the writes will use."""
    languages = store.languages()
    missing = []
    for entity, names in fields_used(shop, languages).items():
        reported = store.describe(entity)["properties"]
        missing += [f"{entity}.{name}" for name in sorted(names.difference(reported))]
    if missing:
        raise Stopped(f"The store does not report {', '.join(missing)}. Nothing was written.")
    return languages


def author(store: Store, shop: Shop, languages: list[str]) -> Authored:
    """Make the product, its questions, answers and rules."""
    steps = authoring_steps(shop, languages)
    step = next(steps)
    while True:
        number = store.write(step)
        try:
            step = steps.send(number)
        except StopIteration as done:
            authored: Authored = done.value
            return authored


def verify(store: Store, shop: Shop, languages: list[str], authored: Authored) -> dict[AnswerKey, Record]:
    """Read everything back and return the answers. Raises Stopped naming each value that is not as in the file."""
    faults: list[str] = []

    def expect(what: str, found: object, wanted: object) -> None:
        if found != wanted:
            faults.append(f"{what} is {found!r} instead of {wanted!r}.")

    def expect_title(what: str, record: Record, title: str) -> None:
        for tag in languages:
            expect(f"The title of {what} ({tag})", record[f"title_{tag.replace('-', '_')}"], title)

    product = store.get("product", authored.product)
    expect("The base price", product["baseprice"], shop.base_price)
    expect_title("the product", product, shop.title)
    expect("The list of pages", store.ids("page", product_id=authored.product), [authored.page])
    expect("The list of questions", store.ids("question", page_id=authored.page), authored.questions)
    answers: dict[AnswerKey, Record] = {}
    for position, question in enumerate(shop.questions):
        number = authored.questions[position]
        record = store.get("question", number)
        what = f"question {number}"
        expect_title(what, record, question.title)
        expect(f"Whether {what} is required", record["required"], question.required)
        ids = [authored.answers[position, place] for place in range(len(question.answers))]
        expect(f"The list of answers of {what}", store.ids("answer", question_id=number), ids)
        for place, answer in enumerate(question.answers):
            what = f"answer {ids[place]}"
            record = answers[position, place] = store.get("answer", ids[place])
            expect_title(what, record, answer.title)
            expect(f"The price of {what}", record["price"], answer.price)
            expect(f"The group of {what}", record["option_custom_1"], answer.group)
            expect(f"The rule of {what}", record["rules"], authored.rules.get((position, place)))
    if faults:
        raise Stopped("What was read back is not what was written. " + " ".join(faults))
    return answers


def look_alikes(shop: Shop) -> list[tuple[AnswerKey, AnswerKey]]:
    """Return the pairs of answers whose names differ in nothing but small and capital letters."""
    seen: dict[str, AnswerKey] = {}
    pairs = []
    for position, question in enumerate(shop.questions):
        for place, answer in enumerate(question.answers):
            key = (position, place)
            other = seen.setdefault(answer.title.casefold(), key)
            if other != key:
                pairs.append((other, key))
    return pairs


def summary(shop: Shop, authored: Authored, answers: dict[AnswerKey, Record]) -> Iterator[str]:
    """Yield lines about what was read back."""
    required = sum(question.required for question in shop.questions)
    yield f"{shop.title}: product {authored.product}, base price {shop.base_price:.2f}"
    yield f"{len(authored.questions)} questions, {required} of them required, {len(answers)} answers: titles, prices,"
    yield "groups and required flags are as in the file"
    for first, second in look_alikes(shop):
        names = (shop.questions[key[0]].answers[key[1]].title for key in (first, second))
        prices = (f"{answers[key]['price']} ({answers[key]['id']})" for key in (first, second))
        yield "Apart: " + ", ".join(f"{name!r} {price}" for name, price in zip(names, prices, strict=True))
    yield f"{len(shop.rules)} implications in {len(authored.rules)} answer rules, read back as written:"
    for number, carriers in implications(shop).items():
        yield f"  {number:2} in the rules of {len(carriers)} answers"
