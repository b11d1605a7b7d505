"""Images of records: every canonical value by API key, loaded for many records in a bounded number of queries."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from configbox.properties.base import Property
from configbox.properties.entity import Entity, properties
from configbox.properties.owned import Computed
from configbox.properties.translated import Translated, load_texts

Image = dict[str, Any]


def load(records: Sequence[Entity], of: Iterable[Property], tags: Iterable[str] | None = None) -> None:
    """Fetch what the given properties keep outside the rows: all texts in one query, then each other property."""
    records, of = list(records), list(of)
    if not records:
        return
    load_texts([each for each in of if isinstance(each, Translated)], records, tags)
    for each in of:
        if not isinstance(each, Translated):
            each.load(records, tags)


def image_of(record: Entity, tags: Iterable[str]) -> Image:
    """Return the whole image of one record, texts of every language included."""
    tags = list(tags)
    # What is computed is no part of an image, and costs queries.
    every = [each for each in properties(type(record)).values() if not isinstance(each, Computed)]
    load([record], every)
    image: Image = {}
    for each in every:
        image |= each.image(record, tags)
    return image


def owner_of(model: type[Entity], key: str) -> Property:
    """Return the property that a key of an image belongs to, in any language."""
    every = properties(model)
    for each in every.values():
        if not each.translated and each.key == key:
            return each
    # The longest name wins: `label_de_DE` is not a text of `lab`.
    for name in sorted(every, key=len, reverse=True):
        if every[name].translated and key.startswith(name + "_"):
            return every[name]
    raise KeyError(key)


def differences(model: type[Entity], before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the keys whose values differ; nothing and empty are the same."""
    found = []
    for key in dict.fromkeys([*before, *after]):
        each = owner_of(model, key)
        old, new = before.get(key), after.get(key)
        if not (each.is_empty(old) and each.is_empty(new)) and old != new:
            found.append(key)
    return found
