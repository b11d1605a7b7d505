"""Streams, deadlines, dying processes and several workers: the MCP address served by gunicorn as in production."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import LONG_SWEEPS
from tests.mcp.http_server import message, minted, served
from tests.mcp.stdio_client import MODERN, assert_ends, modern_meta, text_of, wait_for
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

# gunicorn's timeout in seconds for the tests of deadlines, and when a call is ended then.
TIMEOUT, LIMIT = 8, 4


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("served")) as store:
        yield store


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    with served(store, tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def hasty(store, tmp_path_factory):
    """A server that kills a worker which has not answered for some seconds."""
    with served(store, tmp_path_factory.mktemp("hasty"), HTTP_TIMEOUT=str(TIMEOUT)) as server:
        yield server


def groups(store):
    return [row["name"] for row in store.rows("SELECT name FROM auth_group")]


def child_in(path):
    wait_for(path)
    return int(path.read_text())


# --- streams ------------------------------------------------------------------------------------------------------
def test_row_33_progress_comes_as_events_while_the_call_runs(server):
    stream = server.watch("progress")
    assert stream.response.status == 200
    assert stream.headers["Content-Type"] == "text/event-stream"
    assert stream.headers["X-Accel-Buffering"] == "no"
    assert stream.headers["Cache-Control"] == "no-cache, no-transform"
    assert "Content-Encoding" not in stream.headers
    first = stream.message()
    assert first == {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": "p", "progress": 1, "total": 3, "message": "step 1"},
    }
    assert [stream.message()["params"]["progress"] for _ in range(3)] == [2, 3, 4]
    answer = stream.message()
    assert (answer["id"], answer["result"]["structuredContent"]) == (1, {"done": True})
    assert stream.block() == ""
    stream.close()


def test_a_call_that_tells_nothing_is_answered_as_json(server):
    stream = server.watch("echo", {"text": "x"})
    assert stream.headers["Content-Type"] == "application/json"
    assert json.loads(stream.response.read())["result"]["structuredContent"]["arguments"] == {"text": "x"}
    stream.close()


def test_an_answer_without_progress_is_a_stream_where_only_events_are_taken(server):
    params = {"name": "echo", "arguments": {"text": "x"}, "_meta": {"progressToken": "p"}}
    answer = server.send(message("tools/call", params), Accept="text/event-stream")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream")
    assert answer.body.startswith(b"event: message\ndata: {")
    assert answer.body.count(b"data: ") == 1


def test_row_31_a_closed_stream_ends_its_call_and_keeps_nothing_of_it(server, store, tmp_path):
    """One client goes after the first event, another before anything came; both processes have a child."""
    before = server.pids()
    told = server.watch("write_tell_and_hang", {"text": str(tmp_path / "told")})
    assert told.message()["params"]["message"] == "half"
    silent = server.start("hang", {"text": str(tmp_path / "silent")}, watched=True)
    children = [child_in(tmp_path / "told"), child_in(tmp_path / "silent")]
    silent.close()
    # Nothing more is told, so the stream is kept alive by comments.
    assert told.block() == ": the call goes on\n"
    told.close()
    for child in children:
        assert_ends(child, 40)
    assert server.pids() == before
    assert server.call("process")["structuredContent"]["pid"] in before
    assert groups(store) == []
    assert "Traceback" not in server.log
    ended = [line for line in server.log.splitlines() if "outcome=cancelled" in line]
    assert sorted(line.split("tool=")[1].split()[0] for line in ended) == ["hang", "write_tell_and_hang"]


# --- deadlines ----------------------------------------------------------------------------------------------------
TOO_LONG = (
    f" did not end within {LIMIT} seconds and was stopped. What it had not completed was rolled back. "
    "Read the records concerned before you try again. Ask for less at once."
)


def test_a_call_over_its_deadline_is_answered_before_its_process_would_be_killed(hasty, store, tmp_path):
    before = hasty.pids()
    slow = [hasty.start("sleep", {"number": 600}), hasty.start("write_and_hang", {"text": str(tmp_path / "row")})]
    for call, name in zip(slow, ("sleep", "write_and_hang"), strict=True):
        result = call.result()
        assert (result["isError"], text_of(result)) == (True, name + TOO_LONG)
    assert groups(store) == []
    assert_still_served_by(hasty, before)


def test_a_watched_call_over_its_deadline_is_answered_too(hasty, store, tmp_path):
    before = hasty.pids()
    told = hasty.watch("write_tell_and_hang", {"text": str(tmp_path / "told")})
    assert told.message()["params"]["progress"] == 1
    child = child_in(tmp_path / "told")
    silent = hasty.start("hang", {"text": str(tmp_path / "silent")}, watched=True)
    assert text_of(silent.result()) == "hang" + TOO_LONG
    result = told.message()["result"]
    assert (result["isError"], text_of(result)) == (True, "write_tell_and_hang" + TOO_LONG)
    assert told.block() == ""
    assert_ends(child)
    assert_ends(child_in(tmp_path / "silent"))
    assert groups(store) == []
    assert_still_served_by(hasty, before)


def test_a_tool_may_set_a_shorter_deadline(hasty, tmp_path):
    started = time.monotonic()
    told = text_of(hasty.start("hang_briefly", {"text": str(tmp_path / "child")}, watched=True).result())
    assert told.startswith("hang_briefly did not end within 0.5 seconds and was stopped.")
    assert time.monotonic() - started < LIMIT
    assert_ends(child_in(tmp_path / "child"))


def assert_still_served_by(server, pids):
    """Assert that the same processes serve, each of them, and that none was killed meanwhile."""
    assert set(server.each_worker()) == pids
    assert "WORKER TIMEOUT" not in server.log
    assert "SIGKILL" not in server.log


# --- dying processes ----------------------------------------------------------------------------------------------
def test_a_tool_that_ends_its_watched_process_is_told_as_an_error(server):
    before = server.pids()
    for name, said in (
        ("crash", "crash failed: its process was ended by signal SIGSEGV. What"),
        ("exit", "exit failed: its process ended with exit code 3 before it answered"),
        ("daemon", "daemon failed: its process ended with exit code 5 before it answered"),
        ("break_frames", "break_frames was stopped: it disturbed the line to the server"),
        ("leave", "leave failed for a reason that is not yours to mend"),
    ):
        result = server.start(name, watched=True).result()
        assert result["isError"] is True
        assert text_of(result).startswith(said)
    assert server.pids() == before


def test_a_tool_that_ends_the_servers_process_harms_no_other_call(server):
    """Without a client that listens to progress a call runs in the server's own process, which is made anew."""
    before = server.pids()
    hold = server.hold()
    with pytest.raises(ConnectionError):
        server.call("crash")
    assert server.call("echo", {"text": "next"})["structuredContent"]["arguments"] == {"text": "next"}
    hold.release()
    after = server.pids()
    assert len(after) == 2
    assert before & after == {hold.pid}
    assert set(server.each_worker()) == after


def test_a_tool_that_leaves_is_an_error_in_the_servers_process_too(server):
    before = server.pids()
    assert server.call("leave")["isError"] is True
    assert server.call("fail")["isError"] is True
    assert server.post("tools/call", {"name": "nan"}).document["error"]["code"] == -32603
    assert server.pids() == before


# --- several workers ----------------------------------------------------------------------------------------------
def test_row_22_what_begins_on_one_worker_goes_on_on_another(server):
    answers = []
    for pid in server.each_worker():
        opened = server.post("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
        assert opened.result["protocolVersion"] == "2025-06-18"
        assert "Mcp-Session-Id" not in opened.headers
        assert server.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})).status == 202
        answers.append((pid, server.call("process")["structuredContent"]["pid"], server.post("tools/list").body))
    (first, first_said, one_list), (second, second_said, other_list) = answers
    assert (first, second) == (first_said, second_said)
    assert first != second
    assert one_list == other_list


CHANGE = """
import json, sys
from datetime import timedelta
from django.utils import timezone
from configbox.access.grants import parse_scopes
from configbox.access.models import Token
from configbox.access.tokens import narrow, revoke
revoked, narrowed, expired = (Token.objects.get(pk=text.split("_")[1]) for text in json.load(sys.stdin))
revoke(revoked, by="test")
narrow(narrowed, parse_scopes(["catalog:read"]), by="test")
Token.objects.filter(pk=expired.pk).update(expires=timezone.now() - timedelta(seconds=1))
"""


def test_what_another_process_does_to_a_token_counts_at_the_next_request_on_each_worker(server, store):
    tokens = minted(store, ["catalog:write"], ["catalog:write"], ["catalog:write"])
    revoked, narrowed, expired = tokens
    update = {"entity": "product", "id": 1, "fields": {}}

    def tool_names(secret):
        return {tool["name"] for tool in server.post("tools/list", secret=secret).result["tools"]}

    for pid in server.each_worker():
        for secret in tokens:
            assert server.call("process", secret=secret)["structuredContent"]["pid"] == pid
            assert "cbx_update_entity" in tool_names(secret)
    store.manage("shell", "--no-imports", "--verbosity=0", "-c", CHANGE, input=json.dumps(tokens))
    for pid in server.each_worker():
        for secret, said in ((revoked, "This token was revoked."), (expired, "This token expired at ")):
            refused = server.post("tools/list", secret=secret)
            assert (refused.status, refused.headers["WWW-Authenticate"]) == (
                401,
                'Bearer realm="configbox", error="invalid_token"',
            )
            assert refused.document["error"]["message"].startswith(said)
        assert server.call("process", secret=narrowed)["structuredContent"]["pid"] == pid
        assert "cbx_update_entity" not in tool_names(narrowed)
        result = server.call("cbx_update_entity", update, secret=narrowed)
        assert result["isError"] is True
        assert text_of(result).startswith("cbx_update_entity needs a write scope")
    for secret in tokens:
        assert secret.split("_", 2)[2] not in server.log


# --- the database -------------------------------------------------------------------------------------------------
CUT = """
from django.contrib.auth.models import Group
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute(
        "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id != CONNECTION_ID()"
    )
    for number, in cursor.fetchall():
        cursor.execute(f"KILL {number}")
Group.objects.create(name="behind its back")
"""


def test_row_37_a_database_that_was_exchanged_or_cut_off_is_found_again(tmp_path):
    with own_store(tmp_path) as store:
        # A kept connection to a file goes on with that file, whatever takes its name: none is kept for this test.
        is_mariadb = store.url.startswith("mysql:")
        url = store.url if is_mariadb else f"{store.url}?conn_max_age=0"
        with served(store, tmp_path, DATABASE_URL=url) as server:
            for _ in server.each_worker():
                assert server.call("count")["structuredContent"] == {"groups": 0}
            if is_mariadb:
                store.manage("shell", "--no-imports", "--verbosity=0", "-c", CUT)
            else:
                exchange(Path(store.url.removeprefix("sqlite:///")))
            for _ in server.each_worker():
                assert server.call("count")["structuredContent"] == {"groups": 1}
            assert "Traceback" not in server.log


def exchange(path):
    """Put another file in place of a database: a copy with one row more."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(f"{path}.new")) as target:
        source.backup(target)
        target.execute("INSERT INTO auth_group (name) VALUES ('behind its back')")
        target.commit()
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    Path(f"{path}.new").replace(path)


# --- what only a real connection shows ----------------------------------------------------------------------------
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
LIST = message("tools/list", {"_meta": modern_meta()}).encode()
HEAD = "POST /cb-api/v1/mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"


def body_of(response):
    return json.loads(response.partition(b"\r\n\r\n")[2])


def test_the_names_of_headers_are_read_in_any_case(server):
    for change in (str.lower, str.upper, str.swapcase):
        names = [
            "Host", "Authorization", "Accept", "Content-Type", "Content-Length", "MCP-Protocol-Version", "Mcp-Method",
        ]  # fmt: skip
        values = ["localhost", "Bearer {secret}", "application/json", "application/json", len(LIST), MODERN]
        values.append("tools/list")
        lines = [f"{change(name)}: {value}" for name, value in zip(names, values, strict=True)]
        answer = body_of(server.raw("\n".join(["POST /cb-api/v1/mcp HTTP/1.1", *lines, ""]), LIST))
        assert answer["result"]["resultType"] == "complete"


def test_two_authorization_headers_are_none(server):
    twice = "Authorization: Bearer {secret}\n" * 2
    response = server.raw(f"{HEAD}{twice}Content-Length: {len(PING)}\n", PING)
    assert response.startswith(b"HTTP/1.1 401 ")
    assert body_of(response)["error"]["message"] == "This token is not valid."


def test_a_message_without_its_length_is_refused(server):
    pieces = b"%x\r\n%s\r\n0\r\n\r\n" % (len(PING), PING)
    response = server.raw(HEAD + "Authorization: Bearer {secret}\nTransfer-Encoding: chunked\n", pieces)
    assert response.startswith(b"HTTP/1.1 411 ")
    assert body_of(response)["error"]["message"] == "Send the message whole, with its Content-Length."
    # Without either there is no message at all.
    response = server.raw(HEAD + "Authorization: Bearer {secret}\n")
    assert response.startswith(b"HTTP/1.1 400 ")
    assert body_of(response)["error"]["code"] == -32700


def test_row_19_no_method_opens_a_stream(server):
    for method in ("GET", "DELETE"):
        head = f"{method} /cb-api/v1/mcp HTTP/1.1\nHost: localhost\nAccept: text/event-stream\n"
        response = server.raw(head)
        assert response.startswith(b"HTTP/1.1 405 ")
        assert b"\r\nAllow: POST\r\n" in response
        assert body_of(response)["error"]["code"] == -32600


# --- for a long time ----------------------------------------------------------------------------------------------
ROUNDS = 2_000 if LONG_SWEEPS else 300
# Python's own arenas and SQLite's cache move by some megabytes; a leak of a kilobyte per request would be seen
# in the long sweep, one of ten in the short one.
MAX_GROWTH = 6_000_000


def memory(pid):
    """Return the bytes a process holds for itself."""
    fields = Path(f"/proc/{pid}/statm").read_text().split()
    return (int(fields[1]) - int(fields[2])) * 4096


def test_memory_stays_flat_over_many_requests(server):
    def one_round():
        server.post("initialize", {"protocolVersion": "2025-11-25"})
        server.post("tools/list")
        server.call("cbx_describe_entity", {"entity": "product"})
        server.call("cbx_list_entities", {"entity": "currency"})
        assert server.call("cbx_get_entity", {"entity": "product", "id": 999})["isError"] is True
        assert server.send("[" * 10_000).status == 400
        assert server.send(PING, Authorization="Bearer x").status == 401

    for _ in range(60):
        one_round()
    pids = server.pids()
    before = {pid: memory(pid) for pid in pids}
    for _ in range(ROUNDS):
        one_round()
    assert server.pids() == pids
    for pid in pids:
        assert memory(pid) - before[pid] < MAX_GROWTH
