"""The view inside which every door works: who acts, what they may, in which language, and whether anything stays."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.db import transaction
from django.utils import translation

from configbox.access.grants import Grant, grant_includes
from configbox.entities.errors import Invalid, Refused
from configbox.languages.active import active_tags
from configbox.properties.entity import Entity
from configbox.properties.issues import Issue, shown


@dataclass(frozen=True)
class View:
    """What a read or a write knows about its caller.

    `actor` is how logs and changes call them (`stdio`, `user #3`); `door` is the way they came (`stdio`, `admin`,
    `command`); `session` is what `changes.new_session` made for a session whose writes are one change set, else "".
    """

    actor: str
    door: str
    grant: Grant
    language: str | None = None
    dry_run: bool = False
    session: str = ""

    def require(self, model: type[Entity], level: str) -> None:
        """Raise Refused unless the grant opens the entity's area at `level`."""
        needed = f"{model.options().area}:{level}"
        if not grant_includes(self.grant, needed):
            verb = "Reading" if level == "read" else "Writing"
            raise Refused(
                f"{verb} {model._meta.verbose_name_plural} needs the scope {needed}, which this connection does not "
                f"hold. It holds {self.grant.describe()}; whoever set it up can grant more."
            )


_current: ContextVar[View | None] = ContextVar("configbox_view", default=None)


def current() -> View:
    """Return the view of the running call. Raises RuntimeError outside of one: a door forgot it."""
    found = _current.get()
    if found is None:
        raise RuntimeError("Entities are read and written inside `with entities.view(...)`.")
    return found


@contextmanager
def view(
    *, actor: str, grant: Grant, door: str, language: str | None = None, dry_run: bool = False, session: str = ""
) -> Iterator[View]:
    """Open the view of one call. A dry run does everything and keeps nothing, ids and changes included."""
    opened = View(actor, door, grant, language, dry_run, session)
    token = _current.set(opened)
    try:
        with translation.override(_catalogue(language)):
            if dry_run:
                with transaction.atomic():
                    yield opened
                    transaction.set_rollback(True)
            else:
                yield opened
    finally:
        _current.reset(token)


def _catalogue(language: str | None) -> str | None:
    """Return which of our own translations speaks a language: whatever was asked for, there are only so many."""
    try:
        return translation.get_supported_language_variant(language.lower()) if language else translation.get_language()
    except LookupError:
        return translation.get_language()


def view_tags() -> list[str]:
    """Return the active languages, after checking that the view's own is among them."""
    tags = active_tags()
    language = current().language
    if language is not None and language not in tags:
        message = f"language must be an active language of the store ({', '.join(tags)}), got {shown(language)}."
        raise Invalid("request", [Issue("language", "language", message)])
    return tags


def view_language(tags: list[str]) -> str:
    """Return the language for sorting, searching and display: the view's, else the leading one."""
    return current().language or (tags[0] if tags else "")
