"""Values, names and ids that have broken servers: the stuff that hostile messages are made of."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01", "", "1.0")


class Raw(str):
    """JSON text that is put in as it is: numbers that no writer writes."""


NUMBERS = [
    0, -1, 1, 2, 7, 200, 201, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 10**39, 10**40,
    Raw("-0"), Raw("1.0"), Raw("1.5"), Raw("5.0"), Raw("1e2"), Raw("1E400"), Raw("-1e31"), Raw("1e30"), Raw("1e-31"),
    Raw("0.1e-30"), Raw("9" * 5000), Raw("0." + "1" * 41), Raw("1e" + "9" * 50), Raw("123456789.123456789"),
]  # fmt: skip
NO_NUMBERS = [
    Raw("NaN"), Raw("Infinity"), Raw("-Infinity"), Raw("01"), Raw("+1"), Raw(".5"), Raw("1."), Raw("0x10"), Raw("nul"),
    Raw("'a'"), Raw("undefined"), Raw(""), Raw("\\u0041"), Raw('"\\x41"'), Raw('"\t"'), Raw('"a'), Raw("{,}"),
]  # fmt: skip
TEXTS = [
    "", " ", "a", "0", "5", "true", "null", "NaN", "[1,2]", '{"a":1}', "{", "\x00", "a\x00b", "\ud800", "\udfff\ud800",
    "\u2028\u2029", "\x1b[31m", "\x7f", "Größe", "🚪", "a" * 1000, "a" * 1001, "é" * 300, "x" * 20_000,
    "../../etc/passwd",
    "'; DROP TABLE configbox_products; --", "%s%n", "{0.__class__}", "<script>alert(1)</script>", "\r\nX-A: b",
    "\u202e",
    "\ufeff", "\ufffe", "-1", "1e9", "1,5", "2026-02-30", "2026-07-28", "en-GB", "de-DE", "xx", "product", "id", "-id",
    "id,id,-id", "cbx_1_aaaaaaaaaaaaaaaaaaaaaaaa", "test://static-text", "file:///etc/passwd", "http://127.0.0.1/", "*",
    "__class__", "pk", "id__in", "title_en_GB",
]  # fmt: skip
KEYS = [
    "", "id", "jsonrpc", "method", "params", "result", "error", "name", "arguments", "_meta", "cursor", "uri", "ref",
    "progressToken", "requestState", "inputResponses", "__proto__", "constructor", "entity", "fields", "limit",
    "\x00", "\ud800", "k" * 300, "Größe", VERSION_KEY, CAPABILITIES_KEY,
]  # fmt: skip
IDS = [
    0, 1, -1, 2**53, 2**63, -(2**70), 10**39, 10**40, "", "a-1", "0", "x" * 1000, "x" * 1001, "\x00", "\ud800", "🚪",
    None, True, False, [], {}, [1], Raw("1.0"), Raw("1.5"), Raw("1e2"), Raw("9" * 100), Raw("-0"), Raw("1e999"),
]  # fmt: skip
METHODS = [
    "", " ", "tools", "tools/", "tools/call ", "TOOLS/CALL", "tools/callx", "no/such", "rpc.discover", "initialise",
    "notifications/initialized", "notifications/cancelled", "notifications/unknown", "notifications/progress",
    "resources/subscribe", "logging/setLevel", "subscriptions/listen", "tasks/get", "sampling/createMessage",
    "__init__", "a" * 5000, "\x00", "\ud800", "ping\n", "tools/\u2028",
]  # fmt: skip


def any_value(random: Random, depth: int = 0) -> Any:
    """Return any JSON value, and now and then what is none."""
    chance = random.random()
    if chance < 0.35:
        return random.choice(TEXTS)
    if chance < 0.6:
        return random.choice(NUMBERS)
    if chance < 0.75:
        return random.choice([None, True, False])
    if chance < 0.77:
        return random.choice(NO_NUMBERS)
    if depth > 3:
        return []
    size = random.choice([0, 1, 1, 2, 5])
    if chance < 0.88:
        return [any_value(random, depth + 1) for _ in range(size)]
    return {random.choice(KEYS): any_value(random, depth + 1) for _ in range(size)}


def plausible(random: Random, schema: Mapping[str, Any]) -> Any:
    """Return a value that a schema might allow."""
    if "enum" in schema:
        return random.choice(schema["enum"])
    match schema.get("type"):
        case "integer":
            return random.randrange(1, 12)
        case "number":
            return random.choice([0, 1, Raw("12.50"), Raw("0.001")])
        case "boolean":
            return random.random() < 0.8
        case "array":
            return [random.choice(TEXTS)]
        case "object":
            return {}
        case _:
            return random.choice(["12.50", "Door", "product", "en-GB", random.choice(TEXTS)])


def plausible_members(random: Random, schema: Mapping[str, Any], is_new: bool) -> dict[str, Any]:
    """Return up to three members that an entity's schema names; of a new record, those it requires as well."""
    known = schema["properties"]
    chosen = {*random.sample(list(known), min(len(known), random.randrange(4)))}
    required = schema.get("required", []) if is_new else []
    return {name: plausible(random, known[name]) for name in sorted(chosen.union(required))}


def json_bytes(random: Random, value: Any) -> bytes:
    """Return JSON in UTF-8; some members are said twice, some texts are escaped and some are not."""
    return _text(random, value).encode("utf-8", "surrogatepass")


def _text(random: Random, value: Any) -> str:
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        pairs = [f"{_text(random, key)}:{_text(random, each)}" for key, each in value.items()]
        if pairs and random.random() < 0.02:
            pairs.append(random.choice(pairs))
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_text(random, each) for each in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=random.random() < 0.5)
    return json.dumps(value)
