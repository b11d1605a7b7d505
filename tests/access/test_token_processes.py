"""What one process does to a token, seen by the next request in others that are open and warm, in three time zones."""

import json
import subprocess
import sys
from contextlib import ExitStack

import pytest

from tests.own_store import ROOT, OwnStore, own_store

pytestmark = pytest.mark.thorough

ZONES = ("Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago")
REVOKED = "This token was revoked."


class Reader:
    def __init__(self, env):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.access.token_reader"],
            cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ask(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The same store as processes in each zone know it."""
    with own_store(tmp_path_factory.mktemp("tokens")) as store:
        found = {}
        for zone in ZONES:
            found[zone] = OwnStore(tmp_path_factory.getbasetemp(), store.url)
            found[zone].env = store.env | {
                "DJANGO_SETTINGS_MODULE": "tests.access.settings_time_zone",
                "STORE_TIME_ZONE": zone,
            }
        yield found


@pytest.fixture(scope="module")
def readers(stores):
    with ExitStack() as opened:
        found = [Reader(store.env) for store in stores.values()]
        for each in found:
            opened.callback(each.close)
        yield found


def minted(store, *options):
    """Mint in a process of its own; return the token's text and its id."""
    done = store.manage("token_mint", "shop", *options)
    assert done.stdout.count("\n") == 1
    text = done.stdout.rstrip("\n")
    assert text not in done.stderr
    assert text.split("_", 2)[2] not in done.stderr
    return text, text.split("_")[1]


def answers(readers, text):
    """Return what the readers say, which must be the same."""
    found = [each.ask(text) for each in readers]
    assert found == found[:1] * len(ZONES)
    return found[0]


def set_expiry(store, number, moment):
    code = (
        "from datetime import timedelta; from django.utils import timezone; "
        "from configbox.access.models import Token; "
        f"print(Token.objects.filter(pk={number}).update(expires=timezone.now() + {moment}))"
    )
    assert store.manage("shell", "--verbosity=0", "-c", code).stdout == "1\n"


def test_a_token_revoked_in_one_process_is_refused_by_every_other(stores, readers):
    text, number = minted(stores["UTC"], "--preset=author")
    assert answers(readers, text) == [f'token #{number} "shop"', ["catalog:write"]]
    assert stores["UTC"].manage("token_revoke", number).stdout == (
        f'Revoked token #{number} "shop": it opens nothing from now on.\n'
    )
    assert answers(readers, text) == REVOKED


def test_a_token_narrowed_in_one_process_holds_less_in_every_other(stores, readers):
    text, number = minted(stores["UTC"], "--scope=catalog:write,orders:read")
    assert answers(readers, text) == [f'token #{number} "shop"', ["catalog:write", "orders:read"]]
    stores["UTC"].manage("token_narrow", number, "--scope=catalog:read")
    assert answers(readers, text) == [f'token #{number} "shop"', ["catalog:read"]]
    done = stores["UTC"].manage("token_narrow", number, "--scope=catalog:write", check=False)
    assert done.returncode == 2
    assert "cannot be given catalog:write. Nothing changed" in done.stderr
    assert answers(readers, text) == [f'token #{number} "shop"', ["catalog:read"]]


@pytest.mark.parametrize("zone", ZONES)
def test_an_expiry_set_in_any_time_zone_counts_at_once_in_every_other(stores, readers, zone):
    text, number = minted(stores[zone])
    bearer = [f'token #{number} "shop"', []]
    assert answers(readers, text) == bearer
    set_expiry(stores[zone], number, "timedelta(seconds=-1)")
    assert answers(readers, text).startswith("This token expired at 20")
    set_expiry(stores[zone], number, "timedelta(hours=1)")
    assert answers(readers, text) == bearer


@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        ("Pacific/Kiritimati", "2090-01-01T10:00:00+00:00"),
        ("UTC", "2090-01-02T00:00:00+00:00"),
        ("Pacific/Pago_Pago", "2090-01-02T11:00:00+00:00"),
    ],
)
def test_a_day_of_expiry_ends_when_it_ends_where_the_store_is(stores, zone, moment):
    _, number = minted(stores[zone], "--expires=2090-01-01")
    listed = [json.loads(line) for line in stores["UTC"].manage("token_list", "--json").stdout.splitlines()]
    assert [each["expires"] for each in listed if each["id"] == int(number)] == [moment]
