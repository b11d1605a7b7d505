"""The stdio transport over real pipes: the rows of the reported-failures table that concern it, by number."""

import json
import resource
import signal
import time

import pytest

from tests.mcp.stdio_client import MODERN, StdioClient, assert_ends, modern_meta, text_of, wait_for

PING = b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n'


@pytest.fixture(scope="module")
def server():
    """One server for the tests that leave it as they found it."""
    with StdioClient() as client:
        yield client


def test_row_1_nothing_but_messages_reaches_standard_output():
    with StdioClient() as client:
        client.start_call("pollute")
        answer = client.read_line()
        assert json.loads(answer)["result"]["structuredContent"] == {"polluted": True}
        code, rest, errors = client.finish()
    assert (code, rest) == (0, b"")
    for text in (b"printed", b"written to the original stream", b"written to descriptor 1", b"written by a child"):
        assert errors.count(text + b"\n") == 1


def test_row_1_holds_in_process_too():
    with StdioClient("--in-process") as client:
        assert client.call("pollute")["structuredContent"] == {"polluted": True}
        code, rest, errors = client.finish()
    assert (code, rest) == (0, b"")
    assert b"written by a child\n" in errors


def test_row_2_notifications_get_no_byte(server):
    for method in ("notifications/initialized", "notifications/unknown", "tools/call"):
        server.send({"jsonrpc": "2.0", "method": method, "params": {"name": "fail"}})
    assert server.is_silent()
    assert server.ask("ping")["result"] == {}


def test_row_6_an_unknown_method_is_refused_before_initialize():
    with StdioClient() as client:
        assert client.ask("nonsense")["error"]["code"] == -32601


def test_row_7_discover_and_initialize_back_to_back_are_both_answered():
    # How soon is measured by bench/start.py.
    with StdioClient() as client:
        discover = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": modern_meta()}}
        opening = {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
        client.send_bytes(json.dumps(discover).encode() + b"\n" + json.dumps(opening).encode() + b"\n")
        assert client.read()["result"]["supportedVersions"] == [MODERN]
        assert client.read()["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("modern", [False, True])
def test_both_eras_are_served_by_one_process(server, modern):
    answer = server.ask("tools/call", {"name": "echo", "arguments": {"whole": "5"}}, modern=modern)
    assert answer["result"]["structuredContent"]["arguments"] == {"whole": 5}
    assert ("resultType" in answer["result"]) is modern


def test_row_13_answers_hold_no_null(server):
    server.ask("tools/list")
    number = server.start_call("echo", {"text": "x"})
    line = server.read_line()
    assert json.loads(line)["id"] == number
    assert b"null" not in line


def test_row_25_marks_and_line_ends_are_taken_and_faults_end_nothing(server):
    server.send_bytes(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n')
    assert server.read_line() == b'{"jsonrpc": "2.0", "id": 1, "result": {}}\n'
    for wrong in (b"{bad\n", b"\xff\xfe\n", b'{"jsonrpc":"2.0","id":1\n'):
        server.send_bytes(wrong)
        answer = server.read()
        assert answer["error"]["code"] == -32700
        assert "id" not in answer
    server.send_bytes(b"\n  \n\r\n" + PING)
    assert server.read()["id"] == "p"


def test_row_25_the_last_line_needs_no_newline():
    with StdioClient() as client:
        client.send_bytes(PING.rstrip())
        code, out, _ = client.finish()
    assert (code, out) == (0, b'{"jsonrpc": "2.0", "id": "p", "result": {}}\n')


def test_row_27_output_is_plain_ascii_and_odd_line_ends_split_nothing(server):
    text = "a\u2028b\u2029c\x85d\x0be\u00fc\U0001f600\n"
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": text}},
    }
    server.send_bytes(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    line = server.read_line()
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"]["structuredContent"]["arguments"]["text"] == text


def test_case_g32_output_is_the_same_in_a_plain_locale():
    with StdioClient(env={"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}) as client:
        assert client.call("echo", {"text": "Größe"})["structuredContent"]["arguments"]["text"] == "Größe"


def test_row_28_an_idle_server_ends_at_the_end_of_its_input():
    with StdioClient() as client:
        client.ask("ping")
        started = time.monotonic()
        code, out, errors = client.finish()
        assert time.monotonic() - started < 4
    assert (code, out, errors) == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_row_28_a_signal_ends_the_server_and_its_calls(number, busy, tmp_path):
    with StdioClient() as client:
        client.ask("ping")
        if busy:
            client.start_call("hang", {"text": str(tmp_path / "pid")})
            wait_for(tmp_path / "pid")
        started = time.monotonic()
        client.process.send_signal(number)
        client.process.wait(5)
        assert time.monotonic() - started < 4
        assert b"Traceback" not in client.process.stderr.read()
    if busy:
        assert_ends(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("option", ["--isolation=fork", "--in-process"])
def test_row_28_a_closed_output_ends_the_server_quietly(option):
    with StdioClient(option) as client:
        client.ask("ping")
        client.process.stdout.close()
        client.send_bytes(PING)
        assert client.process.wait(5) == 0
        assert client.process.stderr.read() == b""


def test_calls_that_run_when_the_input_ends_are_answered():
    with StdioClient() as client:
        for _ in range(6):
            client.start_call("sleep", {"number": 0.3})
        code, out, _ = client.finish()
    assert code == 0
    assert {json.loads(line)["id"] for line in out.splitlines()} == {1, 2, 3, 4, 5, 6}


def test_calls_that_do_not_end_after_the_input_are_given_up():
    with StdioClient() as client:
        client.start_call("hang")
        started = time.monotonic()
        code, out, errors = client.finish()
        assert 4 < time.monotonic() - started < 60
    assert (code, out) == (0, b"")
    assert b"tool=hang caller=stdio" in errors
    assert b"outcome=cancelled" in errors


def test_row_29_a_batch_is_one_error(server):
    for batch in (b"[]\n", b"[" + PING.strip() + b"," + PING.strip() + b"]\n"):
        server.send_bytes(batch)
        answer = server.read()
        assert answer["error"]["code"] == -32600
        assert "id" not in answer
    assert server.is_silent()


def test_row_31_a_cancelled_call_is_stopped_and_never_answered(tmp_path):
    with StdioClient() as client:
        number = client.start_call("hang", {"text": str(tmp_path / "pid")})
        wait_for(tmp_path / "pid")
        for unknown in (99, str(number), None, [], True):
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": unknown}})
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        assert_ends(int((tmp_path / "pid").read_text()))
        assert client.ask("ping")["result"] == {}
        code, out, errors = client.finish()
    assert (code, out) == (0, b"")
    assert errors.count(b"outcome=cancelled") == 1


def test_row_31_a_call_that_waits_can_be_cancelled_too():
    with StdioClient() as client:
        for _ in range(4):
            client.start_call("sleep", {"number": 0.5})
        number = client.start_call("echo")
        client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        assert sorted(client.read()["id"] for _ in range(4)) == [1, 2, 3, 4]
        assert client.is_silent(0.5)


def test_row_32_ping_is_answered_while_every_place_is_taken():
    with StdioClient() as client:
        for _ in range(5):
            client.start_call("sleep", {"number": 30})
        client.ask("ping", seconds=20)
        assert client.ask("tools/list", seconds=20)["result"]["tools"]


def test_four_calls_run_at_once_and_further_ones_wait_their_turn():
    with StdioClient() as client:
        slow = [client.start_call("sleep", {"number": 5}) for _ in range(3)]
        assert client.call("echo")["isError"] is False
        slow.append(client.start_call("sleep", {"number": 5}))
        quick = [client.start_call("echo") for _ in range(2)]
        assert client.is_silent(0.5)
        answered = [client.read()["id"] for _ in range(6)]
    assert answered[0] in slow
    assert sorted(answered) == sorted([*slow, *quick])


def test_row_38_a_line_beyond_measure_is_one_error_and_costs_no_memory():
    with StdioClient() as client:
        client.ask("ping")
        before = memory_of(client.process.pid)
        for _ in range(60):
            client.send_bytes(b"x" * 1_000_000)
        client.send_bytes(b"\n" + PING)
        answer = client.read()
        assert answer["error"] == {"code": -32600, "message": "A message may have at most 4 MB."}
        assert "id" not in answer
        assert client.read()["id"] == "p"
        assert memory_of(client.process.pid) - before < 20_000


def test_row_38_deep_nesting_ends_nothing(server):
    server.send_bytes(b"[" * 100_000 + b"\n" + PING)
    assert server.read()["error"]["code"] == -32700
    assert server.read()["id"] == "p"


def test_a_client_that_writes_much_before_it_reads_blocks_nobody():
    with StdioClient() as client:
        client.send_bytes(b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list"}\n' % each for each in range(600)))
        assert [client.read()["id"] for _ in range(600)] == list(range(600))


def test_a_client_that_never_reads_standard_error_blocks_nobody():
    with StdioClient() as client:
        # The flood fills the pipe of standard error, so its worker stands still; the others' log lines are dropped.
        client.start_call("flood")
        time.sleep(0.3)
        for _ in range(3):
            assert client.call("echo")["isError"] is False


def test_input_may_be_a_file(tmp_path):
    (tmp_path / "in").write_bytes(PING)
    with (tmp_path / "in").open("rb") as source, StdioClient(stdin=source) as client:
        assert client.read()["id"] == "p"
        assert client.process.wait(5) == 0


def test_answers_of_calls_carry_the_id_as_sent(server):
    for number in (0, "", "a-1", 2**63):
        server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "echo"}})
        answer = server.read()
        assert (answer["id"], type(answer["id"])) == (number, type(number))


def test_the_parent_holds_no_database_and_says_when_it_cannot_be_reached(tmp_path):
    with StdioClient(env={"MCP_TEST_DATABASE_URL": f"sqlite:///{tmp_path}/missing/folder.sqlite3"}) as client:
        opened = client.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]
        assert opened["instructions"].startswith("The database of this store cannot be reached (OperationalError).")
        assert client.ask("tools/list")["result"]["tools"]
        assert "cannot be reached" in text_of(client.call("count"))
        assert client.call("echo")["isError"] is False


def memory_of(pid):
    """Return the resident memory of a process in KB."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024
