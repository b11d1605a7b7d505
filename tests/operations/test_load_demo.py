"""`manage.py load_demo`: one change set, repeatable, and whole products however it ends."""

import subprocess
import sys
import time

import pytest

from configbox.engine.question_types import QUESTION_TYPES
from tests.own_store import ROOT, own_store

PC, TYPES = "PC-RICHMOND", "DEMO-QUESTION-TYPES"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """A store, its records before, and the one run that loaded the demo."""
    with own_store(tmp_path_factory.mktemp("loaded")) as store:
        before = store.records()
        done = store.manage("load_demo")
        yield store, before, done


@pytest.fixture
def empty(tmp_path):
    with own_store(tmp_path) as store:
        yield store


def counts(store):
    """Return how many pages, questions and answers each product has, by article number."""
    found = store.rows(
        "SELECT p.sku, count(DISTINCT g.id) AS pages, count(DISTINCT q.id) AS questions,"
        " count(DISTINCT a.id) AS answers"
        " FROM configbox_products p LEFT JOIN configbox_pages g ON g.product_id = p.id"
        " LEFT JOIN configbox_questions q ON q.page_id = g.id LEFT JOIN configbox_answers a ON a.question_id = q.id"
        " GROUP BY p.sku"
    )
    return {row["sku"]: (row["pages"], row["questions"], row["answers"]) for row in found}


def start_loading(store):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "manage.py", "load_demo"], cwd=ROOT, env=store.env, **pipes)


def has_german(store):
    return {"tag": "de-DE"} in store.rows("SELECT tag FROM configbox_languages")


WHOLE = {PC: (1, 23, 285), TYPES: (1, len(QUESTION_TYPES), 7)}


def test_it_loads_two_products_and_says_so(loaded):
    store, _, done = loaded
    assert done.stdout.splitlines() == [
        "Language de-DE is active.",
        f"Product {PC} is loaded.",
        f"Product {TYPES} is loaded.",
    ]
    assert counts(store) == WHOLE
    types = store.rows("SELECT question_type FROM configbox_questions WHERE page_id = 2 ORDER BY ordering, id")
    assert [row["question_type"] for row in types] == list(QUESTION_TYPES)


def test_a_second_run_changes_nothing(loaded):
    store, _, _ = loaded
    before = store.dump()
    again = store.manage("load_demo")
    assert again.stdout.splitlines() == [
        "Language de-DE is active already.",
        f"Product {PC} is there already.",
        f"Product {TYPES} is there already.",
    ]
    assert store.dump() == before


@pytest.mark.thorough
def test_it_is_one_change_set_that_can_be_taken_back(loaded):
    store, before, _ = loaded
    sets = store.rows("SELECT handle, title, state, actor FROM configbox_change_sets")
    assert [(row["title"], row["state"], row["actor"]) for row in sets] == [("Demo store", "open", "command")]
    after = store.records()
    store.manage("changes", "undo", sets[0]["handle"])
    undone = store.records()
    # A language that was active once stays known.
    inactive = [row for row in undone["configbox_languages"] if not row["active"]]
    assert [row["tag"] for row in inactive] == ["de-DE"]
    undone["configbox_languages"].remove(inactive[0])
    assert undone == before
    store.manage("changes", "redo", sets[0]["handle"])
    assert store.records() == after


@pytest.mark.thorough
def test_killed_at_any_moment_it_leaves_no_half_product(empty):
    """Kills later and later runs until one gets through; whatever is there at each end is whole."""
    bare = empty.records()
    kills_while_loading = 0
    delay = 0.3
    while True:
        process = start_loading(empty)
        try:
            process.communicate(timeout=delay)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        kills_while_loading += PC not in counts(empty) and "de-DE" in str(
            empty.rows("SELECT tag FROM configbox_languages")
        )
        for sku, found in counts(empty).items():
            assert found == WHOLE[sku]
        if not counts(empty):
            for table in ("configbox_pages", "configbox_answers", "configbox_strings", "configbox_url_labels"):
                assert empty.records()[table] == bare[table]
        delay += 0.2
        assert delay < 60
    assert process.returncode == 0
    assert kills_while_loading >= 2
    assert counts(empty) == WHOLE


@pytest.mark.thorough
def test_a_run_after_a_killed_one_loads_what_an_undisturbed_run_loads(empty, loaded):
    process = start_loading(empty)
    deadline = time.monotonic() + 20
    while not has_german(empty):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.communicate()
    empty.manage("load_demo")
    assert empty.records() == loaded[0].records()
