"""The first half of a write: what was sent and what is there become a new image, or a list of issues.

Nothing is stored here. Rows that the new image names are locked, so that they are still there when it is stored.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from configbox.entities.errors import Invalid
from configbox.entities.extensions import write_checks
from configbox.entities.images import Image
from configbox.entities.view import current
from configbox.languages.tags import TAG, flat_key
from configbox.properties.base import Property, identical
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, key_map, properties
from configbox.properties.files import Upload
from configbox.properties.issues import Issue, Refused, closest, shown
from configbox.properties.owned import Computed
from configbox.properties.schema import writable_keys
from configbox.properties.uniqueness import unique_issues

logger = logging.getLogger("configbox.entities")


@dataclass
class Decision:
    """The image to store, the keys that this write touched, and faults that were there before."""

    image: Image
    touched: set[str] = field(default_factory=set)
    # Keys whose values were chosen here, not sent: choosing again is no fault of the caller's.
    filled: set[str] = field(default_factory=set)
    warnings: list[Issue] = field(default_factory=list)


def decide(
    model: type[Entity],
    sent: Mapping[str, Any],
    *,
    tags: Sequence[str],
    language: str,
    record: Entity | None = None,
    before: Image | None = None,
    presented: Mapping[str, Any] | None = None,
) -> Decision:
    """Return what a write would store. Raises Invalid with every issue found.

    For an update `record`, its image `before` and the record as doors show it (`presented`) are given; for a create
    none of them.
    """
    creating = before is None
    start = initial_image(model, tags) if before is None else before
    decision = Decision(dict(start))
    issues = list(_assign(model, sent, decision, tags, start, presented))
    values = RecordValues(model, decision.image, record.pk if record else None, tags, language)
    refused = {issue.field for issue in issues}
    for each in properties(model).values():
        filled = {
            key: value for key, value in each.fill(values, decision.touched, creating).items() if key not in refused
        }
        decision.image |= filled
        decision.touched |= set(filled)
        decision.filled |= set(filled)
    if not creating:
        # What was emptied and filled itself as it was is no change.
        decision.touched = {key for key in decision.touched if decision.image[key] != start.get(key)}
    for issue, touched in _check(model, values, decision.touched, creating, tags):
        if issue.field in refused:
            continue
        if touched:
            issues.append(issue)
        else:
            decision.warnings.append(issue)
    if issues:
        raise Invalid(str(model._meta.verbose_name), issues)
    return decision


@cache
def _warn_of_default(model: type[Entity], name: str, fault: str) -> None:
    logger.warning("The default of %s.%s %s It is dropped.", model.__name__, name, fault)


def initial_image(model: type[Entity], tags: Iterable[str]) -> Image:
    """Return the image of a record in which nothing was sent.

    A declared default that its own property would refuse is dropped: the declaration wants mending, not the caller.
    """
    image: Image = {}
    for key, each in key_map(model, tags).items():
        if isinstance(each, Computed) or each.kind == "childentries":
            continue
        value = each.initial()
        if not each.is_empty(value) and each.representable:
            try:
                each.read(each.present(value))
            except Refused as refusal:
                _warn_of_default(model, each.name, refusal.message)
                value = None if each.accepts_null() else ""
        image[key] = value
    return image


def _assign(
    model: type[Entity],
    sent: Mapping[str, Any],
    decision: Decision,
    tags: Sequence[str],
    before: Image,
    presented: Mapping[str, Any] | None,
) -> Iterator[Issue]:
    known, writable = key_map(model, tags), writable_keys(model, tags)
    for key, raw in sent.items():
        each = known.get(key)
        if presented is not None and key in presented and _unchanged(each, raw, presented[key]):
            continue
        if each is None or key in ("id", "rev"):
            yield _unknown(model, key, known, tags)
            continue
        label = each.label(key)
        if key not in writable and not (isinstance(raw, Upload) or _shown_in_forms_alone(each)):
            reason = "is read-only" if each.representable else f"({each.kind}) cannot be written here"
            yield Issue(key, "readonly", f"Field {label} {reason}: leave it out, or send it as it was read.")
            continue
        try:
            value = each.combine(before.get(key), each.read(raw))
        except Refused as refusal:
            yield Issue(key, refusal.code, f"Field {label} {refusal.message}")
            continue
        if presented is not None and each.same(before.get(key), value):
            continue
        if presented is not None and each.prop.locked_after_store:
            yield Issue(
                key, "locked", f"Field {label} cannot change once the record is stored; it is {shown(presented[key])}."
            )
            continue
        decision.image[key] = value
        decision.touched.add(key)


def _shown_in_forms_alone(each: Property) -> bool:
    """Say whether a value that other doors cannot represent comes from the operator's form, which can."""
    is_written = each.kind != "childentries" and not each.prop.readonly
    return not each.representable and is_written and current().door == "admin"


def _unchanged(each: Property | None, raw: Any, presented: Any) -> bool:
    if each is None:
        return identical(raw, presented)
    return each.unchanged(raw, presented)


def _unknown(model: type[Entity], key: str, known: Mapping[str, Property], tags: Sequence[str]) -> Issue:
    if key in ("id", "rev"):
        return Issue(key, "readonly", f"Field {key} is read-only: leave it out, or send it as it was read.")
    for each in properties(model).values():
        if not each.translated:
            continue
        if key == each.name:
            flat = ", ".join(each.keys(tags))
            return Issue(key, "unknown", f"Field {shown(key)} has one text per language: send {flat}.")
        tail = key[len(each.name) + 1 :].replace("_", "-")
        if key.startswith((each.name + "-", each.name + "_", each.name + ".")) and TAG.fullmatch(tail):
            if tail in tags:
                return Issue(
                    key, "unknown", f"Field {shown(key)} is written with underscores: send {flat_key(each.name, tail)}."
                )
            message = f"Field {shown(key)} is in a language that is not active; active are {', '.join(tags)}."
            return Issue(key, "language", message)
    hint = closest(key, known) or f" cbx_describe_entity entity={model.options().name} names them."
    return Issue(key, "unknown", f"There is no field {shown(key)}.{hint}")


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def _check(
    model: type[Entity], values: RecordValues, touched: set[str], creating: bool, tags: Sequence[str]
) -> Iterator[tuple[Issue, bool]]:
    """Yield every fault of the new image, and whether this write touches it."""
    key_of = {each.name: set(each.keys(tags)) for each in properties(model).values()}

    def touches(names: Iterable[str]) -> bool:
        return any(key_of.get(name.split(".")[0], {name}) & touched for name in names)

    for each in properties(model).values():
        keys = [key for key in each.keys(tags) if key in values.values_by_key]
        if not keys:
            continue
        concerned = creating or bool(touched & set(keys))
        if each.prop.required and values.applies(each):
            reach = concerned or touches(each.prop.applies_when)
            for key in keys:
                if each.is_empty(values[key]) or _is_blank(values[key]):
                    yield (
                        Issue(key, "required", f"Field {each.label(key)} cannot be empty."),
                        reach and (creating or key in touched or touches(each.prop.applies_when)),
                    )
        if concerned or touched & set(each.reads()):
            relevant = [key for key in keys if creating or key in touched or touched & set(each.reads())]
            for key, refusal in each.faults(values, [key for key in relevant if not each.is_empty(values[key])]):
                yield Issue(key, refusal.code, f"Field {each.label(key)} {refusal.message}"), True
    for rule in model.options().checks:
        reach = creating or touches(rule.reads)
        for issue in rule.run(values):
            yield issue, reach
    for extra in write_checks(model):
        reach = creating or bool(touched & set(extra.reads))
        if reach:
            for issue in extra.run(values):
                yield issue, True
    for issue in unique_issues(model, values, None if creating else touched):
        yield issue, True


def fault_of(model: type[Entity], values: RecordValues, touched: set[str]) -> tuple[list[Issue], list[Issue]]:
    """Return what keeps an image from being stored at all, and what a write would refuse but a restore only reports."""
    hard: list[Issue] = []
    soft: list[Issue] = []
    for issue, concerned in _check(model, values, touched, False, values.tags):
        if issue.code in ("reference", "unique"):
            hard.append(issue)
        elif concerned:
            soft.append(issue)
    return hard, soft
