"""The official SDK's client against the served address, in its three modes."""

import asyncio

import pytest
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from tests.mcp.http_server import served
from tests.mcp.node_programs import url
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("sdk")) as store:
        store.manage("load_demo")
        with served(store, tmp_path_factory.mktemp("server")) as server:
            yield server


@pytest.mark.parametrize("mode", MODES)
def test_the_client_lists_calls_is_refused_and_sees_progress(server, mode):
    seen = []

    async def note(progress, total, message):
        seen.append((progress, total, message))

    async def talk():
        headers = {"Authorization": f"Bearer {server.secret}"}
        async with (
            create_mcp_http_client(headers) as http_client,
            Client(streamable_http_client(url(server), http_client=http_client), mode=mode) as client,
        ):
            listed = await client.list_tools()
            pages = await client.call_tool("cbx_list_entities", {"entity": "page"})
            absent = await client.call_tool("cbx_get_entity", {"entity": "page", "id": 999999})
            told = await client.call_tool("progress", {}, progress_callback=note)
            return client.protocol_version, listed, pages, absent, told

    revision, listed, pages, absent, told = asyncio.run(talk())
    assert revision == MODES[mode]
    assert [tool.name for tool in listed.tools] == [tool["name"] for tool in server.post("tools/list").result["tools"]]
    assert (pages.is_error, pages.structured_content["total"]) == (False, 2)
    assert (absent.is_error, absent.content[0].text) == (True, "No page found with id 999999.")
    assert told.structured_content == {"done": True}
    assert seen == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3"), (4, 4, None)]
