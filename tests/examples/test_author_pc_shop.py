"""examples/author_pc_shop.py against a store of its own: what it authors, how that is undone, and where it stops."""

import subprocess
import sys
from decimal import Decimal

import pytest

from configbox.operations.pc_product import SKU
from configbox.operations.pc_shop import read_shop
from tests.examples.describe_lacking_field import LACKING
from tests.examples.product_content import product_content
from tests.own_store import LOG_TABLES, ROOT, own_store

COUNTS = {"product": 1, "page": 1, "question": 23, "answer": 285}
EXAMPLE = ROOT / "examples" / "author_pc_shop.py"


def run_example(store, **env):
    command = [sys.executable, str(EXAMPLE)]
    return subprocess.run(command, env={**store.env, **env}, capture_output=True, text=True, timeout=110, check=False)


class Authored:
    """A store before and after the example ran once in both languages, and what the example printed."""

    def __init__(self, store):
        self.store = store
        store.activate_german()
        self.before = store.dump()
        self.records_before = store.records()
        done = run_example(store)
        assert done.returncode == 0, done.stderr
        self.lines = done.stdout.splitlines()
        self.change_set = self.lines[-2].removeprefix("Change set: ")
        self.records_after = store.records()


@pytest.fixture(scope="module")
def authored(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("authored")) as store:
        yield Authored(store)


@pytest.fixture(scope="module")
def content(authored):
    return product_content(authored.store, SKU)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A store with the demo products."""
    with own_store(tmp_path_factory.mktemp("demo")) as store:
        store.manage("load_demo")
        yield store


def of_kind(content, entity):
    return [record for record in content if record["entity"].split()[0] == entity]


def test_it_ends_with_a_summary_and_the_way_to_undo(authored):
    assert authored.lines[:6] == [
        "PC RICHMOND F: product 1, base price 841.90",
        "23 questions, 8 of them required, 285 answers: titles, prices,",
        "groups and required flags are as in the file",
        "Apart: 'MSI Gaming X 8G' 524.80 (39), 'MSI GAMING X 8G' 1511.80 (41)",
        "Apart: 'MSI GAMING X 11G' 764.80 (43), 'MSI Gaming X 11G' 1977.80 (45)",
        "12 implications in 60 answer rules, read back as written:",
    ]
    assert [int(line.split()[-2]) for line in authored.lines[6:18]] == [15, 3, 6, 3, 6, 18, 3, 3, 6, 2, 5, 4]
    assert len(authored.change_set) == 32
    assert authored.lines[-1].endswith(f"manage.py changes undo {authored.change_set}")


def test_the_store_holds_what_the_file_says(content):
    shop = read_shop()
    assert {entity: len(of_kind(content, entity)) for entity in COUNTS} == COUNTS
    [product] = of_kind(content, "product")
    assert (product["baseprice"], str(product["baseprice"])) == (Decimal("841.90"), "841.90")
    questions = of_kind(content, "question")
    wanted = [(each.title, each.title, each.required) for each in shop.questions]
    assert [(each["title_en_GB"], each["title_de_DE"], each["required"]) for each in questions] == wanted
    answers = of_kind(content, "answer")
    assert [
        (each["question_id"], each["title_en_GB"], each["title_de_DE"], each["price"], each["option_custom_1"])
        for each in answers
    ] == [
        (question["entity"], answer.title, answer.title, answer.price, answer.group)
        for question, shown in zip(questions, shop.questions, strict=True)
        for answer in shown.answers
    ]
    assert sum(each["rules"] is not None for each in answers) == 60


def test_all_writes_are_one_change_set(authored):
    made = [row for row in authored.store.dump()["configbox_change_sets"] if row["actor"] == "stdio"]
    handles = [row["handle"] for row in made]
    assert authored.change_set in handles
    assert len(handles) == len(authored.before["configbox_change_sets"]) + 1
    [own] = [row["id"] for row in made if row["handle"] == authored.change_set]
    changes = [row for row in authored.store.dump()["configbox_changes"] if row["change_set_id"] == own]
    assert len(changes) == 1 + 1 + 23 + 285 + 60


def test_undo_leaves_the_store_as_it_was_and_redo_brings_the_same_ids_back(authored):
    store = authored.store
    assert "Undone: 370 changes" in store.manage("changes", "undo", authored.change_set).stdout
    assert store.records() == authored.records_before
    undone = store.dump()
    assert {table: rows for table, rows in undone.items() if table not in LOG_TABLES} == {
        table: rows for table, rows in authored.before.items() if table not in LOG_TABLES
    }
    assert "Done again: 370 changes" in store.manage("changes", "redo", authored.change_set).stdout
    assert store.records() == authored.records_after
    assert len(authored.records_after["configbox_answers"]) == 285


def test_the_demo_store_holds_the_same_product(content, demo):
    loaded = product_content(demo, SKU)
    assert loaded[0].pop("product_listing_ids") == [1]
    written = [dict(record) for record in content]
    assert written[0].pop("product_listing_ids") == []
    assert loaded == written


def test_it_authors_a_second_product_beside_the_demo_and_takes_it_back(demo):
    before = demo.records()
    done = run_example(demo)
    assert done.returncode == 0, done.stderr
    assert len(demo.records()["configbox_products"]) == len(before["configbox_products"]) + 1
    demo.manage("changes", "undo", done.stdout.splitlines()[-2].removeprefix("Change set: "))
    assert demo.records() == before


@pytest.mark.parametrize("field", ["product.baseprice", "question.title_de_DE", "answer.rules"])
def test_a_field_that_describe_does_not_report_stops_it_before_the_first_write(tmp_path, field):
    with own_store(tmp_path) as store:
        store.activate_german()
        before = store.dump()
        settings = "tests.examples.settings_lacking_field"
        done = run_example(store, DJANGO_SETTINGS_MODULE=settings, LOG_LEVEL="INFO", **{LACKING: field})
        assert done.returncode == 1
        assert done.stdout == ""
        assert f"cbx_describe_entity does not report {field}. Nothing was written.\n" in done.stderr
        assert "tool=cbx_describe_entity" in done.stderr
        assert "tool=cbx_create_entity" not in done.stderr
        assert store.dump() == before


def test_a_refused_write_ends_it_with_the_way_to_take_back_what_was_written(tmp_path):
    with own_store(tmp_path) as store:
        before = store.records()
        # The first answer would be given an id that no table can hold: the write before it stands, this one fails.
        store.execute("INSERT INTO configbox_sequences (entity, last) VALUES ('answer', 2147483647)")
        done = run_example(store)
        assert done.returncode == 1
        written, undo = done.stdout.splitlines()
        assert undo.endswith(written.removeprefix("Change set: "))
        assert store.records() != before
        store.manage("changes", "undo", written.removeprefix("Change set: "))
        assert store.records() == before
