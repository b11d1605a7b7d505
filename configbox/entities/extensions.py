"""What upper rooms add to a write without this room importing them: checks, and what refers to a record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from configbox.entities.errors import Blocker
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity
from configbox.properties.issues import Issue


@dataclass(frozen=True)
class WriteCheck:
    """A rule over one entity that needs more than its own row. It runs when a write touches a key it reads."""

    entity: str
    reads: tuple[str, ...]
    run: Callable[[RecordValues], Iterable[Issue]]


ReferenceScanner = Callable[[type[Entity], int], Iterable[Blocker]]

_write_checks: list[WriteCheck] = []
_reference_scanners: list[ReferenceScanner] = []


def register_check(check: WriteCheck) -> None:
    """Add a check to every write of its entity."""
    if check not in _write_checks:
        _write_checks.append(check)


def register_reference_scanner(scanner: ReferenceScanner) -> None:
    """Add a search for what refers to a record without a foreign key: rules, formulas, code."""
    if scanner not in _reference_scanners:
        _reference_scanners.append(scanner)


def write_checks(model: type[Entity]) -> list[WriteCheck]:
    return [each for each in _write_checks if each.entity == model.options().name]


def reference_scanners() -> list[ReferenceScanner]:
    return list(_reference_scanners)
