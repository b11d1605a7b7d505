"""The base of every record that doors show, and what an entity declares about itself."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from django.apps import apps
from django.db import models

from configbox.properties.base import Property
from configbox.properties.issues import Issue
from configbox.properties.translated import Translated

if TYPE_CHECKING:
    from configbox.properties.conditions import RecordValues

OPERATIONS = ("list", "read", "create", "update", "delete")
SINGLETON_OPERATIONS = ("list", "read", "update")
READ_OPERATIONS = ("list", "read")

CheckFunction = Callable[["RecordValues"], Iterable[Issue]]


@dataclass(frozen=True)
class Check:
    """A rule over several properties. It runs when a write touches one of the keys it reads."""

    reads: tuple[str, ...]
    run: CheckFunction


def check(*reads: str) -> Callable[[CheckFunction], "staticmethod[Any, Any]"]:
    """Mark a function of a model as a rule over the named properties: it takes the values and yields issues."""

    def mark(function: CheckFunction) -> "staticmethod[Any, Any]":
        function.checked_reads = reads  # type: ignore[attr-defined]
        return staticmethod(function)

    return mark


@dataclass(frozen=True)
class EntityOptions:
    """What an entity declares in its `class Options`, completed by what follows from it.

    `title` names the property by which a sentence calls a record; `ordering` the properties a list is sorted by
    unless asked otherwise; `stands_for` the reference whose record a linking row is called by; `singleton` that
    there is exactly one record, with id 1; `frozen` why no door writes it, "" when doors do.
    """

    name: str
    area: str
    title: str
    operations: tuple[str, ...] = OPERATIONS
    ordering: tuple[str, ...] = ("id",)
    stands_for: str = ""
    singleton: bool = False
    frozen: str = ""
    checks: tuple[Check, ...] = field(default=())

    @property
    def writable(self) -> bool:
        return not self.frozen


class Entity(models.Model):
    """A record with an id and a revision that only ever grows."""

    id = models.AutoField(primary_key=True)
    rev = models.IntegerField(default=1, editable=False)

    objects: "ClassVar[models.Manager[Any]]" = models.Manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @classmethod
    def options(cls) -> EntityOptions:
        """Return what the model declares as an entity."""
        return _options(cls)


@cache
def _options(model: type[Entity]) -> EntityOptions:
    declared = {name: value for name, value in vars(model.Options).items() if not name.startswith("__")}  # type: ignore[attr-defined]
    found = []
    for klass in model.__mro__:
        for member in vars(klass).values():
            function = getattr(member, "__func__", None)
            if isinstance(member, staticmethod) and hasattr(function, "checked_reads"):
                found.append(Check(function.checked_reads, function))  # type: ignore[union-attr, arg-type]
    if declared.get("singleton"):
        declared.setdefault("operations", SINGLETON_OPERATIONS)
    if declared.get("frozen"):
        declared.setdefault("operations", READ_OPERATIONS)
    declared.setdefault("title", "title")
    return EntityOptions(**declared, checks=tuple(found))


@cache
def properties(model: type[Entity]) -> dict[str, Property]:
    """Return a model's properties by name, in the order they are declared; what it takes from a mixin comes last."""
    mixed_in = {
        each.name
        for base in model.__mro__[1:]
        if hasattr(base, "_meta")
        for each in (*base._meta.local_fields, *base._meta.private_fields)
    }
    fields: list[Any] = [each for each in model._meta.get_fields() if isinstance(each, Property)]
    fields.sort(key=lambda each: (each.name in mixed_in, each.creation_counter))
    return {each.name: each for each in fields}


def translated_properties(model: type[Entity]) -> list[Translated]:
    return [each for each in properties(model).values() if isinstance(each, Translated)]


def key_map(model: type[Entity], tags: Iterable[str]) -> dict[str, Property]:
    """Return `{API key: property}` for the given languages, in the order they are declared."""
    tags = list(tags)
    return {key: each for each in properties(model).values() for key in each.keys(tags)}


def entity_models() -> list[type[Entity]]:
    """Return every entity's model, by the order of the apps and of their models."""
    return [model for model in apps.get_models() if issubclass(model, Entity)]
