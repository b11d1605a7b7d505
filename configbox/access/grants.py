"""What one caller holds, and `grant_includes`, the only function that decides what it may do."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from configbox.access.scopes import (
    ANY_READ,
    ANY_WRITE,
    ANY_WRITE_SCOPES,
    FLOOR,
    GRANTABLE,
    MEANINGLESS,
    NEEDS,
    PRESETS,
    READ,
    STOREFRONT_SCOPES,
    WRITE,
)


class ScopeRefused(ValueError):
    """Scopes or presets that cannot be granted. `refused` names them, the message says why and what is valid."""

    def __init__(self, refused: list[str], message: str) -> None:
        super().__init__(message)
        self.refused = tuple(refused)
        self.message = message


@dataclass(frozen=True)
class Grant:
    """The scopes of one caller: of the back office, or (`storefront`) of one shopper; never of both."""

    scopes: frozenset[str] = frozenset()
    storefront: bool = False

    def __post_init__(self) -> None:
        valid = STOREFRONT_SCOPES if self.storefront else GRANTABLE
        if foreign := self.scopes.difference(valid):
            door = "storefront" if self.storefront else "back-office"
            raise ValueError(f"A {door} grant cannot hold {', '.join(sorted(foreign))}; valid are {', '.join(valid)}.")

    @classmethod
    def everything(cls) -> Self:
        """Return the grant of whoever has a shell: every scope, `code:write` too."""
        return cls(frozenset(GRANTABLE))

    @classmethod
    def nothing(cls) -> Self:
        """Return the grant of a caller that was given no scope: it holds the floor alone."""
        return cls()

    def describe(self) -> str:
        """Name the scopes held, in their declared order, the floor included: `catalog:write, store:read`."""
        if self.storefront:
            return ", ".join(scope for scope in STOREFRONT_SCOPES if scope in self.scopes) or "none"
        return ", ".join([*(scope for scope in GRANTABLE if scope in self.scopes), FLOOR])


def grant_includes(grant: Grant, needed: str) -> bool:
    """Say whether `grant` opens what needs `needed`: an `area:level`, ANY_READ or ANY_WRITE.

    Write covers read inside an area; nothing covers anything in another area. Raises ValueError for a need that is
    no scope, so that a misspelt one never opens or closes a door silently.
    """
    if needed not in NEEDS:
        raise ValueError(f"Nothing can need the scope {needed!r}; valid are {', '.join(NEEDS)}.")
    if grant.storefront != (needed in STOREFRONT_SCOPES):
        return False
    if needed in (FLOOR, ANY_READ):
        return True
    if needed == ANY_WRITE:
        return not grant.scopes.isdisjoint(ANY_WRITE_SCOPES)
    area, level = needed.split(":")
    return needed in grant.scopes or (level == READ and f"{area}:{WRITE}" in grant.scopes)


def read_only(grant: Grant) -> Grant:
    """Return the grant narrowed to reading: write becomes read of the same area, `code:write` falls away."""
    reading = {f"{scope.split(':')[0]}:{READ}" for scope in grant.scopes}
    valid = STOREFRONT_SCOPES if grant.storefront else GRANTABLE
    return Grant(frozenset(reading.intersection(valid)), grant.storefront)


def parse_scopes(names: Iterable[object], presets: Iterable[object] = ()) -> Grant:
    """Return the grant of the named scopes and presets together; no name at all gives the floor alone.

    Raises ScopeRefused naming every bad one: unknown, misspelt, a wildcard, the floor, or storefront scopes mixed
    with back-office ones.
    """
    names, presets = list(names), list(presets)
    faults: dict[str, str] = {}
    for name in names:
        if not (isinstance(name, str) and name in (*GRANTABLE, *STOREFRONT_SCOPES)):
            faults[str(name)] = _scope_fault(name)
    held = {name for name in names if isinstance(name, str)}
    for preset in presets:
        if isinstance(preset, str) and preset in PRESETS:
            held.update(PRESETS[preset])
        else:
            faults[str(preset)] = f"{_quoted(preset)} is no preset; valid presets are {', '.join(PRESETS)}."
    shopping = held.intersection(STOREFRONT_SCOPES)
    if shopping and (presets or held.difference(STOREFRONT_SCOPES)):
        for name in sorted(shopping):
            faults[name] = f"{_quoted(name)} belongs to a shopper and never goes together with back-office scopes."
    if faults:
        valid = f"Valid scopes: {', '.join(GRANTABLE)}."
        raise ScopeRefused(list(faults), " ".join([*faults.values(), valid]))
    return Grant(frozenset(held), storefront=bool(shopping))


def _scope_fault(name: object) -> str:
    if name == FLOOR:
        return f"{_quoted(name)} is part of every grant and cannot be granted: leave it out."
    if name == MEANINGLESS:
        return f"{_quoted(name)} does not exist: who reads the catalog reads its code, so ask for catalog:read."
    if isinstance(name, str) and "*" in name:
        return f"{_quoted(name)} is a wildcard and there are none: name each scope, or use a preset."
    return f"{_quoted(name)} is no scope{_closest(name, (*GRANTABLE, *STOREFRONT_SCOPES))}."


def _quoted(name: object) -> str:
    return f'"{name}"' if isinstance(name, str) else str(name)


def _closest(name: object, valid: tuple[str, ...]) -> str:
    found = get_close_matches(name.strip().lower(), valid, n=1) if isinstance(name, str) else []
    return f"; the closest is {found[0]}" if found else ""
