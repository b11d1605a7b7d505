"""Values that a ShapeDiver viewer needs. Tools name them under unsupportedFields."""

from typing import Any

from configbox.properties.columns import LongText, Text
from configbox.properties.issues import Refused
from configbox.properties.json_values import JsonRefused, read_json


class ShapediverModel(LongText):
    """The model's description as JSON text; it must hold the model's `ticket`."""

    kind = "shapedivermodel"
    representable = False

    def read(self, raw: Any) -> Any:
        text = super().read(raw)
        if text == "":
            return text
        try:
            value = read_json(text)
        except JsonRefused as refusal:
            raise Refused("json", f"must be JSON: {refusal.message}") from None
        if not isinstance(value, dict) or not value.get("ticket"):
            raise Refused("ticket", 'must be a JSON object that holds the "ticket" of the model.')
        return text


class ShapediverParameter(Text):
    """The id of one of the model's parameters."""

    kind = "shapediverparameter"
    representable = False


class ShapediverParameterValue(Text):
    """A value of one of the model's parameters."""

    kind = "shapediverparametervalue"
    representable = False
