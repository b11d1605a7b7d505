"""A conditional rule: stored as the engine's token list, read and written in its authored form."""

from typing import Any

from configbox.engine import rules
from configbox.properties.columns import LongText
from configbox.properties.issues import Refused


class Rule(LongText):
    """A rule that decides whether the record applies. The canonical value is the stored text, "" for no rule."""

    kind = "rule"

    def expected(self) -> str:
        return "a rule, or null for none"

    def accepts_null(self) -> bool:
        return True

    def read(self, raw: Any) -> Any:
        try:
            return rules.encode(raw)
        except rules.RuleError as error:
            raise Refused("rule", f"is not a valid rule: {error.message}") from None

    def present(self, value: Any) -> Any:
        return rules.decode(value)

    def unchanged(self, raw: Any, presented: Any) -> bool:
        if isinstance(raw, dict) and isinstance(presented, dict) and "raw" in presented:
            return bool(raw.get("raw") == presented["raw"])
        return super().unchanged(raw, presented)

    def same(self, left: Any, right: Any) -> bool:
        return bool(left == right or rules.equivalent(left or "", right or ""))

    def value_schema(self) -> dict[str, Any]:
        # Its definitions stand under the $defs of the object that holds it (schema.py).
        schema: dict[str, Any] = rules.json_schema()["schema"]
        return dict(schema)
