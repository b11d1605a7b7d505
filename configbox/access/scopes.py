"""The vocabulary of grants: areas, levels, scopes and presets. Each is declared once; the rest is derived."""

from typing import Final

READ: Final = "read"
WRITE: Final = "write"
LEVELS: Final = (READ, WRITE)

# What each area holds, in the words that answers and documents use.
AREA_CONTENTS: Final = {
    "catalog": "products, pages, questions, answers, lists, detail panes, examples, rules, calculations",
    "store": "settings, store identity, currencies, taxes, shipping, payment methods, geography",
    "customers": "customers, addresses, reviews",
    "orders": "orders, quotes, their lines and tax rates, payments",
    "conversations": "advisor conversations and what came of them",
    "code": "expressions that the engine evaluates, always together with catalog:write",
    "system": "the installation itself: migrations, system variables, orphaned texts",
}
AREAS: Final = tuple(AREA_CONTENTS)

# Every back-office grant reads the store: a price or an address means nothing without it. It cannot be granted.
FLOOR: Final = "store:read"
# Reading a code calculation is reading the catalog, so this combination means nothing.
MEANINGLESS: Final = "code:read"

GRANTABLE: Final = tuple(
    scope for area in AREAS for level in LEVELS if (scope := f"{area}:{level}") not in (FLOOR, MEANINGLESS)
)

STOREFRONT: Final = "storefront"
STOREFRONT_SCOPES: Final = tuple(f"{STOREFRONT}:{level}" for level in LEVELS)

# Needs of tools that serve every area; which area a call touches is asked again where the entity is known.
ANY_READ: Final = "any:read"
ANY_WRITE: Final = "any:write"
# Writing code alone opens nothing, so it is no "write in some area".
ANY_WRITE_SCOPES: Final = tuple(f"{area}:{WRITE}" for area in AREAS if area != "code")

# All that a door may ask for.
NEEDS: Final = (FLOOR, *GRANTABLE, ANY_READ, ANY_WRITE, *STOREFRONT_SCOPES)

PRESETS: Final[dict[str, tuple[str, ...]]] = {
    "author": ("catalog:write",),
    "fulfilment": ("orders:write", "customers:read"),
    "insights": ("catalog:read", "conversations:read"),
    "operator": ("store:write", "system:write"),
    "everything": ANY_WRITE_SCOPES,
}
