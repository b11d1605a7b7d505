"""The vocabulary of scopes: what is derived from the areas must come out as documented."""

from configbox.access.scopes import ANY_WRITE_SCOPES, AREAS, GRANTABLE, PRESETS


def test_there_are_seven_areas_and_twelve_grantable_scopes():
    assert AREAS == ("catalog", "store", "customers", "orders", "conversations", "code", "system")
    assert GRANTABLE == (
        "catalog:read",
        "catalog:write",
        "store:write",
        "customers:read",
        "customers:write",
        "orders:read",
        "orders:write",
        "conversations:read",
        "conversations:write",
        "code:write",
        "system:read",
        "system:write",
    )


def test_presets_expand_as_documented_and_none_carries_code():
    assert PRESETS == {
        "author": ("catalog:write",),
        "fulfilment": ("orders:write", "customers:read"),
        "insights": ("catalog:read", "conversations:read"),
        "operator": ("store:write", "system:write"),
        "everything": (
            "catalog:write",
            "store:write",
            "customers:write",
            "orders:write",
            "conversations:write",
            "system:write",
        ),
    }
    assert "code:write" not in ANY_WRITE_SCOPES
