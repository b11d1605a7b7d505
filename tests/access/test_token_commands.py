"""The operator's commands for tokens: what they make, print and refuse, and where they print it."""

import json
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from cbx_mcp.management.commands import token_scopes
from cbx_mcp.tools.registry import tools
from configbox.access.expiry import FORMS, read_expiry
from configbox.access.grants import Grant, parse_scopes
from configbox.access.models import Token
from configbox.access.scopes import AREAS, GRANTABLE, PRESETS
from configbox.access.tokens import TokenInvalid, TokenRefused, authenticate, mint
from configbox.entities.registry import entities
from tests.own_store import ROOT

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 12, 31, 12, tzinfo=UTC)


def run(*arguments):
    """Run a command; return what it wrote to standard output and to standard error."""
    output, errors = StringIO(), StringIO()
    call_command(*arguments, stdout=output, stderr=errors)
    return output.getvalue(), errors.getvalue()


def refused(*arguments):
    """Run a command that must fail; return its message and exit code. It may write nothing else."""
    output, errors = StringIO(), StringIO()
    with pytest.raises(CommandError) as failure:
        call_command(*arguments, stdout=output, stderr=errors)
    assert output.getvalue() == errors.getvalue() == ""
    return str(failure.value), failure.value.returncode


def made(*scopes, name="shop", customer=None, expires=None):
    return mint(name, parse_scopes(scopes), created_by="command", expires=expires, customer=customer)


@pytest.fixture
def noon(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)


# --- token_mint ---------------------------------------------------------------------------------------------------
def test_mint_prints_the_token_alone_and_says_the_rest_aside(noon):
    output, errors = run("token_mint", "shop", "--preset=author", "--scope=orders:read,system:read")
    token = Token.objects.get()
    assert re.fullmatch(rf"cbx_{token.pk}_[A-Za-z0-9_-]{{43}}\n", output)
    assert authenticate(output.strip()).grant == parse_scopes(["orders:read", "system:read"], ["author"])
    assert token.created_by == "command"
    assert errors.splitlines() == [
        f'Made token #{token.pk} "shop": catalog:write, orders:read, system:read, store:read; '
        "expires 2027-03-31T12:00:00+00:00.",
        "It is shown this once: keep it where only its user reads it, and send it as the header "
        f"Authorization: Bearer TOKEN. To end it: manage.py token_revoke {token.pk}",
    ]
    assert output.split("_", 2)[2].strip() not in errors


def test_mint_without_scopes_grants_the_floor_alone_and_says_so():
    output, errors = run("token_mint", "shop", "--expires=never")
    assert authenticate(output.strip()).grant == Grant.nothing()
    lines = errors.splitlines()
    assert lines[0] == f'Made token #{Token.objects.get().pk} "shop": store:read; never expires.'
    assert lines[1] == "No --scope and no --preset was given, so it holds store:read alone."


@pytest.mark.parametrize("preset", PRESETS)
def test_mint_grants_a_preset_as_it_is_declared(preset):
    output, _ = run("token_mint", "shop", f"--preset={preset}")
    assert authenticate(output.strip()).grant.scopes == set(PRESETS[preset])
    assert "code:write" not in Token.objects.get().scopes


def test_mint_binds_a_shoppers_token_to_a_customer():
    output, errors = run("token_mint", "shop", "--scope=storefront:read", "--customer=7")
    assert authenticate(output.strip()).customer == 7
    assert errors.startswith(f'Made token #{Token.objects.get().pk} "shop", for customer 7: storefront:read; expires ')


ODD_SCOPES = {
    "*": '"*" is a wildcard and there are none: name each scope, or use a preset.',
    "admin": '"admin" is no scope.',
    "catalog": '"catalog" is no scope; the closest is catalog:',
    "catalog:*": '"catalog:*" is a wildcard and there are none: name each scope, or use a preset.',
    "Catalog:Write": '"Catalog:Write" is no scope; the closest is catalog:write.',
    "catalog:write ": '"catalog:write " is no scope; the closest is catalog:write.',
    " catalog:write": '" catalog:write" is no scope; the closest is catalog:write.',
    "store:read": '"store:read" is part of every grant and cannot be granted: leave it out.',
    "code:read": '"code:read" does not exist: who reads the catalog reads its code, so ask for catalog:read.',
    "any:write": '"any:write" is no scope',
    "catalog:wirte": '"catalog:wirte" is no scope; the closest is catalog:write.',
    "author": '"author" is no scope.',
    "null": '"null" is no scope.',
    "None": '"None" is no scope.',
    "": '"" is no scope.',
}


@pytest.mark.parametrize("scope", ODD_SCOPES)
@pytest.mark.parametrize("beside", ["", "orders:read,"])
def test_mint_refuses_an_odd_scope_by_name_and_makes_nothing(scope, beside):
    message, code = refused("token_mint", "shop", f"--scope={beside}{scope}")
    assert message.startswith(ODD_SCOPES[scope])
    assert message.endswith(f"Valid scopes: {', '.join(GRANTABLE)}.")
    assert code == 2
    assert Token.objects.count() == 0


def test_the_stdio_server_refuses_the_same_scopes_in_the_same_words():
    done = subprocess.run(
        [sys.executable, "manage.py", "mcp", *(f"--scope={scope}" for scope in ODD_SCOPES)],
        cwd=ROOT, env=dict(os.environ), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert [sentence for sentence in ODD_SCOPES.values() if sentence not in done.stderr] == []
    together = refused("token_mint", "shop", *(f"--scope={scope}" for scope in ODD_SCOPES))
    assert done.stderr == f"CommandError: {together[0]}\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--preset=admin"], '"admin" is no preset; valid presets are author, fulfilment, insights, operator, everyth'),
        (["--preset="], '"" is no preset'),
        (["--scope=storefront:read,orders:read", "--customer=7"], "never goes together with back-office scopes"),
        (["--scope=storefront:read", "--preset=author"], "never goes together with back-office scopes"),
        (["--scope=storefront:read"], "acts for one customer: say which, by id."),
        (
            ["--customer=7"],
            "only with storefront scopes (storefront:read, storefront:write); asked for were store:read.",
        ),
        (["--scope=storefront:read", "--customer=0"], "from 1 to 2147483647, got 0."),
        (["--scope=storefront:read", "--customer=-1"], "from 1 to 2147483647, got '-1'."),
        (["--scope=storefront:read", "--customer=1.0"], "from 1 to 2147483647, got '1.0'."),
        (["--scope=storefront:read", "--customer=\u0661"], "from 1 to 2147483647, got '\\u0661'."),
        (["--scope=storefront:read", "--customer=2147483648"], "from 1 to 2147483647, got 2147483648."),
        (["--scope=storefront:read", "--customer="], "from 1 to 2147483647, got ''."),
        (["--expires=soon"], "The expiry 'soon' cannot be read; valid are 90d"),
    ],
)
def test_mint_refuses_what_cannot_be_and_makes_nothing(options, sentence):
    message, code = refused("token_mint", "shop", *options)
    assert sentence in message
    assert code == 2
    assert Token.objects.count() == 0


@pytest.mark.parametrize("name", ["", "two\nlines", "x" * 61])
def test_mint_refuses_a_name_that_cannot_be_shown(name):
    message, code = refused("token_mint", name)
    assert message.startswith("A token's name must have 1 to 60 printable characters")
    assert (code, Token.objects.count()) == (2, 0)


def test_a_token_that_could_not_be_printed_is_not_made():
    class Full(StringIO):
        def write(self, text):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        call_command("token_mint", "shop", stdout=Full(), stderr=StringIO())
    assert Token.objects.count() == 0


# --- --expires ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("zone", "end"),
    [
        ("Pacific/Kiritimati", datetime(2027, 1, 1, 10, tzinfo=UTC)),
        ("UTC", datetime(2027, 1, 2, tzinfo=UTC)),
        ("Pacific/Pago_Pago", datetime(2027, 1, 2, 11, tzinfo=UTC)),
    ],
)
def test_a_day_is_valid_to_its_end_where_the_store_is(noon, monkeypatch, settings, zone, end):
    settings.TIME_ZONE = zone
    text = run("token_mint", "shop", "--expires=2027-01-01")[0].strip()
    assert Token.objects.get().expires == end
    monkeypatch.setattr(timezone, "now", lambda: end - timedelta(microseconds=1))
    authenticate(text)
    monkeypatch.setattr(timezone, "now", lambda: end)
    with pytest.raises(TokenRefused, match=f"^{re.escape(f'This token expired at {end.isoformat()}.')}$"):
        authenticate(text)


@pytest.mark.parametrize(
    ("zone", "is_over"), [("Pacific/Kiritimati", True), ("UTC", False), ("Pacific/Pago_Pago", False)]
)
def test_today_is_today_where_the_store_is(noon, settings, zone, is_over):
    settings.TIME_ZONE = zone
    if is_over:
        with pytest.raises(TokenInvalid, match=f"^The day 2026-12-31 is over in the time zone {zone}; valid are"):
            read_expiry("2026-12-31")
    else:
        assert read_expiry("2026-12-31") > NOON


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"])
@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("1d", datetime(2027, 1, 1, 12, tzinfo=UTC)),
        ("090d", datetime(2027, 3, 31, 12, tzinfo=UTC)),
        ("2027-01-01T18:00+01:00", datetime(2027, 1, 1, 17, tzinfo=UTC)),
        ("2027-01-01 18:00:30Z", datetime(2027, 1, 1, 18, 0, 30, tzinfo=UTC)),
        ("never", None),
    ],
)
def test_days_and_moments_are_the_same_in_every_zone(noon, settings, zone, given, moment):
    settings.TIME_ZONE = zone
    assert read_expiry(given) == moment


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"])
def test_the_last_day_is_stored_and_listed(noon, settings, zone):
    settings.TIME_ZONE = zone
    run("token_mint", "shop", "--expires=9998-12-31")
    assert json.loads(run("token_list", "--json")[0])["expires"].startswith("9999-01-01T00:00:00")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", f"The expiry '' cannot be read; valid are {FORMS}."),
        ("90", "The expiry '90' cannot be read"),
        ("90 d", "The expiry '90 d' cannot be read"),
        ("90D", "The expiry '90D' cannot be read"),
        ("-1d", "The expiry '-1d' cannot be read"),
        ("1.5d", "The expiry '1.5d' cannot be read"),
        ("\u0669d", "The expiry '\\u0669d' cannot be read"),
        ("1y", "The expiry '1y' cannot be read"),
        ("Never", "The expiry 'Never' cannot be read"),
        ("20270101", "The expiry '20270101' cannot be read"),
        ("2027-W01-1", "The expiry '2027-W01-1' cannot be read"),
        ("01.01.2027", "The expiry '01.01.2027' cannot be read"),
        ("0d", "A token of 0d would be over at once"),
        ("000d", "A token of 000d would be over at once"),
        ("2027-02-29", "2027-02-29 is no day of the calendar"),
        ("0000-01-01", "0000-01-01 is no day of the calendar"),
        ("2026-12-30", "The day 2026-12-30 is over in the time zone UTC"),
        ("0001-01-01", "The day 0001-01-01 is over in the time zone UTC"),
        (
            "9999-01-01",
            "in the year 9998 at the latest, asked for was 9999-01-01. For a token that does not expire, say never.",
        ),
        ("9999-12-31", "in the year 9998 at the latest, asked for was 9999-12-31."),
        ("9999999d", "in the year 9998 at the latest, asked for was 9999999d."),
        ("9" * 5000 + "d", "in the year 9998 at the latest, asked for was 9999999...d."),
        ("2027-01-01T18:00", "The moment 2027-01-01T18:00 needs an offset, such as 2027-01-01T18:00Z"),
        ("2027-01-01T25:00Z", "'2027-01-01T25:00Z' is no moment of the calendar"),
        ("2026-12-31T13:00+01:00", "The moment 2026-12-31T13:00+01:00 is over"),
        ("9999-12-31T23:59:59-23:00", "in the year 9998 at the latest, asked for was 9999-12-31T23:59:59-23:00."),
        ("0001-01-01T00:00:00+23:00", "The moment 0001-01-01T00:00:00+23:00 is over"),
    ],
)
def test_an_expiry_that_cannot_be_is_refused_in_a_sentence(noon, given, sentence):
    with pytest.raises(TokenInvalid) as refusal:
        read_expiry(given)
    assert sentence in refusal.value.message
    assert len(refusal.value.message) < 250


# --- token_list ---------------------------------------------------------------------------------------------------
@pytest.fixture
def three_tokens(monkeypatch):
    """An active, an expired and a revoked token, made at noon and listed two days later."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    made_here = [
        made("catalog:write", "orders:read", name="web shop"),
        made(name="old", expires=NOON + timedelta(days=1)),
        made("storefront:read", name="app", customer=7),
    ]
    authenticate(made_here[0][1])
    call_command("token_revoke", str(made_here[2][0].pk), stdout=StringIO())
    monkeypatch.setattr(timezone, "now", lambda: NOON + timedelta(days=2))
    return made_here


def test_list_shows_what_each_token_opens_and_its_state(three_tokens):
    output, errors = run("token_list")
    first, second, third = (token.pk for token, _ in three_tokens)
    heads, *rows = [re.split(r"\s{2,}", line) for line in output.splitlines()]
    at_noon = "2026-12-31T12:00:00+00:00"
    assert heads == ["id", "name", "scopes", "customer", "created", "created by", "expires", "last used", "state"]
    assert rows == [
        [
            str(first),
            "web shop",
            "catalog:write,orders:read,store:read",
            "-",
            at_noon,
            "command",
            "-",
            at_noon,
            "active",
        ],
        [str(second), "old", "store:read", "-", at_noon, "command", "2027-01-01T12:00:00+00:00", "-", "expired"],
        [str(third), "app", "storefront:read", "7", at_noon, "command", "-", "-", "revoked"],
    ]
    assert errors == ""
    assert {
        line.index(cell) for line, cell in zip(output.splitlines(), ("scopes", "catalog:w", "store:r"), strict=False)
    } == {len("id  web shop  ")}


def test_list_as_json_has_one_object_a_line(three_tokens, settings):
    settings.TIME_ZONE = "Pacific/Kiritimati"
    output, _ = run("token_list", "--json")
    lines = [json.loads(line) for line in output.splitlines()]
    assert lines[0] == {
        "id": three_tokens[0][0].pk,
        "name": "web shop",
        "scopes": ["catalog:write", "orders:read", "store:read"],
        "customer": None,
        "created": "2027-01-01T02:00:00+14:00",
        "created_by": "command",
        "expires": None,
        "last_used": "2027-01-01T02:00:00+14:00",
        "state": "active",
    }
    assert [(each["state"], each["customer"]) for each in lines[1:]] == [("expired", None), ("revoked", 7)]


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_list_shows_no_secret_and_no_hash(three_tokens, options):
    output, errors = run("token_list", *options)
    for token, text in three_tokens:
        assert token.digest not in output + errors
        assert text.split("_", 2)[2] not in output + errors


def test_list_of_no_tokens_says_how_to_make_one():
    assert run("token_list") == ("", "There are no tokens; manage.py token_mint makes one.\n")
    assert run("token_list", "--json") == ("", "")


# --- token_revoke and token_narrow --------------------------------------------------------------------------------
def test_revoke_says_what_it_did_and_that_it_was_done_before():
    token, text = made()
    assert run("token_revoke", str(token.pk)) == (
        f'Revoked token #{token.pk} "shop": it opens nothing from now on.\n',
        "",
    )
    with pytest.raises(TokenRefused, match="revoked"):
        authenticate(text)
    assert run("token_revoke", str(token.pk)) == (
        f'token #{token.pk} "shop" was revoked before; nothing changed.\n',
        "",
    )


@pytest.mark.parametrize("command", ["token_revoke", "token_narrow"])
@pytest.mark.parametrize("number", ["0", "999999", "-1", "x", "", "9999999999", "1" * 5000, "\u0661"])
def test_an_unknown_id_is_answered_with_the_known_ones(command, number):
    options = ["--scope=orders:read"] if command == "token_narrow" else []
    message, _ = refused(command, *options, "--", number)
    assert message == f"There is no token {number[:20]!a}. There are none yet: manage.py token_mint makes one."
    (first, _), (second, _) = made(), made()
    message, code = refused(command, *options, "--", number)
    assert message == (
        f"There is no token {number[:20]!a}. The ids are {first.pk}, {second.pk}; "
        "manage.py token_list says which is which."
    )
    assert code == 1


def test_of_many_ids_the_first_are_named():
    ids = [made()[0].pk for _ in range(51)]
    message, _ = refused("token_revoke", "999999")
    assert f"The ids are {', '.join(map(str, ids[:50]))}, ...; manage.py" in message


def test_narrow_says_what_is_left_and_never_gives_more():
    token, text = made("catalog:write", "orders:read")
    number = str(token.pk)
    assert run("token_narrow", number, "--scope=catalog:read") == (
        f'Narrowed token #{number} "shop": it holds catalog:read, store:read from now on.\n',
        "",
    )
    assert authenticate(text).grant.scopes == {"catalog:read"}
    assert refused("token_narrow", number, "--preset=fulfilment") == (
        f'token #{number} "shop" holds catalog:read, store:read and cannot be given customers:read, orders:write. '
        "Nothing changed; manage.py token_mint makes a token that holds more.",
        2,
    )
    assert refused("token_narrow", number) == (
        f'Say with --scope or --preset what token #{number} "shop" keeps of catalog:read, store:read; '
        f"to take everything away, use: manage.py token_revoke {number}",
        2,
    )
    message, code = refused("token_narrow", number, "--scope=*")
    assert (message.startswith('"*" is a wildcard'), code) == (True, 2)
    assert authenticate(text).grant.scopes == {"catalog:read"}


def test_narrow_leaves_a_revoked_token_alone():
    token, _ = made("catalog:write")
    run("token_revoke", str(token.pk))
    message, _ = refused("token_narrow", str(token.pk), "--scope=catalog:read")
    assert message == f'token #{token.pk} "shop" was revoked: it opens nothing that could be taken away.'
    assert Token.objects.get().scopes == "catalog:write"


# --- token_scopes -------------------------------------------------------------------------------------------------
def test_scopes_lists_areas_entities_presets_and_tools():
    output, errors = run("token_scopes")
    lines = output.splitlines()
    assert errors == ""
    assert [line.partition(":")[0].strip() for line in lines[1 : 1 + 3 * len(AREAS) : 3]] == list(AREAS)
    place = lines.index("  system: the installation itself: migrations, system variables, orphaned texts")
    assert lines[place + 1] == "    scopes    system:read, system:write"
    assert "    scopes    store:write" in lines
    assert "    scopes    code:write" in lines
    shown = [name for line in lines if line.startswith("    entities  ") for name in line[14:].split(", ")]
    assert sorted(set(shown) - {"none yet"}) == sorted(entities())
    assert len(shown) - shown.count("none yet") == len(entities())
    assert "  fulfilment  orders:write, customers:read" in lines
    assert "  storefront:read, storefront:write" in lines
    told = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[lines.index("Tools") + 1 :]}
    assert list(told) == [tool.name for tool in tools()]
    assert told["cbx_get_entity"] == "every back-office grant"
    assert told["cbx_update_entity"] == (
        "any of catalog:write, store:write, customers:write, orders:write, conversations:write, system:write"
    )


def test_scopes_tells_the_tools_that_there_are(monkeypatch):
    own = replace(tools()[0], name="count_crates", scope="orders:read")
    monkeypatch.setattr(token_scopes, "tools", lambda: (own,))
    assert run("token_scopes")[0].endswith("\nTools\n  count_crates  orders:read\n")


# --- make_demo_token ----------------------------------------------------------------------------------------------
def test_the_demos_token_is_made_once_and_kept_for_its_owner_alone(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    kept = tmp_path / "demo-token"
    output, errors = run("make_demo_token")
    token = Token.objects.get()
    text = kept.read_text()
    assert output == ""
    assert errors == f'Made token #{token.pk} "demo": catalog:write, store:read; kept in {kept}.\n'
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert run("make_demo_token") == ("", f'token #{token.pk} "demo" is kept in {kept}.\n')
    assert kept.read_text() == text
    assert Token.objects.get().last_used is None
    assert authenticate(text.removesuffix("\n")).grant == parse_scopes([], ["author"])


def test_a_kept_token_that_is_refused_is_told_and_left(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    kept = tmp_path / "demo-token"
    run("make_demo_token")
    text = kept.read_text()
    run("token_revoke", str(Token.objects.get().pk))
    assert run("make_demo_token")[1] == (
        f"This token was revoked. It is kept in {kept}: delete that file, and the next run makes another.\n"
    )
    assert (kept.read_text(), Token.objects.count()) == (text, 1)
    kept.unlink()
    run("make_demo_token")
    assert Token.objects.count() == 2


def test_a_demo_token_that_cannot_be_kept_is_not_made(tmp_path, settings):
    settings.VAR_DIR = tmp_path / "absent"
    with pytest.raises(FileNotFoundError):
        run("make_demo_token")
    assert Token.objects.count() == 0
