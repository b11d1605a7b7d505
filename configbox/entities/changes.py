"""Recording what a write did, in the change set it belongs to."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from configbox.entities.errors import Invalid
from configbox.entities.images import Image, differences, owner_of
from configbox.entities.records import title_in
from configbox.entities.view import current
from configbox.properties.entity import Entity
from configbox.properties.issues import Issue, shown
from configbox.properties.json_values import write_json
from configbox.system.models import Change, ChangeSet

OPEN_FOR = timedelta(days=1)


def new_session(title: str) -> str:
    """Return a view's `session`: a new handle and the title of the one change set that collects its writes."""
    return f"{_new_handle()}:{title}"


def _new_handle() -> str:
    # Hexadecimal: on a command line, a handle that begins with a hyphen would be taken for an option.
    return secrets.token_hex(16)


def open_set(handle: str | None = None) -> ChangeSet:
    """Return the change set a write belongs to.

    The named one, which must be this actor's and open for at most a day; else the session's; else a new one, which
    its actor may name in later writes.
    """
    view = current()
    if handle is not None:
        found = ChangeSet.objects.select_for_update().filter(handle=handle, actor=view.actor).first()
        if found is None:
            raise _refused(
                handle,
                "you have no change set with this handle. A write without change_set opens one and returns its handle",
            )
        if found.state != ChangeSet.State.OPEN or found.created < timezone.now() - OPEN_FOR:
            state = found.state if found.state != ChangeSet.State.OPEN else "older than a day"
            raise _refused(handle, f"it is {state} and takes no more changes. Leave change_set out to open a new one")
        return found
    if view.session:
        name, _, title = view.session.partition(":")
        ChangeSet.objects.get_or_create(handle=name, defaults={"title": title, "actor": view.actor, "door": view.door})
        # An undo of the set and a write into it wait for each other.
        found = ChangeSet.objects.select_for_update().get(handle=name)
        if found.state != ChangeSet.State.OPEN:
            raise _refused(name, f"this session's set is {found.state}. Start a new session")
        return found
    return ChangeSet.objects.create(handle=_new_handle(), actor=view.actor, door=view.door)


def _refused(handle: str, reason: str) -> Invalid:
    return Invalid(
        "request", [Issue("change_set", "change_set", f"change_set {shown(handle)} cannot be used: {reason}.")]
    )


def record_change(
    change_set: ChangeSet,
    model: type[Entity],
    pk: int,
    operation: str,
    before: Image,
    after: Image,
    *,
    rev: int,
    tags: Sequence[str],
    language: str,
) -> Change:
    """Write one change: whole images for a create or a delete, the keys that differ for an update."""
    changed = differences(model, before, after)
    # What is empty belongs to a whole image too: a record that comes back would have its column's default there.
    keys = changed if operation == Change.Operation.UPDATE else list(after or before)
    kept = [key for key in keys if not owner_of(model, key).prop.sensitive]
    hidden = [key for key in changed if key not in kept]
    old, new = _part(before, kept), _part(after, kept)
    view = current()
    return Change.objects.create(
        change_set=change_set,
        entity=model.options().name,
        record=pk,
        title=title_in(model, after or before, tags, language)[:255],
        operation=operation,
        before=write_json(old),
        after=write_json(new),
        hidden=write_json(hidden),
        rev=rev,
        actor=view.actor,
        door=view.door,
    )


def _part(image: Image, keys: Sequence[str]) -> dict[str, Any]:
    return {key: image[key] for key in keys if key in image}
