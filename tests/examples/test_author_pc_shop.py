"""examples/author_pc_shop.py against a store of its own: what it authors, how that is undone, and where it stops."""

import os
import subprocess
import sys
from decimal import Decimal

import pytest

from configbox.operations.pc_product import SKU
from configbox.operations.pc_shop import read_shop
from tests.examples.faulty_tools import LACKING, REFUSED
from tests.examples.product_content import product_content
from tests.own_store import LOG_TABLES, ROOT, own_store

FAULTY = "tests.examples.settings_faulty_tools"
EXAMPLE = ROOT / "examples" / "author_pc_shop.py"
WRITES = 1 + 1 + 23 + 285 + 60
UNDO = "Undo:       "
CHANGE_SET = "Change set: "


def run_example(store, **env):
    command = [sys.executable, str(EXAMPLE)]
    return subprocess.run(command, env={**store.env, **env}, capture_output=True, text=True, timeout=110, check=False)


def change_set_in(output):
    [line] = [line for line in output.splitlines() if line.startswith(CHANGE_SET)]
    return line.removeprefix(CHANGE_SET)


def without_log(dump):
    return {table: rows for table, rows in dump.items() if table not in LOG_TABLES}


# One test, because it takes hundreds of calls to make what all its parts look at.
def test_it_authors_the_shop_as_one_change_set_that_undo_and_redo_take_whole(tmp_path):
    with own_store(tmp_path) as store:
        store.activate_german()
        before = store.dump()
        done = run_example(store)
        assert done.returncode == 0, done.stderr
        change_set = change_set_in(done.stdout)
        assert_summary(done.stdout, change_set)
        content = product_content(store, SKU)
        assert_content(content)
        assert_one_change_set(before, store.dump(), change_set)

        authored = store.records()
        assert "Undone: 370 changes" in store.manage("changes", "undo", change_set).stdout
        assert without_log(store.dump()) == without_log(before)
        assert "Done again: 370 changes" in store.manage("changes", "redo", change_set).stdout
        assert store.records() == authored
        assert len(authored["configbox_answers"]) == 285

        # The demo store's product is this one, beside being in a product list.
        store.manage("changes", "undo", change_set)
        store.manage("load_demo")
        demo = product_content(store, SKU)
        assert demo[0].pop("product_listing_ids") == [1]
        assert content[0].pop("product_listing_ids") == []
        assert demo == content


def assert_summary(output, change_set):
    lines = output.splitlines()
    assert lines[:6] == [
        "PC RICHMOND F: product 1, base price 841.90",
        "23 questions, 8 of them required, 285 answers: titles, prices,",
        "groups and required flags are as in the file",
        "Apart: 'MSI Gaming X 8G' 524.80 (32), 'MSI GAMING X 8G' 1511.80 (34)",
        "Apart: 'MSI GAMING X 11G' 764.80 (36), 'MSI Gaming X 11G' 1977.80 (38)",
        "12 implications in 60 answer rules, read back as written:",
    ]
    assert [int(line.split()[-2]) for line in lines[6:18]] == [15, 3, 6, 3, 6, 18, 3, 3, 6, 2, 5, 4]
    assert lines[18:] == [CHANGE_SET + change_set, f"{UNDO}{sys.executable} {ROOT}/manage.py changes undo {change_set}"]


def assert_content(content):
    shop = read_shop()
    by_kind = {}
    for record in content:
        by_kind.setdefault(record["entity"].split()[0], []).append(record)
    kinds = {kind: len(records) for kind, records in by_kind.items()}
    assert kinds == {"product": 1, "page": 1, "question": 23, "answer": 285}
    [product] = by_kind["product"]
    assert (product["baseprice"], str(product["baseprice"])) == (Decimal("841.90"), "841.90")
    questions, answers = by_kind["question"], by_kind["answer"]
    wanted = [(each.title, each.title, each.required) for each in shop.questions]
    assert [(each["title_en_GB"], each["title_de_DE"], each["required"]) for each in questions] == wanted
    assert [
        (each["question_id"], each["title_en_GB"], each["title_de_DE"], each["price"], each["option_custom_1"])
        for each in answers
    ] == [
        (question["entity"], answer.title, answer.title, answer.price, answer.group)
        for question, shown in zip(questions, shop.questions, strict=True)
        for answer in shown.answers
    ]
    assert sum(each["rules"] is not None for each in answers) == 60


def assert_one_change_set(before, after, change_set):
    new = [row for row in after["configbox_change_sets"] if row not in before["configbox_change_sets"]]
    assert [(row["handle"], row["actor"], row["door"], row["state"]) for row in new] == [
        (change_set, "stdio", "stdio", "open")
    ]
    made = [row for row in after["configbox_changes"] if row["change_set_id"] == new[0]["id"]]
    assert len(made) == WRITES == len(after["configbox_changes"]) - len(before["configbox_changes"])


@pytest.mark.long_sweep
@pytest.mark.skipif(os.environ.get("CONFIGBOX_LONG_SWEEPS") != "1", reason="authors the whole shop once more")
def test_it_authors_a_second_product_beside_the_demo_and_undo_takes_that_one_alone(tmp_path):
    with own_store(tmp_path) as store:
        store.manage("load_demo")
        before = store.records()
        done = run_example(store)
        assert done.returncode == 0, done.stderr
        assert len(store.records()["configbox_products"]) == len(before["configbox_products"]) + 1
        store.manage("changes", "undo", change_set_in(done.stdout))
        assert store.records() == before


@pytest.mark.parametrize("field", ["product.baseprice", "question.title_de_DE", "answer.rules"])
def test_a_field_that_describe_does_not_report_stops_it_before_the_first_write(tmp_path, field):
    with own_store(tmp_path) as store:
        store.activate_german()
        before = store.dump()
        done = run_example(store, DJANGO_SETTINGS_MODULE=FAULTY, LOG_LEVEL="INFO", **{LACKING: field})
        assert done.returncode == 1
        assert done.stdout == ""
        assert f"cbx_describe_entity does not report {field}. Nothing was written.\n" in done.stderr
        assert "tool=cbx_describe_entity" in done.stderr
        assert "tool=cbx_create_entity" not in done.stderr
        assert store.dump() == before


def test_a_refused_write_ends_it_with_the_way_to_take_back_what_was_written(tmp_path):
    with own_store(tmp_path) as store:
        before = store.records()
        done = run_example(store, DJANGO_SETTINGS_MODULE=FAULTY, **{REFUSED: "answer"})
        assert done.returncode == 1
        assert "No more of these today.\n" in done.stderr
        change_set = change_set_in(done.stdout)
        assert done.stdout.splitlines()[-1].endswith(f" changes undo {change_set}")
        written = store.records()
        tables = ("products", "pages", "questions", "answers")
        assert [len(written[f"configbox_{table}"]) for table in tables] == [1, 1, 1, 0]
        store.manage("changes", "undo", change_set)
        assert store.records() == before
