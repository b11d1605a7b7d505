"""Thousands of hostile messages on each door: an answer or silence as the rules say, never a crash, memory flat.

Ten thousand per door, a million where CONFIGBOX_LONG_SWEEPS is set; what they write is rolled back piece by piece.
"""

import json
import logging
import threading
from collections import Counter

import pytest
from django.test import Client, RequestFactory
from django.urls import resolve

from cbx_mcp import http
from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.methods import methods
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access import bearer
from configbox.access.grants import Grant
from configbox.entities import reading
from configbox.properties.json_values import write_json
from tests.conftest import LONG_SWEEPS
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.entities.shop import ENTITY_NAMES
from tests.mcp.hostile_http import HostileRequests, check_status
from tests.mcp.hostile_messages import HostileMessages
from tests.mcp.message_rules import check_answer, expected
from tests.mcp.stdio_client import StdioClient
from tests.mcp_conformance.fixture_prompts import PROMPTS
from tests.mcp_conformance.fixture_resources import RESOURCES, TEMPLATES
from tests.own_store import own_store
from tests.sweeps import MAX_GROWTH, ROUNDS, in_pieces, memory
from tests.tokens_of_every_kind import minted

pytestmark = [pytest.mark.timeout(1800), pytest.mark.thorough]

# So many of them go through the pipes of a real process.
PIPED = 100_000 if LONG_SWEEPS else 2_000
# So many of the requests go through every layer of Django.
WHOLE = 50_000 if LONG_SWEEPS else 3_000
SEED = 20_260_728


@pytest.fixture(autouse=True)
def no_log_lines():
    """Keep the log quiet: pytest holds every line of a test in memory."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def messages(shop):  # noqa: F811
    """Return a stream of messages about the small shop."""
    fields = {entity: reading.describe(entity)["fields"] for entity in ENTITY_NAMES}
    return stream(SEED, fields)


def stream(seed, fields):
    tools = answer(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')["result"]["tools"]
    return HostileMessages(seed, list(methods()), tools, fields)


def answer(raw):
    session = Session(
        Grant.everything(), gather(TOOL_MODULES), lambda: "", tuple(PROMPTS), tuple(RESOURCES), tuple(TEMPLATES)
    )
    return handle_message(raw, session)


def test_the_messages_are_of_every_kind(messages):
    """Hold the generator to its promise: each way to answer is met, and the same seed says the same."""
    made = [messages.message() for _ in range(5_000)]
    kinds = Counter((each.is_silence, each.code, each.id is None) for each in map(expected, made))
    assert set(kinds) == {
        (True, None, True), (False, -32700, True), (False, -32600, True), (False, -32600, False),
        (False, -32602, False), (False, None, False),
    }  # fmt: skip
    assert min(kinds.values()) > 100
    again = stream(SEED, messages.fields)
    assert [again.message() for _ in range(5_000)] == made


@pytest.mark.django_db
def test_the_dispatcher_answers_each_message_as_it_must(messages):
    outcomes = Counter()
    for _ in in_pieces(ROUNDS):
        raw = messages.message()
        answered = answer(raw)
        check_answer(raw, None if answered is None else write_json(answered).encode())
        outcomes[outcome(answered)] += 1
    # It went all the way: tools ran and succeeded, tools refused, and every error of the protocol was met.
    assert {"ok", "refused", -32700, -32600, -32601, -32602, -32022, -32002} <= set(outcomes)


def outcome(answered):
    if answered is None:
        return None
    if "error" in answered:
        return answered["error"]["code"]
    return "refused" if answered["result"].get("isError") else "ok"


def test_a_real_process_answers_each_line_as_it_must(tmp_path, messages):
    """Feed one server through its pipes: lines back in order, nothing between them, and it ends in peace."""
    with own_store(tmp_path) as store:
        store.manage("load_demo")
        raws = [messages.message().replace(b"\n", b" ") for _ in range(PIPED)]
        answered = [raw for raw in raws if raw.strip() and not expected(raw).is_silence]
        with StdioClient("--in-process", settings="configbox.settings", env=store.env, stderr=-3) as client:
            writer = threading.Thread(target=client.send_bytes, args=(b"".join(raw + b"\n" for raw in raws),))
            writer.start()
            held = 0
            for number, raw in enumerate(answered):
                check_answer(raw, client.read_line(60)[:-1])
                if number == len(answered) // 10:
                    held = memory(client.process.pid)
            writer.join()
            assert memory(client.process.pid) - held < MAX_GROWTH
            code, rest, _ = client.finish()
    assert (code, rest) == (0, b"")


@pytest.mark.django_db
def test_the_http_door_answers_each_request_as_it_must(messages):
    requests = HostileRequests(SEED, messages, *minted())
    client = Client()
    statuses = Counter()
    for _ in in_pieces(WHOLE):
        statuses[answered_by(client.generic, requests.request())] += 1
    assert set(statuses) == {200, 202, 400, 401, 403, 404, 405, 406, 413, 415}


@pytest.mark.django_db
def test_the_view_answers_each_request_as_it_must(messages, monkeypatch):
    """Ask the view alone, for the mass of the requests: no middleware, and good tokens are looked up once."""
    requests = HostileRequests(SEED + 1, messages, *minted())
    known = {requests.token: bearer.bearer_of({"HTTP_AUTHORIZATION": requests.token})}
    monkeypatch.setattr(
        http, "bearer_of", lambda meta: known.get(meta.get("HTTP_AUTHORIZATION")) or bearer.bearer_of(meta)
    )
    factory = RequestFactory()
    view = http.McpView.as_view()

    def send(method, path, body, **environ):
        request = factory.generic(method, path, body, **environ)
        return view(request, **resolve(request.path_info).kwargs)

    for _ in in_pieces(ROUNDS - WHOLE):
        answered_by(send, requests.request())


def answered_by(send, request):
    """Send a request, check what comes back and return its status."""
    token = {} if request.token is None else {"HTTP_AUTHORIZATION": request.token}
    named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
    kind = named.pop("HTTP_CONTENT_TYPE")
    response = send(request.method, request.path, request.body, **token, **named, CONTENT_TYPE=kind)
    check_response(request, response)
    return response.status_code


def check_response(request, response):
    told = (request, response.status_code, response.headers)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    assert "Location" not in response.headers, told
    if request.refusal:
        assert response.status_code == request.refusal, told
        assert ("WWW-Authenticate" in response.headers) is (request.refusal == 401), told
        if request.method != "HEAD":
            assert json.loads(body)["error"]["code"] == -32600, told
        return
    if response.streaming:
        *notes, last = [each for each in body.split(b"\n\n") if each]
        assert notes == [], told
        body = last.removeprefix(b"event: message\ndata: ")
    check_answer(request.body, body or None)
    check_status(request, response.status_code, json.loads(body) if body else None)
    assert ("Content-Type" in response.headers) is bool(body), told
