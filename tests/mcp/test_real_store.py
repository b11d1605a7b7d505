"""The stdio server over a real database: what other processes write, what a kill leaves, sessions, narrowed grants."""

import asyncio
import os
import random
import re
import sys
import time
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.conftest import LONG_SWEEPS
from tests.mcp.stdio_client import StdioClient, text_of
from tests.own_store import ROOT, own_store

pytestmark = pytest.mark.thorough

WAYS = ("--isolation=fork", "--in-process")
MODES = ("legacy", "auto", "2026-07-28")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The demo store, shared: each test makes what it changes."""
    with own_store(tmp_path_factory.mktemp("real")) as store:
        store.manage("load_demo")
        yield store


def serve(store, *options):
    return StdioClient(*options, settings="configbox.settings", env=store.env)


def content_of(result):
    assert result["isError"] is False, text_of(result)
    return result["structuredContent"]


def new_product(client, sku="", **more):
    fields = {"title_en_GB": "Shelf", "title_de_DE": "Regal", "sku": sku, "baseprice": "10.00"}
    return content_of(client.call("cbx_create_entity", {"entity": "product", "fields": fields, **more}))


# --- other processes ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", WAYS)
def test_an_open_server_sees_at_once_what_another_process_writes(store, way):
    with serve(store, way) as reader, serve(store) as writer:
        number = new_product(writer)["id"]
        get = {"entity": "product", "id": number, "only": ["baseprice"]}
        for price in ("11.50", "12.25", "13.00"):
            fields = {"baseprice": price}
            content_of(writer.call("cbx_update_entity", {"entity": "product", "id": number, "fields": fields}))
            assert str(content_of(reader.call("cbx_get_entity", get))["record"]["baseprice"]) == price
        store.call("cbx_update_entity", entity="product", id=number, fields={"baseprice": "14.00"})
        assert str(content_of(reader.call("cbx_get_entity", get))["record"]["baseprice"]) == "14.00"
        content_of(writer.call("cbx_delete_entity", {"entity": "product", "id": number}))
        assert text_of(reader.call("cbx_get_entity", get)) == f"No product found with id {number}."


@pytest.mark.parametrize("way", WAYS)
def test_an_open_server_speaks_a_language_that_another_process_activates(store, way):
    with serve(store, way) as reader:
        for tags in (["en-GB", "de-DE", "fr-FR"], ["en-GB", "de-DE"]):
            store.call("cbx_update_entity", entity="settings", id=1, fields={"active_languages": tags})
            described = content_of(reader.call("cbx_describe_entity", {"entity": "product"}))
            assert described["languages"] == tags


# --- killed while writing -----------------------------------------------------------------------------------------
# From long before a write to long after it, closer together where it happens.
DELAYS = [0.002 * 1.35**step for step in range(0, 20, 1 if LONG_SWEEPS else 2)]
STAMPED = ("title_en_GB", "title_de_DE", "sku", "longdescription_en_GB", "product_custom_1", "label_en_GB")


def stamp(product, number, lists):
    """Return fields of a product in its row, its texts, its URL labels and its list assignments, all of one mark."""
    return dict.fromkeys(STAMPED, f"mark-{product}-{number}") | {"product_listing_ids": [lists[number % 2]]}


def children_of(pid):
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("victim", ["server", "worker", "in process"])
def test_killed_while_it_writes_the_record_stays_whole(store, victim):
    chance = random.Random(victim)
    answered = 0
    with serve(store, "--in-process") as reader:
        number = new_product(reader)["id"]
        titles = ({"title_en_GB": "One", "title_de_DE": "Eins"}, {"title_en_GB": "Two", "title_de_DE": "Zwei"})
        lists = [
            content_of(reader.call("cbx_create_entity", {"entity": "product-list", "fields": each}))["id"]
            for each in titles
        ]
        first = {"entity": "product", "id": number, "fields": stamp(number, 0, lists)}
        content_of(reader.call("cbx_update_entity", first))
        for each, delay in enumerate(DELAYS, start=1):
            with serve(store, *(["--in-process"] if victim == "in process" else [])) as server:
                server.ask("ping")
                fields = stamp(number, each, lists)
                server.start_call("cbx_update_entity", {"entity": "product", "id": number, "fields": fields})
                time.sleep(delay * chance.uniform(0.8, 1.2))
                if victim == "worker":
                    for child in children_of(server.process.pid):
                        os.kill(child, 9)
                    answered += not server.read()["result"]["isError"]
                else:
                    workers = children_of(server.process.pid)
                    server.process.kill()
                    server.process.wait()
                    for worker in workers:
                        wait_until_gone(worker)
            assert_whole(store, reader, number, lists)
    if victim == "worker":
        assert 0 < answered < len(DELAYS)
    if victim != "server":
        # The create, the first update, and those that were not killed in time.
        [row] = store.rows(f"SELECT rev FROM configbox_products WHERE id = {number}")
        assert 2 < row["rev"] < 2 + len(DELAYS)


def wait_until_gone(pid):
    """Wait for a worker that outlives its server: it ends by itself."""
    deadline = time.monotonic() + 10
    while True:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        assert time.monotonic() < deadline
        time.sleep(0.005)


def assert_whole(store, reader, number, lists):
    """Assert that a product holds one mark everywhere, and that its revision and its log agree with it."""
    record = content_of(reader.call("cbx_get_entity", {"entity": "product", "id": number}))["record"]
    marks = {record[key] for key in STAMPED}
    assert len(marks) == 1
    [mark] = marks
    assert record["product_listing_ids"] == [lists[int(mark.rpartition("-")[2]) % 2]]
    changes = store.rows(
        f"SELECT rev, after FROM configbox_changes WHERE entity = 'product' AND record = {number} ORDER BY id"
    )
    assert [row["rev"] for row in changes] == list(range(1, len(changes) + 1))
    assert record["rev"] == len(changes)
    assert f'"title_en_GB": "{mark}"' in changes[-1]["after"]
    empty = "SELECT count(*) AS empty FROM configbox_change_sets s WHERE NOT EXISTS "
    [row] = store.rows(empty + "(SELECT 1 FROM configbox_changes c WHERE c.change_set_id = s.id)")
    assert row["empty"] == 0


# --- sessions and dry runs ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", WAYS)
def test_a_dry_run_answers_as_if_done_and_keeps_nothing(store, way):
    with serve(store, way) as client:
        before = store.dump()
        answer = new_product(client, "DRY", dry_run=True)
        assert (answer["dry_run"], answer["record"]["sku"]) == (True, "DRY")
        assert "change_set" not in answer
        fields = {"baseprice": "1.00"}
        update = {"entity": "product", "id": 1, "fields": fields, "dry_run": True}
        assert str(content_of(client.call("cbx_update_entity", update))["record"]["baseprice"]) == "1.00"
        delete = {"entity": "product-list", "id": 1, "dry_run": True}
        assert "Could not delete product list" in text_of(client.call("cbx_delete_entity", delete))
        assert store.dump() == before


@pytest.mark.parametrize("way", [*WAYS, "--isolation=spawn"])
def test_all_writes_of_a_session_are_one_change_set_of_its_name(store, way):
    before = store.records()
    with serve(store, way, "--change-set=Spring prices") as client:
        first = new_product(client)
        second = new_product(client)
        fields = {"baseprice": "20.00"}
        third = content_of(client.call("cbx_update_entity", {"entity": "product", "id": first["id"], "fields": fields}))
        assert first["change_set"] == second["change_set"] == third["change_set"]
    with serve(store, way, "--change-set=Spring prices") as other:
        own = new_product(other)
        assert own["change_set"] != first["change_set"]
    listed = store.manage("changes", "list").stdout.splitlines()
    assert [line.split()[0] for line in listed[:2]] == [own["change_set"], first["change_set"]]
    assert " 3 changes " in listed[1]
    assert listed[1].endswith("stdio  Spring prices")
    for each in (own, first):
        store.manage("changes", "undo", each["change_set"])
    assert store.records() == before


def test_a_named_change_set_collects_what_names_it(store):
    with serve(store) as client:
        first = new_product(client)
        second = new_product(client, change_set=first["change_set"])
        apart = new_product(client)
        assert second["change_set"] == first["change_set"] != apart["change_set"]
        # Typed after a command, a handle must never look like an option.
        assert re.fullmatch("[0-9a-f]{32}", first["change_set"])
        refused = client.call("cbx_delete_entity", {"entity": "product", "id": apart["id"], "change_set": "nobody's"})
        assert "you have no change set with this handle" in text_of(refused)
        content_of(client.call("cbx_get_entity", {"entity": "product", "id": apart["id"]}))


# --- narrowed grants ----------------------------------------------------------------------------------------------
def test_a_read_only_server_lists_no_write_and_does_none(store):
    before = store.dump()
    with serve(store, "--read-only") as client:
        names = [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
        assert names == ["cbx_describe_entity", "cbx_get_entity", "cbx_list_entities"]
        for name, arguments in {
            "cbx_create_entity": {"fields": {"title_en_GB": "X", "title_de_DE": "X"}},
            "cbx_update_entity": {"id": 1, "fields": {"sku": "X"}},
            "cbx_delete_entity": {"id": 1},
        }.items():
            refused = client.call(name, {"entity": "product", **arguments})
            assert refused["isError"] is True
            assert text_of(refused).startswith(f"{name} needs a write scope")
        assert content_of(client.call("cbx_get_entity", {"entity": "product", "id": 1}))["record"]["id"] == 1
    assert store.dump() == before


def test_a_preset_opens_its_areas_and_no_other(store):
    before = store.dump()
    with serve(store, "--preset=author") as author, serve(store, "--preset=operator") as operator:
        settings = {"entity": "settings", "id": 1, "fields": {"active_languages": ["en-GB"]}}
        assert 'entity cannot be "settings"' in text_of(author.call("cbx_update_entity", settings))
        assert content_of(author.call("cbx_get_entity", {"entity": "settings", "id": 1}))["record"]["id"] == 1
        for name in ("cbx_get_entity", "cbx_delete_entity"):
            refused = operator.call(name, {"entity": "product", "id": 1})
            assert 'entity cannot be "product"' in text_of(refused)
    assert store.dump() == before


# --- the official client ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_does_all_that_the_tools_do(store, mode):
    before = store.records()

    async def steps(client):
        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
            return result.structured_content

        described = await call("cbx_describe_entity", entity="page")
        assert described["fields"]["required"] == ["product_id", "title_en_GB", "title_de_DE"]
        fields = {"product_id": 1, "title_en_GB": "Extras", "title_de_DE": "Zubehör"}
        created = await call("cbx_create_entity", entity="page", fields=fields)
        number = created["id"]
        listed = await call("cbx_list_entities", entity="page", filters={"product_id": 1}, sort="-id", limit=1)
        assert ([each["id"] for each in listed["items"]], listed["matched"]) == ([number], 2)
        record = (await call("cbx_get_entity", entity="page", id=number))["record"]
        assert (record["title_de_DE"], record["rev"]) == ("Zubehör", 1)
        fields = {"title_de_DE": "Extras"}
        updated = await call("cbx_update_entity", entity="page", id=number, fields=fields, rev=1)
        assert (updated["record"]["title_de_DE"], updated["record"]["rev"]) == ("Extras", 2)
        stale = await client.call_tool(
            "cbx_update_entity", {"entity": "page", "id": number, "fields": fields, "rev": 1}
        )
        assert stale.is_error
        assert "it is at rev 2, not 1" in stale.content[0].text
        deleted = await call("cbx_delete_entity", entity="page", id=number)
        assert (deleted["id"], deleted["deleted"]) == (number, True)

    parameters = StdioServerParameters(
        command=sys.executable, args=[str(ROOT / "manage.py"), "mcp", "--preset=author"], env=store.env, cwd=ROOT
    )

    async def talk():
        async with Client(stdio_client(parameters), mode=mode) as client:
            await steps(client)

    asyncio.run(talk())
    assert store.records() == before
