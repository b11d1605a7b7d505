"""The rule codec: stored token lists to the nested form that people and models write, and back."""

from configbox.engine.rules.authored import encode
from configbox.engine.rules.decode import decode
from configbox.engine.rules.errors import RuleError
from configbox.engine.rules.meaning import equivalent
from configbox.engine.rules.references import RuleReferences, references
from configbox.engine.rules.schema import json_schema

__all__ = ["RuleError", "RuleReferences", "decode", "encode", "equivalent", "json_schema", "references"]
