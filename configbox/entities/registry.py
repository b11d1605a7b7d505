"""Entity names as doors use them, and the models behind them."""

from functools import cache

from configbox.access.grants import Grant, grant_includes
from configbox.entities.errors import NotFound
from configbox.properties.entity import Entity, entity_models
from configbox.properties.issues import no_such

READING = ("list", "read")


@cache
def entities() -> dict[str, type[Entity]]:
    """Return `{name: model}` of every entity."""
    return {model.options().name: model for model in entity_models()}


def model_of(name: object) -> type[Entity]:
    """Return the model of an entity name, or raise NotFound with the closest name."""
    if isinstance(name, str) and name in entities():
        return entities()[name]
    raise NotFound(no_such("entity", name, entities()))


def allowed(grant: Grant, operation: str) -> list[str]:
    """Return the entities on which a grant may do an operation (list, read, create, update, delete)."""
    level = "read" if operation in READING else "write"
    return [
        name
        for name, model in entities().items()
        if operation in model.options().operations
        and (level == "read" or model.options().writable)
        and grant_includes(grant, f"{model.options().area}:{level}")
    ]
