"""Clients that others wrote, under Node, against the same store over both transports."""

import json

import pytest

from tests.mcp.http_server import served
from tests.mcp.node_programs import FOLDER, PACKAGES, installed, node, run, stdio_command, stdio_env, url
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

SETTINGS = "tests.mcp.settings_http_server"
INSPECTOR = PACKAGES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
TRANSPORTS = ("http", "stdio")
ABSENT = "No page found with id 999999."
STEPS = [{"progress": step, "total": 3, "message": f"step {step}"} for step in (1, 2, 3)]
LAST_STEP = [{"progress": 4, "total": 4}]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("clients")) as store:
        store.manage("load_demo")
        yield store


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    with served(store, tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def pages(store):
    """The answer that a program gets which asks the store itself."""
    answer = store.call("cbx_list_entities", entity="page")
    assert [page["title_en_GB"] for page in answer["items"]] == ["Configuration", "Every question type"]
    return answer


def names_of(server):
    names = [tool["name"] for tool in server.post("tools/list").result["tools"]]
    assert {"cbx_list_entities", "cbx_get_entity", "progress"} < set(names)
    return names


# --- libraries ----------------------------------------------------------------------------------------------------
CLIENTS = [
    ("typescript_sdk_v1", None, "2025-11-25"),
    ("typescript_sdk_v2", "legacy", "2025-11-25"),
    ("typescript_sdk_v2", "auto", "2026-07-28"),
    ("typescript_sdk_v2", "2026-07-28", "2026-07-28"),
    ("ai_sdk", "legacy", "2025-11-25"),
    ("ai_sdk", "auto", "2026-07-28"),
]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(("script", "mode", "revision"), CLIENTS)
def test_a_library_connects_lists_calls_is_refused_and_sees_progress(
    store, server, pages, tmp_path, script, mode, revision, transport
):
    where = ["--url", url(server), "--token", server.secret] if transport == "http" else ["--stdio"]
    options = ["--mode", mode] if mode else []
    command = [node(), str(FOLDER / f"{script}.mjs"), *where, *options]
    if transport == "stdio":
        command += ["--", *stdio_command()]
    found = json.loads(run(command, tmp_path, stdio_env(store, SETTINGS)).stdout)

    revisions = {revision}
    if transport == "stdio":
        # The first SDK's transport does not say what was negotiated, and a client that finds out for itself waits only
        # so long for a process that starts: on a busy machine it then opens the older way.
        revisions = (
            {None} if script == "typescript_sdk_v1" else revisions | ({"2025-11-25"} if mode == "auto" else set())
        )
    assert found.get("revision") in revisions
    assert found["tools"] == names_of(server)
    assert found["pages"] == {"isError": False, "content": pages}
    assert found["absent"] == {"isError": True, "content": [{"type": "text", "text": ABSENT}]}
    assert found["told"]["content"] == {"done": True}
    seen = found["told"]["progress"]
    if script == "ai_sdk":
        assert seen == []
    elif transport == "http":
        assert seen == STEPS + LAST_STEP
    else:
        # Of what comes at once over stdio, the TypeScript SDKs handle the answer first and lose progress before it.
        assert seen in (STEPS, STEPS + LAST_STEP)


# --- Inspector ----------------------------------------------------------------------------------------------------
def inspect(store, server, home, transport, era, *options, exits=0):
    """Run the Inspector for one method and return its result and what it said about it."""
    program = [node(), installed(INSPECTOR), "--cli"]
    # Its options with several values take all that follows up to the next option, so the server's command comes last.
    chosen = [*options, "--format", "json", "--protocol-era", era, "--transport", transport]
    if transport == "http":
        command = [*program, url(server), "--header", f"Authorization: Bearer {server.secret}", *chosen]
    else:
        env = [part for name, value in stdio_env(store, SETTINGS).items() for part in ("-e", f"{name}={value}")]
        command = [*program, *env, "--quiet", *chosen, *stdio_command()]
    done = run(command, home, exits=exits)
    return json.loads(done.stdout)["result"], done.stderr


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_nothing_wrong_and_calls(store, server, pages, tmp_path, era, transport):
    def inspected(*options, exits=0):
        return inspect(store, server, tmp_path, transport, era, *options, exits=exits)

    listed, said = inspected("--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == names_of(server)
    assert said == ""

    call = ("--method", "tools/call", "--tool-name")
    called, said = inspected(*call, "cbx_list_entities", "--tool-arg", "entity=page")
    assert (called["isError"], called["structuredContent"], said) == (False, pages, "")

    told, said = inspected(*call, "progress")
    assert (told["structuredContent"], said) == ({"done": True}, "")

    arguments = '{"entity": "page", "id": 999999}'
    refused, said = inspected(*call, "cbx_get_entity", "--tool-args-json", arguments, exits=5)
    assert (refused["isError"], refused["content"]) == (True, [{"type": "text", "text": ABSENT}])
    assert json.loads(said)["error"]["code"] == "tool_is_error"
