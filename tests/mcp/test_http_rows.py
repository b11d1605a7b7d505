"""The HTTP transport: the rows of the reported-failures table that concern it, by number; with and without a session.

What needs real processes (streams that are closed, several workers) is in test_http_server.py.
"""

import json
import logging
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.db import OperationalError
from django.utils import timezone

from cbx_mcp import http
from cbx_mcp.protocol.eras import LEGACY_VERSIONS
from cbx_mcp.tools.registry import tools
from configbox.access.grants import Grant, parse_scopes
from configbox.access.models import Token
from configbox.properties.json_values import write_json
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.mcp.http_door import ADDRESS, HttpDoor, document, error_of, events
from tests.mcp.stdio_client import MODERN, modern_meta, text_of

pytestmark = pytest.mark.django_db

LATEST = LEGACY_VERSIONS[-1]
PING = write_json({"jsonrpc": "2.0", "id": 1, "method": "ping"})
MODULES = ("tests.mcp.fixture_tools", "cbx_mcp.tools.entity_tools")


@pytest.fixture(params=["no cookie", "session"])
def door(request, settings):
    """A caller with every scope; `session` is signed in to the back office as well."""
    settings.MCP_TOOL_MODULES = MODULES
    tools.cache_clear()
    door = HttpDoor(Grant.everything())
    if request.param == "session":
        door.client.force_login(User.objects.create_superuser("root"))
    yield door
    tools.cache_clear()


def message(method="ping", **more):
    return write_json({"jsonrpc": "2.0", "method": method, **more})


# --- versions -----------------------------------------------------------------------------------------------------
def test_row_02_notifications_and_responses_get_202_and_no_byte(door):
    for sent in (
        message("notifications/initialized"),
        message("notifications/unknown"),
        message("tools/call", params={"name": "fail"}),
        message("tools/call", params=[]),
        write_json({"jsonrpc": "2.0", "id": 7, "result": {}}),
        write_json({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}}),
    ):
        response = door.send(sent, mcp_protocol_version="1999-01-01")
        assert (response.status_code, response.content) == (202, b"")
        assert "Content-Type" not in response


@pytest.mark.parametrize("version", ["2099-01-01", MODERN, "1.0", "", None, 5])
def test_row_03_a_version_that_is_unknown_is_answered_with_the_latest_that_opens(door, version):
    result = door.ask("initialize", {"protocolVersion": version, "capabilities": {}})
    assert result["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("version", LEGACY_VERSIONS)
def test_row_04_a_version_that_is_served_is_repeated(door, version):
    assert door.ask("initialize", {"protocolVersion": version})["protocolVersion"] == version


@pytest.mark.parametrize("version", [MODERN, "2099-01-01", "2024-11-05", "x"])
def test_row_05_initialize_is_not_judged_by_its_version_header(door, version):
    params = {"protocolVersion": "2025-06-18"}
    assert door.ask("initialize", params, mcp_protocol_version=version)["protocolVersion"] == "2025-06-18"


def test_row_05_another_request_is(door):
    response = door.post("tools/list", mcp_protocol_version="1999-01-01")
    assert (response.status_code, document(response)) == (
        400,
        {
            "jsonrpc": "2.0",
            "id": 1,
            "error": {
                "code": -32600,
                "message": "MCP-Protocol-Version 1999-01-01 is not served; served are "
                "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28.",
            },
        },
    )
    for version in LEGACY_VERSIONS:
        assert door.post("tools/list", mcp_protocol_version=version).status_code == 200


# --- arguments and results ----------------------------------------------------------------------------------------
def test_row_13_answers_hold_no_null(door):
    for method, params in (
        ("initialize", {"protocolVersion": LATEST}),
        ("tools/list", {}),
        ("prompts/list", {}),
        ("tools/call", {"name": "echo", "arguments": {"text": None}}),
        ("no/such", {}),
    ):
        assert b"null" not in door.post(method, params).content
    assert b"null" not in door.send("[]").content


@pytest.mark.parametrize("modern", [False, True])
def test_row_14_arguments_may_be_left_out_or_null_and_are_an_object_otherwise(door, modern):
    for params in ({"name": "echo"}, {"name": "echo", "arguments": None}, {"name": "echo", "arguments": {}}):
        assert door.ask("tools/call", params, modern=modern)["structuredContent"]["arguments"] == {}
    for arguments in ([], ["x"], "x", "{}", 5, True):
        response = door.post("tools/call", {"name": "echo", "arguments": arguments}, modern=modern)
        assert error_of(response) == (400 if modern else 200, -32602)


def test_row_15_exact_text_becomes_what_the_schema_wants(door):
    arguments = {"whole": "5", "flag": "true", "numbers": "[1,2]", "fields": '{"a":1}', "text": '{"a":1}'}
    assert door.call("echo", arguments)["structuredContent"]["arguments"] == {
        "whole": 5,
        "flag": True,
        "numbers": [1, 2],
        "fields": {"a": 1},
        "text": '{"a":1}',
    }
    refused = door.call("echo", {"whole": 5.7})
    assert refused["isError"] is True
    assert "whole must be a whole number, got 5.7." in text_of(refused)


def test_row_23_an_error_has_no_structured_content(door):
    for name in ("refuse", "fail", "long"):
        result = door.call(name)
        assert (result["isError"], sorted(result)) == (True, ["content", "isError"])


# --- the address and the form -------------------------------------------------------------------------------------
BOTH = ["application/json", "text/event-stream"]


@pytest.mark.parametrize(
    ("accept", "answered_as"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("APPLICATION/JSON", "application/json"),
        ("application/json, text/event-stream", "application/json"),
        ("text/event-stream, application/json", "application/json"),
        ("application/json;q=0.1, text/event-stream;q=0.9", "application/json"),
        ("application/json; q=0.5,text/html", "application/json"),
        ("text/html, */*;q=0.1", "application/json"),
        ("application/*", "application/json"),
        ("text/event-stream", "text/event-stream"),
        ("text/event-stream;q=0.2", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("application/json;q=0, text/event-stream", "text/event-stream"),
        ("text/html", None),
        ("text/html, image/*", None),
        ("application/json;q=0", None),
        ("application/json;q=0.0, text/event-stream;q=0.000", None),
        ("x", None),
    ],
)
def test_row_18_every_accept_header_of_a_client_is_served(door, accept, answered_as):
    response = door.send(PING, accept=accept)
    if answered_as is None:
        assert (response.status_code, document(response)["error"]) == (
            406,
            {
                "code": -32600,
                "message": "Answers are application/json or text/event-stream; the header Accept takes neither.",
            },
        )
        return
    answers = events(response) if answered_as == "text/event-stream" else [document(response)]
    assert (response.status_code, answers) == (200, [{"jsonrpc": "2.0", "id": 1, "result": {}}])


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("accept", ["text/event-stream", "text/html", None])
def test_row_19_every_other_method_is_refused_before_anything_is_asked(door, method, accept, django_assert_num_queries):
    with django_assert_num_queries(0):
        responses = [
            door.send("", method=method, accept=accept, authorization=authorization, origin="https://evil")
            for authorization in (f"Bearer {door.secret}", "Bearer x", None)
        ]
    for response in responses:
        assert (response.status_code, response["Allow"]) == (405, "POST")
        assert document(response) == {
            "jsonrpc": "2.0",
            "error": {
                "code": -32600,
                "message": "This address takes POST: one JSON-RPC message per request.",
            },
        }


def test_row_19_head_has_no_body(door):
    response = door.send("", method="HEAD")
    assert (response.status_code, response["Allow"], response.content) == (405, "POST", b"")


PREFIXES = ["en", "en-GB", "EN-gb", "de", "de-DE", "De"]
ADDRESSES = [ADDRESS, ADDRESS + "/", *(f"/{prefix}{ADDRESS}{end}" for prefix in PREFIXES for end in ("", "/"))]


def test_row_20_every_spelling_of_the_address_is_answered_alike(door, shop, settings):  # noqa: F811
    plain = door.post("tools/list").content
    for is_secure in (False, True):
        settings.SECURE_SSL_REDIRECT = is_secure
        # The middleware reads its settings when it is made.
        door.client.handler._middleware_chain = None
        for address in ADDRESSES:
            response = door.post("tools/list", address=address)
            assert (response.status_code, response.content) == (200, plain), address
            assert door.send("", address=address, method="GET").status_code == 405
            assert door.send(PING, address=address, authorization=None).status_code == 401


ENGLISH = [{"title_en_GB": "Door"}, {"title_en_GB": "Window"}]
GERMAN = [{"title_de_DE": "Fenster"}, {"title_de_DE": "Tür"}]
BOTH_TEXTS = [{"title_en_GB": "Door", "title_de_DE": "Tür"}, {"title_en_GB": "Window", "title_de_DE": "Fenster"}]


@pytest.mark.parametrize(
    ("prefix", "texts"),
    [("", BOTH_TEXTS), ("/en", ENGLISH), ("/en-GB", ENGLISH), ("/de", GERMAN), ("/de-DE", GERMAN)],
)
def test_row_20_the_prefix_is_the_language_of_the_answers(door, shop, prefix, texts):  # noqa: F811
    def listed(**more):
        answer = door.call(
            "cbx_list_entities", {"entity": "product", "sort": "title", **more}, address=prefix + ADDRESS
        )
        rows = answer["structuredContent"]["items"]
        return [{key: value for key, value in row.items() if key.startswith("title")} for row in rows]

    assert listed() == texts
    # What the call says itself goes first.
    assert listed(language="de-DE") == GERMAN
    assert listed(language="en-GB") == ENGLISH


@pytest.mark.parametrize("prefix", ["fr", "fr-FR", "en-US", "d", "deutsch", "api", "%00", "en%20", "x" * 300, "ü"])
def test_row_20_another_prefix_is_a_json_404(door, shop, prefix):  # noqa: F811
    response = door.send(PING, address=f"/{prefix}{ADDRESS}")
    assert (response.status_code, document(response)["error"]["message"]) == (
        404,
        "An address may begin with an active language of the store, and this one begins otherwise.",
    )


def test_row_20_a_language_that_is_not_active_is_no_prefix(door, db):
    assert door.send(PING, address=f"/en{ADDRESS}").status_code == 200
    assert error_of(door.send(PING, address=f"/de{ADDRESS}"))[0] == 404


def test_row_21_no_request_meets_the_csrf_check(door):
    assert door.send(PING).status_code == 200
    refused = door.send(PING, authorization=None)
    assert (refused.status_code, document(refused)["error"]["code"]) == (401, -32600)
    assert "csrftoken" not in door.client.cookies


def test_row_22_there_are_no_sessions_of_mcp(door):
    for method in ("initialize", "ping", "tools/list"):
        for session in (None, "0" * 32, "not one of ours", "é", "x" * 3000):
            response = door.post(method, {"protocolVersion": LATEST}, mcp_session_id=session, last_event_id=session)
            assert response.status_code == 200
            assert "Mcp-Session-Id" not in response
            assert not response.cookies


# --- messages -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", [0, 1, -1, "", "a-1", "0", 2**63, 10**39, "é", "x" * 1000])
@pytest.mark.parametrize("modern", [False, True])
def test_row_24_an_id_comes_back_as_it_was(door, number, modern):
    params = {"_meta": modern_meta()} if modern else {}
    headers = {"mcp_protocol_version": MODERN, "mcp_method": "tools/list"} if modern else {}
    answer = document(door.send(message("tools/list", id=number, params=params), **headers))
    assert (type(answer["id"]), answer["id"]) == (type(number), number)
    broken = document(door.send(message("no/such", id=number, params=params), **headers))
    assert (type(broken["id"]), broken["id"]) == (type(number), number)


@pytest.mark.parametrize("number", ["null", "1.5", "1.0", "1e3", "true", "false", "[]", "{}", "1" * 41, '"\\ud800"'])
def test_row_24_what_is_no_id_is_refused_without_one(door, number):
    response = door.send(f'{{"jsonrpc":"2.0","id":{number},"method":"ping"}}')
    assert error_of(response) == (400, -32600)
    assert "id" not in document(response)


@pytest.mark.parametrize("body", [b"", b" ", b"{bad", b"\xff", b'{"jsonrpc":"2.0","id":1,"method":"ping"}x', b"'x'"])
def test_row_25_what_is_no_json_is_a_parse_error(door, body):
    response = door.send(body)
    assert error_of(response) == (400, -32700)
    assert "id" not in document(response)


def test_row_25_a_mark_and_line_ends_are_taken(door):
    assert document(door.send(b"\xef\xbb\xbf" + PING.encode() + b"\r\n"))["result"] == {}


def test_row_26_what_is_declared_is_answered_and_empty(door):
    declared = door.ask("initialize", {"protocolVersion": LATEST})["capabilities"]
    assert declared == {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
    for method, key in (
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ):
        assert door.ask(method) == {key: []}
        assert door.ask(method, modern=True)[key] == []


def test_row_27_answers_are_ascii_and_line_separators_are_taken(door):
    text = "a\u2028b\u2029c\u0085 Größe 🚪"
    raw = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}},
        ensure_ascii=False,
    )
    for accept in BOTH:
        response = door.send(raw, accept=accept)
        body = response.content if accept == BOTH[0] else b"".join(response.streaming_content)
        assert body.isascii()
        answer = json.loads(body if accept == BOTH[0] else body.split(b"data: ")[1])
        assert answer["result"]["structuredContent"]["arguments"] == {"text": text}


@pytest.mark.parametrize("batch", ["[]", f"[{PING}]", f"[{PING},{PING}]", "[[]]", "[1]"])
def test_row_29_a_batch_is_refused_as_one_message(door, batch):
    response = door.send(batch)
    assert (response.status_code, document(response)) == (
        400,
        {
            "jsonrpc": "2.0",
            "error": {"code": -32600, "message": "Batches are not served: send each message on its own."},
        },
    )


# --- tokens -------------------------------------------------------------------------------------------------------
def spoilt(secret):
    return secret[:-1] + ("A" if secret[-1] != "A" else "B")


def test_row_30_without_a_valid_token_there_is_a_challenge_and_nothing_to_discover(door):
    missing = door.send(PING, authorization=None)
    assert (missing.status_code, missing["WWW-Authenticate"]) == (401, 'Bearer realm="configbox"')
    assert document(missing)["error"]["message"].startswith("This address needs a token: send the header")
    answers = set()
    for header in (
        f"Bearer {spoilt(door.secret)}",
        f"Bearer {door.secret.upper()}",
        f'Bearer "{door.secret} "',
        f"Bearer {door.secret} x",
        f"Bearer {door.secret}, Bearer {door.secret}",
        f"BearerT {door.secret}",
        f"Basic {door.secret}",
        f"Token {door.secret}",
        door.secret,
        "Bearer",
        "Bearer ",
        "",
        "Bearer cbx_99999_" + "x" * 43,
        "Bearer cbx_99999999999999999999_" + "x" * 43,
        "Bearer " + "x" * 5000,
        "Bearer Größe",
    ):
        response = door.send(PING, authorization=header)
        assert (response.status_code, response["WWW-Authenticate"]) == (
            401,
            'Bearer realm="configbox", error="invalid_token"',
        )
        answers.add(response.content)
    # Malformed, unknown and wrong are told alike.
    assert answers == {
        b'{"jsonrpc": "2.0", "error": {"code": -32600, "message": "This token is not valid."}}',
    }


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  ", " Bearer", "bEaReR"])
def test_row_30_the_scheme_is_read_in_any_case(door, scheme):
    assert door.send(PING, authorization=f"{scheme} {door.secret}").status_code == 200


def test_row_30_a_token_that_ended_is_refused(door):
    now = timezone.now()
    for change, told in (
        ({"expires": now - timedelta(seconds=1)}, "This token expired at "),
        ({"expires": None, "revoked": now}, "This token was revoked."),
    ):
        Token.objects.filter(pk=door.token.pk).update(**change)
        response = door.send(PING)
        assert (response.status_code, response["WWW-Authenticate"]) == (
            401,
            'Bearer realm="configbox", error="invalid_token"',
        )
        assert document(response)["error"]["message"].startswith(told)


def test_row_30_a_token_in_the_address_is_not_read(door):
    for query in (f"?token={door.secret}", f"?access_token={door.secret}", f"?authorization=Bearer%20{door.secret}"):
        assert door.send(PING, address=ADDRESS + query, authorization=None).status_code == 401
    assert door.send(f"access_token={door.secret}", authorization=None).status_code == 401


def test_row_30_there_is_no_authorization_server_to_be_sent_to(door):
    for address in (
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource" + ADDRESS,
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server" + ADDRESS,
        "/.well-known/openid-configuration",
        ADDRESS + "/.well-known/openid-configuration",
        "/register",
        "/authorize",
        "/token",
    ):
        absent = door.send("", address=address, method="GET")
        assert absent.status_code == 404
        assert absent["Content-Type"] == "application/json" or ".well-known" not in address
        # Where the address does not exist, Django asks browsers for their CSRF token first.
        assert door.send("{}", address=address, method="POST").status_code in (403, 404)
    assert "resource_metadata" not in door.send(PING, authorization=None)["WWW-Authenticate"]


def test_row_30_a_shoppers_token_opens_nothing_of_the_back_office(door, caplog):
    shopper = HttpDoor(parse_scopes(["storefront:write"]), customer=7)
    with caplog.at_level(logging.INFO):
        response = shopper.post("tools/list")
    assert (response.status_code, document(response)["error"]["message"]) == (
        403,
        "This token acts for a customer of the shop and opens nothing of the back office.",
    )
    assert "WWW-Authenticate" not in response
    [line] = [line for record in caplog.records if (line := record.getMessage()).startswith("route=")]
    assert line == (
        f'route=POST /cb-api/v1/mcp caller=token #{shopper.token.pk} "door" scopes=storefront:write '
        "outcome=refused ms=0"
    )


def test_row_30_no_token_stands_in_a_log_or_an_answer(door, caplog, monkeypatch):
    said = []
    with caplog.at_level(logging.DEBUG):
        door.client.raise_request_exception = False
        for secret in (door.secret, spoilt(door.secret)):
            for body in (PING, "{", message("tools/call", id=1, params={"name": "fail"})):
                said.append(door.send(body, authorization=f"Bearer {secret}").content.decode())
        # And where the server itself fails: Django logs the request and mails its report.
        monkeypatch.setattr(http, "read_message", None)
        broken = door.send(PING)
        assert broken.status_code == 500
        said.append(broken.content.decode())
    said += [record.getMessage() + str(record.exc_text or "") for record in caplog.records]
    text = "\n".join(said)
    assert "Internal Server Error" in text
    for secret in (door.secret, spoilt(door.secret)):
        assert secret.split("_", 2)[2] not in text


def test_row_30_the_label_of_a_token_is_who_acts(door):
    assert door.call("echo")["structuredContent"]["actor"] == f'token #{door.token.pk} "door"'


# --- the rest of the table ----------------------------------------------------------------------------------------
def test_row_32_nothing_has_to_be_initialized(door):
    assert door.ask("ping") == {}
    assert {"echo", "cbx_get_entity"} <= {tool["name"] for tool in door.ask("tools/list")["tools"]}


def test_row_33_a_stream_asks_proxies_not_to_hold_it_back(door):
    response = door.send(PING, accept="text/event-stream", accept_encoding="gzip, br")
    assert response["X-Accel-Buffering"] == "no"
    assert response["Cache-Control"] == "no-cache, no-transform"
    assert "Content-Encoding" not in response
    assert "Content-Length" not in response
    assert events(response) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
    assert door.send(PING)["Cache-Control"] == "no-store"


def test_row_33_what_is_told_before_an_answer_comes_before_it_in_the_stream(door):
    """Without a token for progress nothing is told; a JSON client gets the answer alone."""
    [answer] = events(door.post("tools/call", {"name": "progress"}, accept="text/event-stream"))
    assert answer["result"]["structuredContent"] == {"done": True}
    params = {"name": "progress", "_meta": {"progressToken": 7}}
    alone = door.post("tools/call", params, accept="application/json")
    assert document(alone)["result"]["structuredContent"] == {"done": True}


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        ("http://localhost", 200),
        ("https://localhost", 200),
        ("https://desk.example", 200),
        ("https://evil", 403),
        ("null", 403),
        ("", 403),
        ("https://localhost.evil", 403),
        ("https://localhost:444", 403),
        ("https://evil@localhost", 403),
        ("https://desk.example:444", 403),
        ("http://desk.example", 403),
        ("localhost", 403),
        ("é", 403),
    ],
)
def test_row_34_pages_of_other_origins_may_not_ask(door, settings, origin, status):
    settings.CSRF_TRUSTED_ORIGINS = ["https://desk.example"]
    response = door.send(PING, origin=origin, host="localhost")
    assert response.status_code == status
    if status == 403:
        assert document(response) == {
            "jsonrpc": "2.0",
            "error": {
                "code": -32600,
                "message": "Pages of this origin may not ask here; the setting TRUSTED_ORIGINS lists others.",
            },
        }


@pytest.mark.parametrize(("host", "status"), [("localhost", 200), ("127.0.0.1:8000", 200), ("shop.evil", 400)])
def test_row_34_the_host_must_be_one_of_the_stores(door, settings, host, status):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert door.send(PING, host=host).status_code == status
    # A page of a foreign name that leads here is not the store's own page, whatever it says.
    assert door.send(PING, host=host, origin=f"http://{host}").status_code == status


@pytest.mark.parametrize("modern", [False, True])
def test_row_35_what_the_model_can_mend_is_a_result(door, shop, modern):  # noqa: F811
    for name, arguments, said in (
        ("cbx_get_entity", {"entity": "product", "id": 999}, "No product found with id 999."),
        ("cbx_get_entity", {"entity": "poduct", "id": 1}, "entity cannot be poduct; did you mean product?"),
        ("refuse", {}, "This cannot be done: the moon is full. Wait for another moon."),
    ):
        result = door.call(name, arguments, modern=modern)
        assert result["isError"] is True
        assert said in text_of(result).replace('"', "")
    answer = door.post("tools/call", {"name": "no_such_tool"}, modern=modern)
    assert error_of(answer) == (400 if modern else 200, -32602)


def test_row_35_an_exception_is_told_by_an_incident_alone(door, caplog):
    result = door.call("fail")
    assert result["isError"] is True
    incident = text_of(result).split("incident ")[1].split(".")[0]
    assert len(incident) == 8
    assert "secret detail" not in text_of(result)
    [record] = [each for each in caplog.records if incident in each.getMessage()]
    assert "secret detail of the inside" in str(record.exc_info[1])


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_row_36_a_request_with_a_number_that_json_lacks_is_no_json(door, value):
    assert error_of(door.send(f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{value}}}}}')) == (400, -32700)


def test_row_36_an_answer_that_json_lacks_ends_nothing(door):
    for modern in (False, True):
        for accept in BOTH:
            response = door.post("tools/call", {"name": "nan"}, modern=modern, accept=accept)
            answer = document(response) if accept == BOTH[0] else events(response)[0]
            assert (response.status_code, answer["error"]["code"]) == (200, -32603)
        assert door.call("echo", modern=modern)["isError"] is False


def test_row_36_numbers_keep_their_digits(door, shop):  # noqa: F811
    record = door.call("cbx_get_entity", {"entity": "product", "id": shop.product})["structuredContent"]["record"]
    assert str(record["baseprice"]) == "841.90"
    sent = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"number":0.10}}}'
    assert b'"number": 0.10' in door.send(sent).content


def test_row_37_a_database_that_does_not_answer_is_told_in_json(door, caplog, monkeypatch):
    def fails(*_):
        raise OperationalError("no route to 10.0.0.7")

    monkeypatch.setattr(http, "bearer_of", fails)
    response = door.send(PING)
    assert (response.status_code, document(response)) == (
        503,
        {
            "jsonrpc": "2.0",
            "error": {
                "code": -32600,
                "message": "The database of this store failed to answer. Try again in a moment.",
            },
        },
    )
    [record] = [each for each in caplog.records if each.name == "configbox.mcp"]
    assert str(record.exc_info[1]) == "no route to 10.0.0.7"
    # Where it says why, that is told.
    monkeypatch.setattr(http, "hindrance", lambda: "The database of this store lacks 3 migrations.")
    answer = document(door.send(PING))
    assert answer["error"]["message"] == "The database of this store lacks 3 migrations."


def test_row_38_a_message_that_is_too_big_is_refused_in_json(door):
    limit = django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    response = door.send(message(id=1, params={"text": "x" * 3_000_000}))
    assert (response.status_code, document(response)["error"]) == (
        413,
        {"code": -32600, "message": f"A message may have at most {limit} bytes."},
    )
    padded = PING + " " * (limit - len(PING))
    assert door.send(padded).status_code == 200
    assert door.send(padded + " ").status_code == 413


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_row_38_deep_nesting_is_a_parse_error(door, body):
    assert error_of(door.send(body)) == (400, -32700)
    assert door.send(PING).status_code == 200


def test_row_39_half_of_a_surrogate_pair_is_refused_where_it_stands(door, shop):  # noqa: F811
    # The name stands in the envelope, which is no envelope then.
    half = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}'
    assert error_of(door.send(half)) == (400, -32602)
    before = door.call("cbx_get_entity", {"entity": "product", "id": shop.product})
    arguments = f'{{"entity":"product","id":{shop.product},"fields":{{"title_en_GB":"a\\ud800"}}}}'
    written = door.send(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        f'{{"name":"cbx_update_entity","arguments":{arguments}}}}}'
    )
    result = document(written)["result"]
    assert result["isError"] is True
    assert "fields.title_en_GB: it contains half of a surrogate pair (U+D800) at character 2." in text_of(result)
    assert door.call("cbx_get_entity", {"entity": "product", "id": shop.product}) == before


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ('Application/JSON;charset="UTF-8"', 200),
        ("application/json; charset=latin-1", 415),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        ("application/vnd.api+json", 415),
        ("", 415),
    ],
)
def test_row_40_a_message_is_json_in_utf_8(door, kind, status):
    response = door.send(PING, content_type=kind)
    assert response.status_code == status
    if status == 415:
        assert document(response)["error"] == {
            "code": -32600,
            "message": "A message is sent as Content-Type: application/json, in UTF-8.",
        }
