"""Unique constraints of an entity, checked in words before the database enforces them."""

from collections.abc import Iterator

from django.db import models

from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, properties
from configbox.properties.issues import Issue, shown


def unique_issues(model: type[Entity], values: RecordValues, touched: set[str] | None) -> Iterator[Issue]:
    """Yield an issue per constraint that another record holds already. `touched` narrows to what a write changes."""
    for constraint in model._meta.constraints:
        if not isinstance(constraint, models.UniqueConstraint):
            continue
        fields = [properties(model)[name] for name in constraint.fields]
        if touched is not None and not touched & {each.key for each in fields}:
            continue
        wanted = {each.attname: values[each.key] for each in fields}  # type: ignore[attr-defined]
        if any(value is None or value == "" for value in wanted.values()):
            continue
        other = model.objects.filter(**wanted).exclude(pk=values.id).values_list("pk", flat=True).first()
        if other is not None:
            last = fields[-1]
            kind = model._meta.verbose_name
            if len(fields) == 1:
                fault = f"must be unique: {kind} {other} already has {shown(values[last.key])}."
            else:
                beside = " and ".join(f"{each.label(each.key)} {values[each.key]}" for each in fields[:-1])
                fault = f"{shown(values[last.key])} stands once with {beside}: {kind} {other} links them already."
            yield Issue(last.key, "unique", f"Field {last.label(last.key)} {fault}")
