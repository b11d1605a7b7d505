"""Authors a real shop's product through MCP: describes first, writes all of it as one change set, reads all of it back.

A client of the official SDK that starts `manage.py mcp --preset=author` over stdio:

    .venv/bin/python examples/author_pc_shop.py

The store must be migrated (`bin/demo` does it). The exit code is 0 if everything reads back as it is in the file.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import TextContent

ROOT = Path(__file__).resolve().parent.parent
# A script has its own folder on the path, not the repository.
sys.path.insert(0, str(ROOT))

from configbox.operations.pc_product import Authored, Step, authoring_steps, fields_used  # noqa: E402
from configbox.operations.pc_shop import AnswerKey, Shop, implications, read_shop  # noqa: E402

Record = dict[str, Any]


class Stopped(Exception):
    """The work cannot go on; the message says why and what to do."""


class Store:
    """The store's tools, one method for each use, and the change set that collects the writes."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.change_set = ""

    async def call(self, tool: str, **arguments: Any) -> Record:
        """Call a tool and return its answer. Raises Stopped with the tool's own words where it refuses."""
        try:
            result = await self.client.call_tool(tool, arguments)
        except MCPError as error:
            raise Stopped(f"{tool} could not be called: {error.message}") from error
        text = "".join(part.text for part in result.content if isinstance(part, TextContent))
        if result.is_error:
            raise Stopped(text)
        # The text has every digit of a price; the structured content went through binary floating point.
        answer: Record = json.loads(text, parse_float=Decimal)
        return answer

    async def describe(self, entity: str) -> Record:
        return await self.call("cbx_describe_entity", entity=entity)

    async def write(self, step: Step) -> int:
        """Create or update a record and return its id. The first write opens the change set, the others join it."""
        # A decimal is sent as text, for the same reason.
        fields = {name: str(value) if isinstance(value, Decimal) else value for name, value in step.fields.items()}
        where = {"change_set": self.change_set} if self.change_set else {}
        if step.id is None:
            answer = await self.call("cbx_create_entity", entity=step.entity, fields=fields, **where)
        else:
            answer = await self.call("cbx_update_entity", entity=step.entity, id=step.id, fields=fields, **where)
        self.change_set = answer.get("change_set", self.change_set)
        number: int = answer["record"]["id"]
        return number

    async def get(self, entity: str, number: int) -> Record:
        record: Record = (await self.call("cbx_get_entity", entity=entity, id=number))["record"]
        return record

    async def ids(self, entity: str, **filters: Any) -> list[int]:
        """Return the ids of all records that match, in the store's own order, page by page."""
        found: list[int] = []
        offset: int | None = 0
        while offset is not None:
            page = await self.call("cbx_list_entities", entity=entity, filters=filters, limit=200, offset=offset)
            found += [item["id"] for item in page["items"]]
            offset = page.get("next_offset")
        return found


async def check_fields(store: Store, shop: Shop) -> list[str]:
    """Return the store's languages. Raises Stopped where it does not report a field that the writes will use."""
    languages: list[str] = (await store.describe("product"))["languages"]
    missing = []
    for entity, names in fields_used(shop, languages).items():
        reported = (await store.describe(entity))["fields"]["properties"]
        missing += [f"{entity}.{name}" for name in sorted(names.difference(reported))]
    if missing:
        raise Stopped(f"cbx_describe_entity does not report {', '.join(missing)}. Nothing was written.")
    return languages


async def author(store: Store, shop: Shop, languages: list[str]) -> Authored:
    """Make the product, its questions, answers and rules."""
    steps = authoring_steps(shop, languages)
    step = next(steps)
    while True:
        number = await store.write(step)
        try:
            step = steps.send(number)
        except StopIteration as done:
            authored: Authored = done.value
            return authored


async def verify(store: Store, shop: Shop, languages: list[str], authored: Authored) -> dict[AnswerKey, Record]:
    """Read everything back and return the answers. Raises Stopped naming each value that is not as in the file."""
    faults: list[str] = []

    def expect(what: str, found: object, wanted: object) -> None:
        if found != wanted:
            faults.append(f"{what} is {found!r} instead of {wanted!r}.")

    def expect_title(what: str, record: Record, title: str) -> None:
        for tag in languages:
            expect(f"The title of {what} ({tag})", record[f"title_{tag.replace('-', '_')}"], title)

    product = await store.get("product", authored.product)
    expect("The base price", product["baseprice"], shop.base_price)
    expect_title("the product", product, shop.title)
    expect("The list of pages", await store.ids("page", product_id=authored.product), [authored.page])
    expect("The list of questions", await store.ids("question", page_id=authored.page), authored.questions)
    answers: dict[AnswerKey, Record] = {}
    for position, question in enumerate(shop.questions):
        number = authored.questions[position]
        record = await store.get("question", number)
        what = f"question {number}"
        expect_title(what, record, question.title)
        expect(f"Whether {what} is required", record["required"], question.required)
        ids = [authored.answers[position, place] for place in range(len(question.answers))]
        expect(f"The list of answers of {what}", await store.ids("answer", question_id=number), ids)
        for place, answer in enumerate(question.answers):
            what = f"answer {ids[place]}"
            record = answers[position, place] = await store.get("answer", ids[place])
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


async def run(python: str, manage: str) -> int:
    """Do everything over one connection and return the exit code."""
    shop = read_shop()
    # The SDK hands a server next to nothing of the environment, but DATABASE_URL and the like say where the store is.
    environment = {"LOG_LEVEL": "WARNING", **os.environ}
    server = StdioServerParameters(command=python, args=[manage, "mcp", "--preset=author"], env=environment)
    async with Client(server) as client:
        store = Store(client)
        try:
            languages = await check_fields(store, shop)
            authored = await author(store, shop, languages)
            answers = await verify(store, shop, languages, authored)
        except Stopped as reason:
            print(reason, file=sys.stderr)
            return 1
        else:
            print("\n".join(summary(shop, authored, answers)))
            return 0
        finally:
            if store.change_set:
                print(f"Change set: {store.change_set}")
                print(f"Undo:       {python} {manage} changes undo {store.change_set}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Author the PC shop's product through MCP and verify it.")
    parser.add_argument("--python", default=sys.executable, help="The interpreter that runs the server.")
    parser.add_argument("--manage", default=str(ROOT / "manage.py"), help="The store's manage.py.")
    options = parser.parse_args()
    return asyncio.run(run(options.python, options.manage))


if __name__ == "__main__":
    sys.exit(main())
