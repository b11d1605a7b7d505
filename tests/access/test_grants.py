"""`grant_includes` against one hand-written table, and what may not become a grant at all."""

import pytest

from configbox.access.grants import Grant, ScopeRefused, grant_includes, parse_scopes, read_only
from configbox.access.scopes import GRANTABLE, NEEDS, PRESETS

FLOOR = "store:read any:read"

# What each grant opens, by hand: every other need is closed.
OPENS = {
    "nothing": FLOOR,
    "catalog:read": f"{FLOOR} catalog:read",
    "catalog:write": f"{FLOOR} catalog:read catalog:write any:write",
    "store:write": f"{FLOOR} store:write any:write",
    "customers:read": f"{FLOOR} customers:read",
    "customers:write": f"{FLOOR} customers:read customers:write any:write",
    "orders:read": f"{FLOOR} orders:read",
    "orders:write": f"{FLOOR} orders:read orders:write any:write",
    "conversations:read": f"{FLOOR} conversations:read",
    "conversations:write": f"{FLOOR} conversations:read conversations:write any:write",
    "code:write": f"{FLOOR} code:write",
    "system:read": f"{FLOOR} system:read",
    "system:write": f"{FLOOR} system:read system:write any:write",
    "author": f"{FLOOR} catalog:read catalog:write any:write",
    "fulfilment": f"{FLOOR} orders:read orders:write customers:read any:write",
    "insights": f"{FLOOR} catalog:read conversations:read",
    "operator": f"{FLOOR} store:write system:read system:write any:write",
    "everything": (
        f"{FLOOR} catalog:read catalog:write store:write customers:read customers:write orders:read orders:write "
        "conversations:read conversations:write system:read system:write any:write"
    ),
    "shell": (
        f"{FLOOR} catalog:read catalog:write store:write customers:read customers:write orders:read orders:write "
        "conversations:read conversations:write code:write system:read system:write any:write"
    ),
    "read-only shell": f"{FLOOR} catalog:read customers:read orders:read conversations:read system:read",
    "storefront:read": "storefront:read",
    "storefront:write": "storefront:read storefront:write",
}


def grant_named(name):
    if name == "nothing":
        return Grant.nothing()
    if name == "shell":
        return Grant.everything()
    if name == "read-only shell":
        return read_only(Grant.everything())
    return parse_scopes([], [name]) if name in PRESETS else parse_scopes([name])


def test_the_table_covers_every_scope_and_preset():
    assert set(OPENS) >= {*GRANTABLE, *PRESETS, "storefront:read", "storefront:write"}


@pytest.mark.parametrize("name", OPENS)
def test_a_grant_opens_what_the_table_says_and_nothing_else(name):
    grant = grant_named(name)
    assert {needed for needed in NEEDS if grant_includes(grant, needed)} == set(OPENS[name].split())


@pytest.mark.parametrize(
    "needed", ["", "catalog", "catalog:", "code:read", "Catalog:read", "*", "any:delete", "x:read"]
)
def test_a_need_that_is_no_scope_is_an_error_not_an_answer(needed):
    with pytest.raises(ValueError, match="Nothing can need the scope"):
        grant_includes(Grant.everything(), needed)


@pytest.mark.parametrize("level", ["read", "write"])
def test_no_level_of_one_area_opens_another(level):
    for scope in GRANTABLE:
        area = scope.split(":")[0]
        for other in ("catalog", "customers", "orders", "conversations", "system"):
            if other != area:
                assert not grant_includes(Grant(frozenset({scope})), f"{other}:{level}")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("*", '"*" is a wildcard and there are none'),
        ("admin", '"admin" is no scope.'),
        ("catalog", '"catalog" is no scope; the closest is catalog:'),
        ("catalog:*", '"catalog:*" is a wildcard'),
        ("Catalog:Write", '"Catalog:Write" is no scope; the closest is catalog:write.'),
        ("catalog:write ", '"catalog:write " is no scope; the closest is catalog:write.'),
        ("catalog:wirte", '"catalog:wirte" is no scope; the closest is catalog:write.'),
        ("store:read", '"store:read" is part of every grant'),
        ("code:read", '"code:read" does not exist'),
        ("any:write", '"any:write" is no scope'),
        ("", '"" is no scope.'),
        (None, "None is no scope."),
    ],
)
def test_an_odd_scope_is_refused_by_name(name, sentence):
    with pytest.raises(ScopeRefused) as refusal:
        parse_scopes(["orders:read", name])
    assert refusal.value.refused == (str(name),)
    assert sentence in refusal.value.message
    assert refusal.value.message.endswith(f"Valid scopes: {', '.join(GRANTABLE)}.")


def test_every_bad_name_is_told_at_once():
    with pytest.raises(ScopeRefused) as refusal:
        parse_scopes(["nonsense", "catalog:read", "*"], ["author", "boss"])
    assert refusal.value.refused == ("nonsense", "*", "boss")
    assert '"boss" is no preset; valid presets are author, fulfilment, insights, operator, everything.' in str(
        refusal.value
    )


def test_storefront_scopes_never_mix_with_back_office_ones():
    assert parse_scopes(["storefront:read"]) == Grant(frozenset({"storefront:read"}), storefront=True)
    for names, presets in [(["storefront:read", "orders:read"], []), (["storefront:write"], ["insights"])]:
        with pytest.raises(ScopeRefused, match="belongs to a shopper and never goes together"):
            parse_scopes(names, presets)


def test_scopes_and_presets_add_up():
    assert parse_scopes(["system:read"], ["insights", "author"]).scopes == {
        "system:read",
        "catalog:read",
        "catalog:write",
        "conversations:read",
    }


@pytest.mark.parametrize(
    ("scopes", "storefront"),
    [({"*"}, False), ({"store:read"}, False), ({"storefront:read"}, False), ({"catalog:read"}, True)],
)
def test_a_grant_cannot_be_built_around_the_vocabulary(scopes, storefront):
    with pytest.raises(ValueError, match="grant cannot hold"):
        Grant(frozenset(scopes), storefront)


def test_read_only_keeps_reading_and_drops_the_rest():
    assert read_only(parse_scopes(["code:write", "store:write", "orders:write"])).scopes == {"orders:read"}
    assert read_only(parse_scopes(["storefront:write"])) == Grant(frozenset({"storefront:read"}), storefront=True)


def test_a_grant_describes_itself_in_declared_order_with_the_floor():
    assert parse_scopes(["system:read", "catalog:write"]).describe() == "catalog:write, system:read, store:read"
    assert Grant.nothing().describe() == "store:read"
    assert Grant(storefront=True).describe() == "none"
