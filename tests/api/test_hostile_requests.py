"""Thousands of hostile requests to the REST API: each is answered as documented, never with a 500, memory flat."""

import json
import logging
from collections import Counter

import pytest
from django.test import Client, RequestFactory
from django.urls import resolve

from cbx_api import api_view
from configbox.access import bearer
from configbox.entities import reading
from tests.api.hostile_requests import HostileRestRequests
from tests.conftest import LONG_SWEEPS
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.entities.shop import ENTITY_NAMES
from tests.sweeps import ROUNDS, in_pieces
from tests.tokens_of_every_kind import minted

pytestmark = [pytest.mark.timeout(3600), pytest.mark.django_db, pytest.mark.thorough]

SEED = 20_261_201
# So many of the requests go through every layer of Django.
WHOLE = 50_000 if LONG_SWEEPS else 3_000
STATUSES = {200, 201, 204, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422}


@pytest.fixture(autouse=True)
def no_log_lines():
    """Keep the log quiet: pytest holds every line of a test in memory."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def requests(shop):  # noqa: F811
    """Return a stream of requests about the small shop."""
    fields = {entity: reading.describe(entity)["fields"] for entity in ENTITY_NAMES}
    return HostileRestRequests(SEED, fields, *minted())


def test_every_request_is_answered_as_documented(requests):
    client = Client()
    statuses = Counter()
    for _ in in_pieces(WHOLE):
        statuses[answered_by(client.generic, requests.request())] += 1
    assert set(statuses) == STATUSES


def test_every_view_answers_as_documented(requests, monkeypatch):
    """Ask the views alone, for the mass of the requests: no middleware, and a good token is looked up once."""
    known = {requests.token: bearer.bearer_of({"HTTP_AUTHORIZATION": requests.token})}
    monkeypatch.setattr(
        api_view, "bearer_of", lambda meta: known.get(meta.get("HTTP_AUTHORIZATION")) or bearer.bearer_of(meta)
    )
    factory = RequestFactory()

    def send(method, path, body, **environ):
        request = factory.generic(method, path, body, **environ)
        match = resolve(request.path_info)
        return match.func(request, *match.args, **match.kwargs)

    for _ in in_pieces(ROUNDS - WHOLE):
        answered_by(send, requests.request())


def answered_by(send, request):
    """Send a request, check what comes back and return its status."""
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}
    kind = headers.pop("HTTP_CONTENT_TYPE", None)
    more = headers if kind is None else headers | {"CONTENT_TYPE": kind}
    if request.token is not None:
        more["HTTP_AUTHORIZATION"] = request.token
    response = send(request.method, request.path, request.body, QUERY_STRING=request.query, **more)
    told = (request, response.status_code, response.headers, response.content[:500])
    assert response.status_code in ({request.status} if request.status else STATUSES), told
    assert ("WWW-Authenticate" in response.headers) is (response.status_code == 401), told
    assert ("Allow" in response.headers) is (response.status_code == 405), told
    assert ("Location" in response.headers) is (response.status_code == 201), told
    if response.status_code == 204:
        assert response.content == b"", told
        return 204
    assert response.headers["Content-Type"].split(";")[0] == "application/json", told
    assert response.content.isascii(), told
    assert b"\n" not in response.content, told
    answer = json.loads(response.content)
    if response.status_code >= 400:
        assert answer.keys() == {"error"}, told
        assert answer["error"]["code"], told
        assert answer["error"]["message"], told
        assert "incident" not in answer["error"]["message"], told
    return response.status_code
