"""What a question's preset value must be, by its type and what it lets a shopper enter."""

import re
from collections.abc import Iterator
from decimal import Decimal

from configbox.engine.question_types import QUESTION_TYPES
from configbox.properties.conditions import RecordValues
from configbox.properties.issues import Issue, shown
from configbox.properties.numbers import PLAIN_NUMBER

COLOR = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
RAL = re.compile(r"RAL [1-9][0-9]{3}")


def default_value_faults(values: RecordValues) -> Iterator[Issue]:
    """Yield what is wrong with a preset value that applies."""
    value = values["default_value"]
    if not value or not values["prefill_on_init"]:
        return
    kind = QUESTION_TYPES.get(values["question_type"])
    wanted = kind.default_value if kind else "text"
    restriction = values["input_restriction"] if values["validate"] and wanted == "text" else "plaintext"
    expected = ""
    if (wanted == "number" or restriction == "decimal") and not PLAIN_NUMBER.fullmatch(value):
        expected = "a number such as 12.5, with a point"
    elif restriction == "integer" and not (
        PLAIN_NUMBER.fullmatch(value) and Decimal(value) == Decimal(value).to_integral_value()
    ):
        expected = "a whole number"
    elif wanted == "color" and not COLOR.fullmatch(value):
        expected = "a colour such as #336699"
    elif wanted == "ral" and not RAL.fullmatch(value):
        expected = "a RAL Classic colour such as RAL 7016"
    if expected:
        yield Issue("default_value", "default_value", f"Field Preset value must be {expected}, got {shown(value)}.")
