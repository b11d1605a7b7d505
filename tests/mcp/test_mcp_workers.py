"""Tools that misbehave harm no other call: each way, forked and in a fresh process."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from cbx_mcp.frames import MAX_PAYLOAD, PROGRESS, RESULT, BrokenFrames, FrameReader
from cbx_mcp.workers import ask
from tests.mcp.stdio_client import FIXTURE_SETTINGS, ROOT, StdioClient, assert_ends, text_of, wait_for


@pytest.fixture(scope="module", params=["fork", "spawn"])
def server(request):
    with StdioClient(f"--isolation={request.param}", stderr=subprocess.DEVNULL) as client:
        yield client


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("exit", "exit failed: its process ended with exit code 3 before it answered."),
        ("leave", "leave failed for a reason that is not yours to mend."),
        ("crash", "crash failed: its process was ended by signal SIGSEGV."),
        ("hang_briefly", "hang_briefly did not end within 0.5 seconds and was stopped."),
        ("flood", "The answer of flood would have "),
        ("long", "The answer of long would have 50012 characters"),
        ("refuse", "This cannot be done: the moon is full."),
    ],
)
def test_a_tool_that_ends_badly_is_an_error_and_the_next_call_works(server, name, sentence):
    result = server.call(name)
    assert result["isError"] is True
    assert text_of(result).startswith(sentence)
    assert server.call("echo", {"text": "still here"})["structuredContent"]["arguments"] == {"text": "still here"}


def test_a_tool_that_returns_no_number_harms_nothing():
    with StdioClient() as client:
        answer = client.ask("tools/call", {"name": "nan"})
        assert answer["error"]["code"] == -32603
        assert client.call("echo")["isError"] is False


def test_calls_that_run_beside_one_that_dies_are_answered():
    with StdioClient() as client:
        slow = client.start_call("sleep", {"number": 0.8})
        dying = [client.start_call(name) for name in ("crash", "exit", "hang_briefly")]
        answers = {answer["id"]: answer["result"]["isError"] for answer in (client.read() for _ in range(4))}
    assert answers == {slow: False, **dict.fromkeys(dying, True)}


def test_a_deadline_stops_the_whole_group(tmp_path):
    with StdioClient() as client:
        assert client.call("hang_briefly", {"text": str(tmp_path / "pid")})["isError"] is True
        assert_ends(int((tmp_path / "pid").read_text()))


def children_of(pid):
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends some seconds after its deadline")
def test_a_fresh_process_ends_with_a_killed_server(tmp_path):
    with StdioClient("--isolation=spawn") as client:
        client.start_call("hang", {"text": str(tmp_path / "pid")})
        wait_for(tmp_path / "pid")
        (worker,) = children_of(client.process.pid)
        (fresh,) = children_of(worker)
        client.process.kill()
        client.process.wait(5)
        try:
            assert_ends(worker)
            assert_ends(fresh)
        finally:
            # What the tool itself started is in the worker's group and outlives a server that could not end it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker, signal.SIGKILL)


def test_a_flat_list_of_millions_is_refused_in_words_and_soon():
    with StdioClient() as client:
        started = time.monotonic()
        text = text_of(client.call("echo", {"words": [1] * 1_300_000}))
        assert "words may have at most 10000 entries, got 1300000." in text
        assert time.monotonic() - started < 60


def test_a_process_left_behind_holds_up_no_answer():
    with StdioClient() as client:
        started = time.monotonic()
        assert "exit code 5" in text_of(client.call("daemon"))
        assert time.monotonic() - started < 20


def test_garbage_in_the_pipe_stops_the_call_alone():
    with StdioClient() as client:
        assert "disturbed the line to the server" in text_of(client.call("break_frames"))
        assert client.call("echo")["isError"] is False


def test_a_dead_call_has_its_audit_line_too():
    with StdioClient("--preset=author") as client:
        client.call("crash")
        _, _, errors = client.finish()
    (line,) = [line for line in errors.decode().splitlines() if "configbox.authorization" in line]
    assert "tool=crash caller=stdio scopes=catalog:write,store:read outcome=error ms=" in line


@pytest.mark.parametrize("option", ["--isolation=fork", "--in-process"])
def test_progress_arrives_before_the_answer_and_only_if_asked_for(option):
    with StdioClient(option) as client:
        number = client.request("tools/call", {"name": "progress", "_meta": {"progressToken": "t"}})
        seen = [client.read() for _ in range(5)]
        assert [note["params"]["progress"] for note in seen[:4]] == [1, 2, 3, 4]
        assert seen[4]["id"] == number
        assert client.call("progress")["structuredContent"] == {"done": True}


@pytest.fixture(scope="module")
def database(request, tmp_path_factory):
    """The address of a migrated database that several processes can open: the suite's own, or an SQLite file."""
    if connection.vendor == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('database')}/store.sqlite3"
        manage(url, "migrate", "--verbosity=0", "--skip-checks")
        yield url
        return
    request.getfixturevalue("django_db_setup")
    parts = urlsplit(os.environ["DATABASE_URL"])
    yield parts._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


# Other processes write too, so nothing may run inside a test's own transaction.
on_shared_database = pytest.mark.django_db(transaction=True)


def manage(url, *arguments):
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": FIXTURE_SETTINGS, "MCP_TEST_DATABASE_URL": url}
    subprocess.run([sys.executable, ROOT / "manage.py", *arguments], check=True, env=environment, cwd=ROOT)


def add_group(url, name):
    manage(url, "shell", "-c", f"from django.contrib.auth.models import Group; Group.objects.create(name={name!r})")


@on_shared_database
@pytest.mark.parametrize("option", ["--isolation=fork", "--in-process"])
def test_what_another_process_writes_is_seen_by_the_next_read(option, database):
    with StdioClient(option, env={"MCP_TEST_DATABASE_URL": database}) as client:
        before = client.call("count")["structuredContent"]["groups"]
        add_group(database, f"added beside {option}")
        assert client.call("count")["structuredContent"]["groups"] == before + 1


@on_shared_database
@pytest.mark.parametrize("option", ["--isolation=fork", "--in-process"])
def test_row_37_no_connection_is_carried_from_call_to_call(option, database):
    with StdioClient(option, env={"MCP_TEST_DATABASE_URL": database}) as client:
        client.call("count")
        assert client.ask("ping")["result"] == {}
        opened = [os.readlink(each) for each in Path(f"/proc/{client.process.pid}/fd").iterdir()]
    assert len(opened) > 3
    assert not [each for each in opened if "store.sqlite3" in each or each.startswith("socket:")]


@on_shared_database
@pytest.mark.parametrize("how", ["kill", "cancel"])
def test_ending_a_write_half_way_leaves_nothing_of_it(how, database, tmp_path):
    with StdioClient(env={"MCP_TEST_DATABASE_URL": database}) as client:
        before = client.call("count")["structuredContent"]["groups"]
        number = client.start_call("write_and_hang", {"text": str(tmp_path / "half")})
        wait_for(tmp_path / "half")
        if how == "kill":
            client.process.terminate()
            client.process.wait(5)
        else:
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    with StdioClient(env={"MCP_TEST_DATABASE_URL": database}) as client:
        assert client.call("count")["structuredContent"]["groups"] == before


def test_an_unmigrated_database_is_said_on_opening_and_by_the_tools_that_need_it():
    with StdioClient() as client:
        # An opening waits a quarter of a second for the database; on a busy machine one of several makes it.
        for _ in range(20):
            opened = client.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]
            if "python manage.py migrate" in opened["instructions"]:
                break
        assert opened["instructions"].startswith("The database of this store lacks ")
        assert text_of(client.call("count")).startswith("count cannot run now. The database of this store lacks ")
        assert client.call("echo")["isError"] is False


@on_shared_database
def test_a_migrated_database_is_not_mentioned(database):
    with StdioClient(env={"MCP_TEST_DATABASE_URL": database}) as client:
        opened = client.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]
        assert "database" not in opened["instructions"]


# --- the parts --------------------------------------------------------------------------------------------------


def test_frames_come_together_from_any_pieces():
    data = b"P\0\0\0\2hiR\0\0\0\0P\0\0\0\1x"
    for size in (1, 3, len(data)):
        reader = FrameReader()
        frames = [frame for start in range(0, len(data), size) for frame in reader.feed(data[start : start + size])]
        assert frames == [(PROGRESS, b"hi"), (RESULT, b""), (PROGRESS, b"x")]


@pytest.mark.parametrize("data", [b"X\0\0\0\1x", b"R" + (MAX_PAYLOAD + 1).to_bytes(4, "big")])
def test_what_begins_no_frame_is_refused_at_once(data):
    with pytest.raises(BrokenFrames):
        FrameReader().feed(data)


def test_a_question_is_answered_in_a_worker_or_not_in_time():
    assert ask(lambda: "yes", 5) == "yes"
    assert ask(lambda: None, 5) is None
    started = time.monotonic()
    assert ask(lambda: time.sleep(60) or "late", 0.2) is None
    assert time.monotonic() - started < 20
