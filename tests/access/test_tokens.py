"""Tokens: made, checked, narrowed, revoked, expired, and found nowhere afterwards."""

import hashlib
import hmac
import logging
import re
import sys
from datetime import UTC, datetime, timedelta

import pytest
from django.core.signals import got_request_exception
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.utils import timezone
from django.views.debug import ExceptionReporter

from configbox.access import tokens
from configbox.access.bearer import bearer_of
from configbox.access.grants import Grant, ScopeRefused, parse_scopes
from configbox.access.models import Token
from configbox.access.scopes import GRANTABLE
from configbox.access.tokens import TokenInvalid, TokenRefused, authenticate, find, mint, narrow, revoke

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 31, 12, tzinfo=UTC)


def made(*scopes, name="shop", customer=None, expires=None):
    return mint(name, parse_scopes(scopes), created_by="test", expires=expires, customer=customer)


def at(monkeypatch, moment):
    monkeypatch.setattr(timezone, "now", lambda: moment)


def refusal_of(text):
    with pytest.raises(TokenRefused) as refusal:
        authenticate(text)
    return refusal.value.message


# --- making -------------------------------------------------------------------------------------------------------
def test_a_token_is_its_id_and_a_secret_of_which_the_hash_alone_is_stored():
    token, text = made("orders:read", "catalog:write")
    secret = re.fullmatch(rf"cbx_{token.pk}_([A-Za-z0-9_-]{{43}})", text)[1]
    stored = Token.objects.get()
    assert stored.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert (stored.scopes, stored.name, stored.created_by) == ("catalog:write orders:read", "shop", "test")
    assert (stored.expires, stored.last_used, stored.revoked, stored.customer) == (None, None, None, None)
    bearer = authenticate(text)
    assert (bearer.label, bearer.customer) == (f'token #{token.pk} "shop"', None)
    assert bearer.grant == parse_scopes(["orders:read", "catalog:write"])


def test_no_two_tokens_are_alike():
    assert len({made()[1].split("_", 2)[2] for _ in range(20)}) == 20


def test_a_token_of_no_scope_holds_the_floor_alone():
    assert authenticate(made()[1]).grant == Grant.nothing()


def test_a_shoppers_token_acts_for_its_customer():
    bearer = authenticate(made("storefront:write", customer=7)[1])
    assert (bearer.customer, bearer.grant) == (7, parse_scopes(["storefront:write"]))


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a\nb", "a\x1b[0m", "\u202e", "\ud800", "x" * 61])
def test_a_name_that_cannot_be_shown_is_refused(name):
    with pytest.raises(TokenInvalid, match="1 to 60 printable characters and no blank at its ends"):
        made(name=name)
    assert Token.objects.count() == 0


@pytest.mark.parametrize("name", ["x" * 60, 'Müller "GmbH"', "店"])
def test_a_name_that_can_be_shown_is_kept(name):
    token, text = made(name=name)
    assert Token.objects.get().name == name
    assert authenticate(text).label == f'token #{token.pk} "{name}"'


@pytest.mark.parametrize(
    ("scopes", "customer", "sentence"),
    [
        (["storefront:read"], None, "acts for one customer: say which, by id."),
        (["orders:read"], 7, "acts for a customer only with storefront scopes (storefront:read, storefront:write)"),
        ([], 7, "acts for a customer only with storefront scopes"),
        (["storefront:read"], 0, "a whole number from 1 to 2147483647, got 0."),
        (["storefront:read"], -1, "a whole number from 1 to 2147483647, got -1."),
        (["storefront:read"], 2**31, "a whole number from 1 to 2147483647, got 2147483648."),
    ],
)
def test_a_binding_that_cannot_be_is_refused(scopes, customer, sentence):
    with pytest.raises(TokenInvalid, match=re.escape(sentence)):
        made(*scopes, customer=customer)
    assert Token.objects.count() == 0


def test_a_token_that_is_over_is_not_made(monkeypatch):
    at(monkeypatch, NOON)
    with pytest.raises(TokenInvalid, match=r"must expire in the future, got 2026-12-31T12:00:00\+00:00\."):
        made(expires=NOON)
    assert Token.objects.count() == 0


# --- checking -----------------------------------------------------------------------------------------------------
def test_a_token_is_valid_until_the_very_moment_it_expires(monkeypatch):
    at(monkeypatch, NOON)
    _, text = made(expires=NOON + timedelta(days=1))
    at(monkeypatch, NOON + timedelta(days=1, microseconds=-1))
    authenticate(text)
    at(monkeypatch, NOON + timedelta(days=1))
    assert refusal_of(text) == "This token expired at 2027-01-01T12:00:00+00:00."


def test_a_token_without_expiry_is_valid_in_the_last_year(monkeypatch):
    _, text = made()
    at(monkeypatch, datetime(9998, 12, 31, tzinfo=UTC))
    authenticate(text)


def test_a_revoked_token_stays_revoked_when_it_expires(monkeypatch):
    at(monkeypatch, NOON)
    token, text = made(expires=NOON + timedelta(days=1))
    assert revoke(token, by="test") is True
    assert revoke(token, by="test") is False
    assert refusal_of(text) == "This token was revoked."
    at(monkeypatch, NOON + timedelta(days=2))
    assert refusal_of(text) == "This token was revoked."
    assert Token.objects.get().revoked == NOON


def test_only_who_knows_the_secret_learns_that_a_token_is_over():
    token, text = made()
    revoke(token, by="test")
    assert refusal_of(text[:-1] + ("A" if text[-1] != "A" else "B")) == "This token is not valid."


def test_a_secret_opens_its_own_token_alone():
    (first, _), (_, second_text) = made("catalog:write"), made("orders:read")
    assert refusal_of(f"cbx_{first.pk}_{second_text.split('_', 2)[2]}") == "This token is not valid."


@pytest.mark.parametrize("form", ["{text}", "cbx_{number}_" + "A" * 43, "cbx_999999_" + "A" * 43, "nonsense", ""])
def test_secrets_are_compared_in_constant_time_for_unknown_ids_too(monkeypatch, form):
    token, text = made()
    compared = []

    def compare(one, other):
        compared.append((one, other))
        return same(one, other)

    same = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", compare)
    if form == "{text}":
        authenticate(text)
    else:
        assert refusal_of(form.format(number=token.pk)) == "This token is not valid."
    assert [(len(one), len(other)) for one, other in compared] == [(64, 64)]


# --- the last use -------------------------------------------------------------------------------------------------
def test_the_last_use_is_written_at_most_once_a_minute(monkeypatch, django_assert_num_queries):
    _, text = made()
    for seconds, queries, noted in [(0, 2, 0), (1, 1, 0), (59, 1, 0), (60, 2, 60), (61, 1, 60), (3600, 2, 3600)]:
        at(monkeypatch, NOON + timedelta(seconds=seconds))
        with django_assert_num_queries(queries):
            authenticate(text)
        assert Token.objects.get().last_used == NOON + timedelta(seconds=noted)


def test_a_refused_use_is_not_noted(monkeypatch, django_assert_num_queries):
    at(monkeypatch, NOON)
    revoked, revoked_text = made()
    revoke(revoked, by="test")
    _, expired_text = made(expires=NOON + timedelta(seconds=1))
    at(monkeypatch, NOON + timedelta(seconds=1))
    for text, queries in [
        (revoked_text, 1),
        (expired_text, 1),
        (f"cbx_{revoked.pk}_{'A' * 43}", 1),
        (f"cbx_999999_{'A' * 43}", 1),
        (f"cbx_9999999999_{'A' * 43}", 0),
        ("nonsense", 0),
    ]:
        with django_assert_num_queries(queries):
            refusal_of(text)
    assert set(Token.objects.values_list("last_used", flat=True)) == {None}


def test_finding_a_token_is_no_use(django_assert_num_queries):
    token, text = made()
    with django_assert_num_queries(1):
        assert find(text) == token
    assert Token.objects.get().last_used is None


# --- narrowing ----------------------------------------------------------------------------------------------------
def test_a_narrowed_token_holds_what_it_keeps():
    token, text = made("catalog:write", "orders:write", "system:read")
    narrow(token, parse_scopes(["catalog:read", "orders:write"]), by="test")
    assert authenticate(text).grant.scopes == {"catalog:read", "orders:write"}
    assert token.scopes == Token.objects.get().scopes == "catalog:read orders:write"
    narrow(token, Grant.nothing(), by="test")
    assert authenticate(text).grant == Grant.nothing()


@pytest.mark.parametrize("scope", GRANTABLE)
@pytest.mark.parametrize("held", [[], ["catalog:read"], ["orders:write", "store:write"]])
def test_a_token_never_grows(held, scope):
    token, text = made(*held)
    keeps = [*held, scope]
    covered = {*held, *(f"{each.split(':')[0]}:read" for each in held)}
    if scope in covered:
        narrow(token, parse_scopes([scope]), by="test")
        assert authenticate(text).grant.scopes == {scope}
        return
    with pytest.raises(ScopeRefused) as refusal:
        narrow(token, parse_scopes(keeps), by="test")
    assert refusal.value.refused == (scope,)
    assert authenticate(text).grant.scopes == set(held)


def test_a_stale_instance_gives_nothing_back():
    token, text = made("catalog:write", "orders:read")
    stale = Token.objects.get(pk=token.pk)
    narrow(token, parse_scopes(["orders:read"]), by="test")
    assert stale.scopes == "catalog:write orders:read"
    with pytest.raises(ScopeRefused, match="holds orders:read, store:read and cannot be given catalog:write"):
        narrow(stale, parse_scopes(["catalog:write"]), by="test")
    assert authenticate(text).grant.scopes == {"orders:read"}


def test_an_instance_changed_in_memory_grows_no_token():
    token, text = made("orders:read")
    token.scopes = "catalog:write system:write"
    with pytest.raises(ScopeRefused):
        narrow(token, parse_scopes(["catalog:write"]), by="test")
    assert authenticate(text).grant.scopes == {"orders:read"}


@pytest.mark.parametrize(
    ("held", "customer", "asked"),
    [
        (["storefront:write"], 7, ["catalog:read"]),
        (["storefront:write"], 7, []),
        (["catalog:write"], None, ["storefront:read"]),
    ],
)
def test_a_token_never_changes_its_side(held, customer, asked):
    token, text = made(*held, customer=customer)
    with pytest.raises(ScopeRefused, match="cannot be given"):
        narrow(token, parse_scopes(asked), by="test")
    assert authenticate(text).grant.scopes == set(held)


# --- rows that no command makes -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stored", "customer", "opens", "named"),
    [
        ("* admin catalog catalog:*", None, set(), "*, admin, catalog, catalog:*"),
        ("Catalog:Write store:read any:write", None, set(), "Catalog:Write, any:write, store:read"),
        ("orders:read warehouse:write", None, {"orders:read"}, "warehouse:write"),
        ("storefront:write", None, set(), "storefront:write"),
        ("catalog:write storefront:read", 7, {"storefront:read"}, "catalog:write"),
        ("caf\xe9\x1b[0m", None, set(), "caf\\xe9\\x1b[0m"),
    ],
)
def test_a_stored_scope_that_does_not_exist_opens_nothing_and_warns(caplog, stored, customer, opens, named):
    token, text = made()
    Token.objects.update(scopes=stored, customer=customer)
    bearer = authenticate(text)
    assert bearer.grant == Grant(frozenset(opens), storefront=customer is not None)
    assert caplog.record_tuples[-1] == (
        "configbox.access",
        logging.WARNING,
        f"token #{token.pk} \"shop\" holds scopes that do not exist here: '{named}'",
    )


# --- found nowhere ------------------------------------------------------------------------------------------------
def whole_database():
    """Return every row of every table as text."""
    with connection.cursor() as cursor:
        rows = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows += [name, *map(repr, cursor.fetchall())]
    return "\n".join(rows)


def test_a_token_is_in_no_log_no_row_and_no_text_form(caplog):
    for name in ("", "django"):
        caplog.set_level(logging.DEBUG, name)
    # Every query is logged too.
    with CaptureQueriesContext(connection):
        token, text = made("catalog:write")
        secret = text.split("_", 2)[2]
        wrong = ("A" if secret[0] != "A" else "B") + secret[1:]
        bearer = bearer_of({"HTTP_AUTHORIZATION": f"Bearer {text}"})
        refusals = []
        for header in (f"Bearer {text[: -len(secret)]}{wrong}", f"Basic {text}", f"Bearer {text} x", text):
            with pytest.raises(TokenRefused) as refusal:
                bearer_of({"HTTP_AUTHORIZATION": header})
            refusals.append(repr(refusal.value) + str(refusal.value))
        narrow(token, parse_scopes(["catalog:read"]), by="test")
        revoke(token, by="test")
        refusals.append(refusal_of(text))
    stored = Token.objects.get()
    texts = [caplog.text, *map(str, (token, bearer, stored)), *map(repr, (token, bearer, stored)), *refusals]
    found = "\n".join([*texts, whole_database()])
    assert "INSERT INTO" in caplog.text
    assert stored.digest in found
    assert secret not in found
    assert wrong not in found
    assert repr(stored) == f'<Token: token #{token.pk} "shop">'
    decisions = [record.getMessage() for record in caplog.records if record.name == "configbox.authorization"]
    who = f'token #{token.pk} "shop" caller=test scopes='
    assert decisions == [
        f"token=mint {who}catalog:write,store:read outcome=ok ms=0",
        f"token=narrow {who}catalog:read,store:read outcome=ok ms=0",
        f"token=revoke {who}catalog:read,store:read outcome=ok ms=0",
    ]


def whoami(request):
    bearer_of(request.META)
    return HttpResponse("in")


def whoami_by_text(request):
    authenticate(request.META["HTTP_AUTHORIZATION"].removeprefix("Bearer "))
    return HttpResponse("in")


urlpatterns = [path("header", whoami), path("text", whoami_by_text)]


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("way", ["header", "text"])
@pytest.mark.parametrize("place", ["_digest", "state_of", "_note_use", "grant_of"])
@pytest.mark.urls(__name__)
def test_an_error_report_shows_neither_header_nor_token(monkeypatch, settings, caplog, debug, way, place):
    settings.DEBUG = debug
    _, text = made("catalog:write")
    secret = text.split("_", 2)[2]

    def broken(*given):
        raise RuntimeError("the store is on fire")

    monkeypatch.setattr(tokens, place, broken)
    reports = []

    def report(sender, request, **more):
        reporter = ExceptionReporter(request, *sys.exc_info())
        reports.extend([reporter.get_traceback_html(), reporter.get_traceback_text()])

    got_request_exception.connect(report)
    try:
        client = Client(raise_request_exception=False)
        response = client.get(f"/{way}", headers={"Authorization": f"Bearer {text}"})
    finally:
        got_request_exception.disconnect(report)
    assert response.status_code == 500
    assert len(reports) == 2
    assert all("the store is on fire" in each and "authenticate" in each for each in reports)
    found = "\n".join([*reports, response.content.decode(), caplog.text])
    assert "HTTP_AUTHORIZATION" in found
    assert secret not in found
