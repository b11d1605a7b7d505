"""`manage.py token_scopes`: what can be granted and what each grant opens, told from the running code."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand

from cbx_mcp.tools.registry import tools
from configbox.access.grants import Grant, grant_includes
from configbox.access.scopes import (
    ANY_WRITE,
    ANY_WRITE_SCOPES,
    AREA_CONTENTS,
    FLOOR,
    GRANTABLE,
    PRESETS,
    STOREFRONT_SCOPES,
)
from configbox.entities.registry import entities


class Command(BaseCommand):
    help = "Lists the areas with their scopes and entities, the presets, and the tools with the scope each needs."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in _lines():
            self.stdout.write(line)


def _lines() -> Iterator[str]:
    yield "Areas"
    for area, contents in AREA_CONTENTS.items():
        yield f"  {area}: {contents}"
        yield f"    scopes    {_joined(scope for scope in GRANTABLE if scope.startswith(f'{area}:'))}"
        yield f"    entities  {_joined(_entities_of(area))}"
    yield f"  {FLOOR} is part of every grant and cannot be granted. Write covers read of the same area."
    yield ""
    yield "Scopes of a shopper, for one customer and never with others"
    yield f"  {_joined(STOREFRONT_SCOPES)}"
    yield ""
    yield "Presets"
    yield from _columns(PRESETS, (_joined(scopes) for scopes in PRESETS.values()))
    yield ""
    yield "Tools"
    yield from _columns([tool.name for tool in tools()], (_needed(tool.scope) for tool in tools()))


def _entities_of(area: str) -> list[str]:
    return [name for name, model in entities().items() if model.options().area == area]


def _needed(scope: str) -> str:
    if grant_includes(Grant.nothing(), scope):
        return "every back-office grant"
    return f"any of {_joined(ANY_WRITE_SCOPES)}" if scope == ANY_WRITE else scope


def _columns(names: Iterable[str], texts: Iterable[str]) -> Iterator[str]:
    names = list(names)
    width = max(map(len, names), default=0)
    return (f"  {name:{width}}  {text}" for name, text in zip(names, texts, strict=True))


def _joined(names: Iterable[str]) -> str:
    return ", ".join(names) or "none yet"
