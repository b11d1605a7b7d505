"""The authoring examples over HTTP, MCP and REST, against a store that gunicorn serves, with a token."""

import pytest

from configbox.operations.pc_product import SKU
from tests.examples.faulty_tools import LACKING, REFUSED
from tests.examples.product_content import product_content
from tests.examples.running import (
    MCP_OVER_HTTP,
    REST,
    SERVED,
    assert_one_change_set,
    assert_summary,
    change_set_in,
    minted,
    run_against,
    run_served,
    without_log,
)
from tests.examples.served_store import served_store
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

FAULTY = "tests.examples.settings_faulty_tools"
by_example = pytest.mark.parametrize("example", SERVED, ids=lambda example: example.door)


# Against one store, because making and serving one takes as long as authoring the shop.
@pytest.mark.timeout(300)
def test_both_author_what_the_demo_has_each_as_one_change_set_that_undo_takes_whole(tmp_path):
    contents = []
    with own_store(tmp_path) as store:
        store.activate_german()
        token = minted(store, "--preset=author")
        with served_store(store, tmp_path / "log") as served:
            for runs_before, example in enumerate(SERVED):
                before = store.dump()
                done = run_against(example, served, token)
                assert done.returncode == 0, done.stderr
                change_set = change_set_in(done.stdout)
                assert_summary(done.stdout, change_set, runs_before)
                assert_one_change_set(before, store.dump(), change_set, 'token #1 "example"', example.door)
                contents.append(product_content(store, SKU))
                assert "Undone: 370 changes" in store.manage("changes", "undo", change_set).stdout
                assert without_log(store.dump()) == without_log(before)
            assert token not in served.logged()
        # The one over stdio is compared with the demo too.
        store.manage("load_demo")
        demo = product_content(store, SKU)
    assert demo[0].pop("product_listing_ids") == [1]
    assert [content[0].pop("product_listing_ids") for content in contents] == [[], []]
    over_mcp, over_rest = contents
    assert over_mcp == over_rest == demo


@by_example
def test_a_field_that_is_not_described_stops_it_before_the_first_write(tmp_path, example):
    with own_store(tmp_path) as store:
        store.activate_german()
        token = minted(store, "--preset=author")
        before = store.dump()
        faulty = {"DJANGO_SETTINGS_MODULE": FAULTY, LACKING: "answer.title_de_DE"}
        with served_store(store, tmp_path / "log", **faulty) as served:
            done = run_against(example, served, token)
            log = served.logged()
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == "The store does not report answer.title_de_DE. Nothing was written.\n"
        assert without_log(store.dump()) == without_log(before)
        assert store.dump()["configbox_changes"] == before["configbox_changes"]
    if example is REST:
        assert '"GET /cb-api/v1/answer/schema HTTP/1.1" 200' in log
        assert '"POST /cb-api/v1/' not in log
    else:
        assert "tool=cbx_describe_entity" in log
        assert "tool=cbx_create_entity" not in log


def test_a_refused_write_ends_it_with_the_way_to_take_back_what_was_written(tmp_path):
    with own_store(tmp_path) as store:
        token = minted(store, "--preset=author")
        before = store.records()
        with served_store(store, tmp_path / "log", DJANGO_SETTINGS_MODULE=FAULTY, **{REFUSED: "answer"}) as served:
            done = run_against(MCP_OVER_HTTP, served, token)
        assert (done.returncode, done.stderr) == (1, "No more of these today.\n")
        store.manage("changes", "undo", change_set_in(done.stdout))
        after = store.records()
        assert without_log(after) == without_log(before)


@pytest.fixture(scope="module")
def served_with_tokens(tmp_path_factory):
    """A served store and three tokens: one that may author, one that may only read, and one that is none."""
    folder = tmp_path_factory.mktemp("served")
    with own_store(folder) as store:
        tokens = {"author": minted(store, "--preset=author"), "reader": minted(store, "--scope=catalog:read")}
        with served_store(store, folder / "log") as served:
            yield store, served, tokens | {"wrong": "cbx_1_wrong"}


@by_example
def test_a_token_that_is_not_valid_is_said_to_be(served_with_tokens, example):
    _, served, tokens = served_with_tokens
    done = run_against(example, served, tokens["wrong"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(": This token is not valid.\n")
    assert "Traceback" not in done.stderr


@by_example
def test_a_token_that_may_only_read_writes_nothing_and_the_scope_is_named(served_with_tokens, example):
    store, served, tokens = served_with_tokens
    before = store.records()
    done = run_against(example, served, tokens["reader"])
    assert (done.returncode, done.stdout) == (1, "")
    assert "catalog:write" in done.stderr
    assert without_log(store.records()) == without_log(before)


@by_example
def test_an_address_that_is_no_store_ends_it_with_a_sentence(served_with_tokens, example):
    _, served, tokens = served_with_tokens
    done = run_served(example, served.url + "/elsewhere", tokens["author"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1


@by_example
def test_no_token_is_asked_for_where_it_belongs(example):
    done = run_served(example, "http://127.0.0.1:9", None)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The environment variable CONFIGBOX_TOKEN holds no token. ")


@by_example
def test_a_store_that_is_not_served_ends_it_with_a_sentence(example):
    # Nothing listens on the port for discarding.
    done = run_served(example, "http://127.0.0.1:9" + example.path, "cbx_1_any")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
