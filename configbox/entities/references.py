"""What refers to a record, and therefore keeps it from being deleted."""

from collections.abc import Sequence

from configbox.entities.errors import Blocker
from configbox.entities.extensions import reference_scanners
from configbox.entities.records import titles_of
from configbox.properties.entity import Entity, entity_models, properties
from configbox.properties.owned import References
from configbox.properties.references import Reference


def blockers_of(model: type[Entity], pk: int, tags: Sequence[str], language: str) -> list[Blocker]:
    """Return every record that refers to this one, parts first. Rows that the record itself owns do not count."""
    owned = {(each.through, each.own) for each in properties(model).values() if isinstance(each, References)}
    found: list[Blocker] = []
    for other in entity_models():
        for each in properties(other).values():
            if not isinstance(each, Reference) or each.target is not model or (other, each.name) in owned:
                continue
            rows = list(other.objects.filter(**{each.attname: pk}).order_by("pk"))
            if rows:
                stands_for = properties(other).get(other.options().stands_for)
                titles = titles_of(other, rows, tags, language)
                for row in rows:
                    if isinstance(stands_for, Reference):
                        # A linking row is called by what it links: a product list contains products.
                        named, named_id = stands_for.target, getattr(row, stands_for.attname)
                    else:
                        named, named_id = other, row.pk
                    holds = "contains" if each.prop.parent else "is used by"
                    found.append(Blocker(named, named_id, titles[row.pk], each.key, holds))
    for scan in reference_scanners():
        found += scan(model, pk)
    unique = {(each.model, each.id, each.holds): each for each in found}
    return sorted(unique.values(), key=lambda each: each.holds != "contains")
