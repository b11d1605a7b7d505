"""System checks of property declarations: a wrong name fails `manage.py check` with an id and a hint."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.db import models

from configbox.access.scopes import AREAS
from configbox.properties.entity import Entity, entity_models, properties
from configbox.properties.prop import PLATFORMS
from configbox.properties.references import Reference
from configbox.properties.translated import Translated


def check_properties(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Return every fault in the declarations of the entities."""
    found: list[checks.CheckMessage] = []
    numbers: dict[int, str] = {}
    names: dict[str, type[Entity]] = {}
    for model in entity_models():
        found += _check_options(model, names)
        for each in properties(model).values():
            where = f"{model.__name__}.{each.name}"
            for path in each.prop.applies_when:
                if fault := _path_fault(model, path):
                    found.append(
                        _error(
                            f"{where}: applies_when names {path!r}: {fault}",
                            "E001",
                            "Use a property's name, or a path through references.",
                        )
                    )
            if each.prop.sensitive and (each.prop.listing is not None or each.prop.filter or each.prop.search):
                found.append(
                    _error(f"{where} is sensitive and shown in lists.", "E002", "Drop listing, filter and search.")
                )
            for platform in [*each.prop.platforms, *each.prop.platform_defaults]:
                if platform not in PLATFORMS:
                    found.append(
                        _error(
                            f"{where} names platform {platform!r}.", "E003", f"Platforms are {', '.join(PLATFORMS)}."
                        )
                    )
            if isinstance(each, Translated):
                if other := numbers.get(each.number):
                    found.append(
                        _error(
                            f"{where} has the text number {each.number} of {other}.",
                            "E004",
                            "Take a number that was never used.",
                        )
                    )
                numbers[each.number] = where
        for rule in model.options().checks:
            for name in rule.reads:
                if name not in properties(model):
                    found.append(
                        _error(
                            f"{model.__name__}: a check reads {name!r}, which is no property.",
                            "E005",
                            "Name properties as the model declares them.",
                        )
                    )
        columns = [each.prop.listing for each in properties(model).values() if each.prop.listing is not None]
        if len(columns) != len(set(columns)):
            found.append(
                _error(f"{model.__name__} lists two properties in one place.", "E006", "Give each listing number once.")
            )
    return found


def _check_options(model: type[Entity], names: dict[str, type[Entity]]) -> list[checks.CheckMessage]:
    found = []
    options = model.options()
    if options.name in names:
        found.append(
            _error(
                f"{model.__name__} is called {options.name!r}, as is {names[options.name].__name__}.",
                "E007",
                "Names are unique.",
            )
        )
    names[options.name] = model
    if options.area not in AREAS:
        found.append(_error(f"{model.__name__} is in area {options.area!r}.", "E008", f"Areas are {', '.join(AREAS)}."))
    for name in [options.title, *([options.stands_for] if options.stands_for else [])]:
        if name not in properties(model):
            found.append(
                _error(f"{model.__name__}: {name!r} is no property.", "E009", "title and stands_for name properties.")
            )
    return found


def _path_fault(model: type[Entity], path: str) -> str:
    steps = path.split(".")
    here: type[models.Model] = model
    for number, step in enumerate(steps):
        if not issubclass(here, Entity) or step not in properties(here):
            return f"{here.__name__} has no property {step!r}."
        each = properties(here)[step]
        if number < len(steps) - 1:
            if not isinstance(each, Reference):
                return f"{step!r} is no reference."
            here = each.target
    return ""


def _error(message: str, number: str, hint: str) -> checks.CheckMessage:
    return checks.Error(message, hint=hint, id=f"configbox.{number}")
