"""The typed errors of the pipeline. Their sentences are made here, once, and shown on every door."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from configbox.properties.entity import Entity
from configbox.properties.issues import Issue, shown

NAMED_BLOCKERS = 10
# Of more issues than these the first are told and the others counted: an answer must not outgrow its request.
MAX_ISSUES = 50


class EntityError(Exception):
    """Base of what a read or a write may raise. `message` is the sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(EntityError):
    """There is no such record, or no such entity."""

    @classmethod
    def record(cls, model: type[Entity], pk: object) -> "NotFound":
        return cls(f"No {model._meta.verbose_name} found with id {pk}.")


class Invalid(EntityError):
    """What was sent cannot be taken. `issues` say where and why; nothing was stored.

    `subject` is the kind of record whose fields are at fault, or "request": then it is an argument of the call.
    """

    def __init__(self, subject: str, issues: Sequence[Issue]) -> None:
        self.subject = subject
        self.issues = list(issues[:MAX_ISSUES])
        if len(issues) > MAX_ISSUES:
            message = f"And {len(issues) - MAX_ISSUES} more: mend these first."
            self.issues.append(Issue(issues[MAX_ISSUES].field, "more", message))
        super().__init__(f"This {subject} is not valid. " + sentence(self.issues))


def sentence(issues: Sequence[Issue]) -> str:
    """Join issues for a reader who has no boxes to show them at: each sentence, then its key."""
    return " ".join(f"{issue.message} [{issue.field}]" for issue in issues)


@dataclass(frozen=True)
class Blocker:
    """A record that stands in the way of a delete. `holds` is "contains" for a part, "is used by" for a reference."""

    model: type[Entity]
    id: int
    title: str
    field: str
    holds: str = "is used by"


class InUse(EntityError):
    """The record cannot be deleted while others refer to it."""

    def __init__(self, model: type[Entity], blockers: Sequence[Blocker]) -> None:
        self.blockers = list(blockers)
        groups: dict[tuple[str, str], list[Blocker]] = {}
        for each in self.blockers:
            groups.setdefault((each.holds, str(each.model._meta.verbose_name_plural)), []).append(each)
        reasons = "; ".join(f"it {holds} {plural}: {_named(group)}" for (holds, plural), group in groups.items())
        super().__init__(f"Could not delete {model._meta.verbose_name}, because {reasons}.")


def _named(blockers: list[Blocker]) -> str:
    named = [f"{each.model._meta.verbose_name} {each.id} {shown(each.title)}" for each in blockers[:NAMED_BLOCKERS]]
    more = len(blockers) - NAMED_BLOCKERS
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


class NotDeletable(EntityError):
    """The record itself must stay, whoever refers to it."""


class Conflict(EntityError):
    """Somebody else was faster, or a record no longer holds what an undo expects. `present` is what it holds now."""

    def __init__(self, message: str, present: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.present = present


class Refused(EntityError):
    """The caller may not do this. Said before anything is looked up."""


class NotOffered(Refused):
    """Nobody may do this: the entity does not take the operation."""


class StorageFailed(EntityError):
    """The database failed. Nothing was stored; the identifier finds the details in the log."""

    def __init__(self, subject: object, identifier: str) -> None:
        self.identifier = identifier
        super().__init__(
            f"Could not store this {subject}. Nothing was changed; try again, and if it fails again give the "
            f'operator the identifier "{identifier}", which finds the cause in the log.'
        )
