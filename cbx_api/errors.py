"""Errors and the answers they become: which status, the pipeline's own sentence, its issues."""

import logging

from django.db import DatabaseError
from django.http import HttpResponse

from cbx_api.envelope import Headers, error_response
from configbox.entities.errors import (
    NAMED_BLOCKERS,
    Conflict,
    EntityError,
    InUse,
    Invalid,
    NotDeletable,
    NotFound,
    NotOffered,
    Refused,
    StorageFailed,
)
from configbox.operations.database_state import hindrance
from configbox.properties.issues import Issue, shown

logger = logging.getLogger("configbox.api")

# The first that fits counts.
STATUS_OF: tuple[tuple[type[EntityError], int], ...] = (
    (NotOffered, 405),
    (Refused, 403),
    (NotFound, 404),
    (InUse, 409),
    (NotDeletable, 409),
    (Conflict, 409),
    (Invalid, 422),
    (StorageFailed, 500),
)


class Refusal(Exception):
    """A request that comes to no work: its status, what is wrong, and headers that say more."""

    def __init__(self, status: int, message: str, headers: Headers | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}


def answer_to(error: Exception) -> HttpResponse | None:
    """Return the answer that an error becomes, or None for one that nobody foresaw."""
    if isinstance(error, Refusal):
        return error_response(error.status, error.message, headers=error.headers)
    if isinstance(error, EntityError):
        present = error.present if isinstance(error, Conflict) else None
        return error_response(_status_of(error), error.message, issues=_issues_of(error), present=present)
    if isinstance(error, DatabaseError):
        logger.error("The database failed outside of a write", exc_info=error)
        return error_response(503, hindrance() or "The database of this store failed to answer. Try again in a moment.")
    return None


def _status_of(error: EntityError) -> int:
    if isinstance(error, Invalid) and error.subject == "request":
        return 400
    if isinstance(error, Conflict) and error.present is not None:
        # Only a revision that was named can be stale.
        return 412
    return next(status for kind, status in STATUS_OF if isinstance(error, kind))


def _issues_of(error: EntityError) -> list[Issue]:
    if isinstance(error, Invalid):
        return error.issues
    if isinstance(error, InUse):
        return [
            Issue(
                blocker.field,
                "not_deletable",
                f"It {blocker.holds} {blocker.model._meta.verbose_name} {blocker.id} {shown(blocker.title)}.",
            )
            for blocker in error.blockers[:NAMED_BLOCKERS]
        ]
    if isinstance(error, NotDeletable):
        return [Issue("id", "not_deletable", error.message)]
    return []
