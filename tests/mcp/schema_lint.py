"""The lint every tool must pass, so that no client drops it or the whole list: used on fixtures and on real tools."""

import re
from typing import Any

import jsonschema

NAME = re.compile(r"[a-z][a-z0-9_]{0,47}")
SCALARS = {"string", "integer", "number", "boolean", "array", "object"}
TOP_LEVEL = {"type", "properties", "required", "additionalProperties"}
FORBIDDEN = {"oneOf", "anyOf", "allOf", "not", "if", "then", "else", "const", "$ref", "$defs", "patternProperties"}
HINTS = {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
MAX_DEPTH = 3
MAX_ENUM = 50


def lint_tools(tools: list[dict[str, Any]]) -> list[str]:
    """Return a sentence for each fault of the definitions that one `tools/list` answered."""
    faults = []
    names = [tool["name"] for tool in tools]
    if len({name.replace("-", "_").replace(".", "_") for name in names}) != len(names):
        faults.append("two tools share a name")
    for tool in tools:
        faults += [f"{tool['name']}: {fault}" for fault in _lint(tool, names)]
    return faults


def _lint(tool: dict[str, Any], names: list[str]) -> list[str]:
    faults = []
    if not NAME.fullmatch(tool["name"]):
        faults.append("the name is not one that every client takes")
    if not 1 <= len(tool.get("description", "")) <= 1000:
        faults.append("the description is missing or longer than 1000 characters")
    hints = tool.get("annotations", {})
    if set(hints) != HINTS or not all(type(hints[name]) is bool for name in HINTS - {"title"}):
        faults.append("the annotations are not complete")
    mentioned = set(re.findall(r"\bcbx_[a-z0-9_]+", tool.get("description", "")))
    faults += [f"the description mentions {name}, which is not listed" for name in sorted(mentioned.difference(names))]
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or set(schema) != TOP_LEVEL or schema["type"] != "object":
        return [*faults, f"the schema's top level must be exactly {', '.join(sorted(TOP_LEVEL))}, an object"]
    if schema["additionalProperties"] is not False:
        faults.append("unknown arguments are not refused")
    if not set(schema["required"]) <= set(schema["properties"]):
        faults.append("a required argument is not declared")
    for draft in (jsonschema.Draft202012Validator, jsonschema.Draft7Validator):
        try:
            draft.check_schema(schema)
        except jsonschema.SchemaError as error:
            faults.append(f"no valid schema for {draft.__name__}: {error.message}")
    for name, each in schema["properties"].items():
        faults += _lint_value(name, each, depth=2)
        if not each.get("description"):
            faults.append(f"{name} has no description")
    return faults


def _lint_value(path: str, schema: dict[str, Any], depth: int) -> list[str]:
    faults = []
    if depth > MAX_DEPTH:
        faults.append(f"{path} is nested deeper than {MAX_DEPTH}")
    if not isinstance(schema.get("type"), str) or schema["type"] not in SCALARS:
        faults.append(f"{path} has no single type")
    faults += [f"{path} uses {word}" for word in sorted(FORBIDDEN.intersection(schema))]
    if "enum" in schema:
        values = schema["enum"]
        if not 1 <= len(values) <= MAX_ENUM or not all(isinstance(value, str) for value in values):
            faults.append(f"{path} has an enum that is empty, too long, or not of texts")
    if schema.get("type") == "array":
        faults += _lint_value(f"{path}[]", schema.get("items", {}), depth + 1)
    for name, each in schema.get("properties", {}).items():
        faults += _lint_value(f"{path}.{name}", each, depth + 1)
    return faults
