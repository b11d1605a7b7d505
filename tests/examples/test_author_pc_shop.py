"""examples/author_pc_shop.py over stdio, against a store of its own: what it authors, its undoing, where it stops."""

import os
from decimal import Decimal

import pytest

from configbox.operations.pc_product import SKU
from configbox.operations.pc_shop import read_shop
from tests.examples.faulty_tools import LACKING, REFUSED
from tests.examples.product_content import product_content
from tests.examples.running import assert_one_change_set, assert_summary, change_set_in, run_over_stdio, without_log
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

FAULTY = "tests.examples.settings_faulty_tools"


# One test, because it takes hundreds of calls to make what all its parts look at.
def test_it_authors_the_shop_as_one_change_set_that_undo_and_redo_take_whole(tmp_path):
    with own_store(tmp_path) as store:
        store.activate_german()
        before = store.dump()
        done = run_over_stdio(store)
        assert done.returncode == 0, done.stderr
        change_set = change_set_in(done.stdout)
        assert_summary(done.stdout, change_set)
        content = product_content(store, SKU)
        assert_content(content)
        assert_one_change_set(before, store.dump(), change_set, actor="stdio", door="stdio")

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


@pytest.mark.long_sweep
@pytest.mark.skipif(os.environ.get("CONFIGBOX_LONG_SWEEPS") != "1", reason="authors the whole shop once more")
def test_it_authors_a_second_product_beside_the_demo_and_undo_takes_that_one_alone(tmp_path):
    with own_store(tmp_path) as store:
        store.manage("load_demo")
        before = store.records()
        done = run_over_stdio(store)
        assert done.returncode == 0, done.stderr
        assert len(store.records()["configbox_products"]) == len(before["configbox_products"]) + 1
        store.manage("changes", "undo", change_set_in(done.stdout))
        assert store.records() == before


@pytest.mark.parametrize("field", ["product.baseprice", "question.title_de_DE", "answer.rules"])
def test_a_field_that_describe_does_not_report_stops_it_before_the_first_write(tmp_path, field):
    with own_store(tmp_path) as store:
        store.activate_german()
        before = store.dump()
        done = run_over_stdio(store, DJANGO_SETTINGS_MODULE=FAULTY, LOG_LEVEL="INFO", **{LACKING: field})
        assert done.returncode == 1
        assert done.stdout == ""
        assert f"The store does not report {field}. Nothing was written.\n" in done.stderr
        assert "tool=cbx_describe_entity" in done.stderr
        assert "tool=cbx_create_entity" not in done.stderr
        assert store.dump() == before


def test_a_refused_write_ends_it_with_the_way_to_take_back_what_was_written(tmp_path):
    with own_store(tmp_path) as store:
        before = store.records()
        done = run_over_stdio(store, DJANGO_SETTINGS_MODULE=FAULTY, **{REFUSED: "answer"})
        assert done.returncode == 1
        assert "No more of these today.\n" in done.stderr
        change_set = change_set_in(done.stdout)
        assert done.stdout.splitlines()[-1].endswith(f" changes undo {change_set}")
        written = store.records()
        tables = ("products", "pages", "questions", "answers")
        assert [len(written[f"configbox_{table}"]) for table in tables] == [1, 1, 1, 0]
        store.manage("changes", "undo", change_set)
        assert store.records() == before
