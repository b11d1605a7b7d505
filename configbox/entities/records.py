"""Records as doors show them, and how a sentence calls one."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from configbox.entities.images import Image, load, owner_of
from configbox.languages.tags import flat_key
from configbox.properties.entity import Entity, properties
from configbox.properties.owned import Computed
from configbox.properties.references import Reference
from configbox.properties.schema import readable_keys
from configbox.properties.translated import Translated


def present_record(record: Entity, image: Image, tags: Iterable[str]) -> dict[str, Any]:
    """Return the record as every door shows it: `id`, `rev`, then each readable key in the order of declaration."""
    model = type(record)
    shown: dict[str, Any] = {"id": record.pk, "rev": record.rev}
    computed = [each for each in properties(model).values() if isinstance(each, Computed)]
    load([record], computed)
    for key, each in readable_keys(model, tags).items():
        shown[key] = getattr(record, each.name) if isinstance(each, Computed) else each.present(image[key])
    return shown


def titles_of(model: type[Entity], records: Sequence[Entity], tags: Sequence[str], language: str) -> dict[int, str]:
    """Return `{id: title}` in the view's language, falling back along the active ones. Bounded queries."""
    options = model.options()
    if options.stands_for:
        reference = cast(Reference, properties(model)[options.stands_for])
        named = {record.pk: getattr(record, reference.attname) for record in records}
        targets = list(reference.target.objects.filter(pk__in=set(named.values()) - {None}))
        titles = titles_of(reference.target, targets, tags, language)
        return {pk: titles.get(target, "") for pk, target in named.items()}
    title = properties(model)[options.title]
    if isinstance(title, Translated):
        load(records, [title])
        order = [language, *tags]
        return {record.pk: _first(getattr(record, title.name) or {}, order) for record in records}
    return {record.pk: str(getattr(record, title.name)) for record in records}


def title_in(model: type[Entity], image: Image, tags: Sequence[str], language: str) -> str:
    """Return a record's title from its image, for the log of changes. A linking row is called by its ids there."""
    title = properties(model)[model.options().title]
    if isinstance(title, Translated):
        every = [key for key in image if owner_of(model, key) is title]
        order = [*(flat_key(title.name, tag) for tag in [language, *tags]), *every]
        return next((str(image[key]) for key in order if image.get(key)), "")
    return str(image.get(title.key, ""))


def _first(texts: dict[str, str], order: Sequence[str]) -> str:
    found = next((texts[tag] for tag in order if texts.get(tag)), "")
    return found or next(iter(texts.values()), "")
