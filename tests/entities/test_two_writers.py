"""Two processes write at the same moment: exactly one wins, the other is told what stands in the way."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.own_store import ROOT, OwnStore, own_store

ROUNDS = 8
Answer = dict[str, Any]


class Writers:
    """Two processes on one store."""

    def __init__(self, store: OwnStore) -> None:
        self.store = store
        self.processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.entities.writer"],
                cwd=ROOT, env=store.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for _ in range(2)
        ]  # fmt: skip

    def together(self, *asked: Answer) -> list[Answer]:
        """Let each process do its write at the same moment, and return both answers."""
        at = time.time() + 0.02
        for process, each in zip(self.processes, asked, strict=False):
            assert process.stdin is not None
            process.stdin.write(json.dumps({"at": at, **each}) + "\n")
            process.stdin.flush()
        answers = []
        for process, _ in zip(self.processes, asked, strict=False):
            assert process.stdout is not None
            answers.append(json.loads(process.stdout.readline()))
        return answers

    def alone(self, operation: str, *arguments: Any, **more: Any) -> int:
        """Do one write and return the record's id."""
        [answer] = self.together(write(operation, *arguments, **more))
        assert answer["outcome"] == "done", answer
        number: int = answer["id"]
        return number

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()


def write(operation: str, *arguments: Any, **more: Any) -> Answer:
    return {"operation": operation, "arguments": list(arguments), "more": more}


@pytest.fixture(scope="module")
def writers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writers]:
    folder: Path = tmp_path_factory.mktemp("race")
    with own_store(folder) as store:
        both = Writers(store)
        try:
            yield both
        finally:
            both.close()


def race(round_of: Callable[[int], tuple[Answer, Answer]], writers: Writers) -> list[tuple[Answer, Answer]]:
    """Run the rounds; return winner and loser of each. Fails where both won or both lost."""
    results = []
    for number in range(ROUNDS):
        first, second = writers.together(*round_of(number))
        won = [each for each in (first, second) if each["outcome"] == "done"]
        lost = [each for each in (first, second) if each["outcome"] != "done"]
        assert len(won) == len(lost) == 1, (first, second)
        results.append((won[0], lost[0]))
    return results


def test_the_same_url_label(writers: Writers) -> None:
    def round_of(number: int) -> tuple[Answer, Answer]:
        fields = {"title_en_GB": f"Chair {number}", "label_en_GB": f"chair-{number}"}
        return write("create", "product", fields), write("create", "product", fields)

    for won, lost in race(round_of, writers):
        assert lost["outcome"] == "Invalid"
        assert f"is the address of product {won['id']}. [label_en_GB]" in lost["message"]


def test_labels_that_fill_themselves_give_way(writers: Writers) -> None:
    for number in range(ROUNDS):
        fields = {"title_en_GB": f"Table {number}"}
        answers = writers.together(write("create", "product", fields), write("create", "product", fields))
        assert [each["outcome"] for each in answers] == ["done", "done"]
        ids = ", ".join(str(each["id"]) for each in answers)
        rows = writers.store.rows(
            f"SELECT label FROM configbox_url_labels WHERE entity = 'product' AND record IN ({ids})"
        )
        assert sorted(row["label"] for row in rows) == [f"table-{number}", f"table-{number}-2"]


def test_the_same_rev(writers: Writers) -> None:
    product = writers.alone("create", "product", {"title_en_GB": "Bench"})
    rev = 1

    def round_of(number: int) -> tuple[Answer, Answer]:
        now = rev + number
        return (
            write("update", "product", product, {"sku": f"A{number}"}, rev=now),
            write("update", "product", product, {"sku": f"B{number}"}, rev=now),
        )

    for number, (_, lost) in enumerate(race(round_of, writers)):
        assert lost["outcome"] == "Conflict"
        assert f"it is at rev {rev + number + 1}, not {rev + number}" in lost["message"]
        assert lost["message"].endswith("[rev]")


def test_a_delete_while_a_reference_is_written(writers: Writers) -> None:
    product = writers.alone("create", "product", {"title_en_GB": "Shelf"})
    pages = [
        writers.alone("create", "page", {"product_id": product, "title_en_GB": f"Page {number}"})
        for number in range(ROUNDS)
    ]

    def round_of(number: int) -> tuple[Answer, Answer]:
        question = {"page_id": pages[number], "title_en_GB": f"Question {number}"}
        return write("delete", "page", pages[number]), write("create", "question", question)

    for number, (won, lost) in enumerate(race(round_of, writers)):
        if lost["outcome"] == "InUse":
            assert f'question {won["id"]} "Question {number}"' in lost["message"]
        else:
            assert lost["outcome"] == "Invalid"
            assert f"there is none with id {pages[number]}." in lost["message"]
            assert "[page_id]" in lost["message"]


def test_a_delete_while_a_rule_that_names_it_is_written(writers: Writers) -> None:
    """Case G06: no rule is left that asks about a question which is gone."""
    product = writers.alone("create", "product", {"title_en_GB": "Door"})
    page = writers.alone("create", "page", {"product_id": product, "title_en_GB": "Look"})
    asking = writers.alone("create", "question", {"page_id": page, "title_en_GB": "Asking"})
    named = [
        writers.alone("create", "question", {"page_id": page, "title_en_GB": f"Named {number}"})
        for number in range(ROUNDS)
    ]

    def round_of(number: int) -> tuple[Answer, Answer]:
        rule = {"question": named[number], "operator": "==", "value": "x"}
        return write("delete", "question", named[number]), write("update", "question", asking, {"rules": rule})

    for number, (_, lost) in enumerate(race(round_of, writers)):
        if lost["outcome"] == "InUse":
            assert lost["message"] == (
                f'Could not delete question, because it is used by the rules of questions: question {asking} "Asking".'
            )
        else:
            assert lost["outcome"] == "Invalid"
            assert f"names question {named[number]}, which is no question of product {product}" in lost["message"]
            assert "[rules]" in lost["message"]


def test_two_lists_take_the_same_product(writers: Writers) -> None:
    shown = writers.alone("create", "product-list", {"title_en_GB": "All"})

    def round_of(number: int) -> tuple[Answer, Answer]:
        product = writers.alone("create", "product", {"title_en_GB": f"Lamp {number}"})
        fields = {"product_id": product, "listing_id": shown}
        return write("create", "product-list-assignment", fields), write("create", "product-list-assignment", fields)

    for _, lost in race(round_of, writers):
        assert lost["outcome"] == "Invalid"
        assert "[product_id]" in lost["message"]


def test_writers_of_different_fields_both_win(writers: Writers) -> None:
    """Two translators of one record lose nothing."""
    product = writers.alone("create", "product", {"title_en_GB": "Sofa"})
    for number in range(ROUNDS):
        answers = writers.together(
            write("update", "product", product, {"title_en_GB": f"Sofa {number}"}),
            write("update", "product", product, {"baseprice": f"{number}.50"}),
        )
        assert [each["outcome"] for each in answers] == ["done", "done"]
    [row] = writers.store.rows(f"SELECT baseprice, rev FROM configbox_products WHERE id = {product}")
    assert (float(row["baseprice"]), row["rev"]) == (7.5, 1 + 2 * ROUNDS)


def test_writers_who_lock_in_opposite_orders_both_get_through(writers: Writers) -> None:
    """A product holds its list's rows and a row its product: a deadlock is tried again, never handed on."""
    product = writers.alone("create", "product", {"title_en_GB": "Chest"})
    lists = [writers.alone("create", "product-list", {"title_en_GB": f"List {number}"}) for number in range(2)]
    fields = {"product_id": product, "listing_id": lists[0]}
    assignment = writers.alone("create", "product-list-assignment", fields)
    for number in range(2 * ROUNDS):
        both = [lists[0], *lists[1:][: number % 2]]
        answers = writers.together(
            write("update", "product", product, {"product_listing_ids": both}),
            write("update", "product-list-assignment", assignment, {"ordering": 100 + number}),
        )
        assert [each["outcome"] for each in answers] == ["done", "done"], answers
    rows = writers.store.rows(
        f"SELECT id, ordering FROM configbox_product_list_assignments WHERE product_id = {product} ORDER BY id"
    )
    assert (rows[0]["id"], rows[0]["ordering"]) == (assignment, 100 + 2 * ROUNDS - 1)
