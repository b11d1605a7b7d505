"""The tool that the other servers offer: the same read in the same view, without what ConfigBox's own tool checks."""

from decimal import Decimal
from typing import Any

from configbox.access.grants import Grant
from configbox.entities import reading
from configbox.entities.view import view


def get_entity(actor: str, grant: Grant, entity: str, record: int) -> dict[str, Any]:
    """Return what `cbx_get_entity` returns. Both SDKs would write a Decimal as a text, so numbers become floats."""
    with view(actor=actor, grant=grant, door="bench"):
        values = reading.get(entity, record)
    return {
        "entity": entity,
        "record": {key: float(value) if isinstance(value, Decimal) else value for key, value in values.items()},
    }
