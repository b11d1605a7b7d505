"""Makes hostile messages, the same ones for the same seed, and says what each must be answered with.

A message begins as a sound request, mostly, and is then spoilt: a value replaced, a member lost, renamed or said twice,
bytes torn. What must come back is read from the message by a reader of its own (`expected`), not by the server's.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2099-01-01", "", "1.0")
MAX_DEPTH = 100
MAX_DIGITS = 40
MAX_ID = 1000


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
    "\u2028\u2029", "\x1b[31m", "\x7f", "Größe", "🚪", "a" * 1000, "a" * 1001, "é" * 300, "x" * 20_000, "../../etc/passwd",
    "'; DROP TABLE configbox_products; --", "%s%n", "{0.__class__}", "<script>alert(1)</script>", "\r\nX-A: b", "\u202e",
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


@dataclass(frozen=True)
class Expected:
    """What a message must be answered with: nothing, an error without id, or an answer with exactly this id."""

    is_silence: bool = False
    code: int | None = None
    id: int | str | None = None


class HostileMessages:
    """The endless stream of one seed. `tools` are the definitions that tools/list shows, `fields` the entities'."""

    def __init__(
        self,
        seed: int,
        methods: Sequence[str],
        tools: Sequence[Mapping[str, Any]],
        fields: Mapping[str, Sequence[str]],
        *,
        sound_calls: int = 100,
    ) -> None:
        """Make messages from `seed`. One of `sound_calls` tool calls is left as it is."""
        self.random = Random(seed)
        self.methods = [name for name in methods if name not in ("tools/call", "tools/list")]
        self.tools = tools
        self.fields = fields
        self.sound_calls = sound_calls
        self.kinds: list[tuple[int, Callable[[], bytes]]] = [
            (50, self._spoilt_request),
            (12, self._spoilt_envelope),
            (12, self._torn),
            (6, self._request_of_any_shape),
            (4, self._special),
            (16, self._sound),
        ]
        self.weights = [weight for weight, _ in self.kinds]

    def message(self) -> bytes:
        """Return the next message."""
        _, kind = self.random.choices(self.kinds, self.weights)[0]
        return kind()

    # --- kinds of messages ------------------------------------------------------------------------------------
    def _sound(self) -> bytes:
        return self._bytes(self.request())

    def _spoilt_request(self) -> bytes:
        request = self.request(is_to_be_spoilt=True)
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            self._spoil(request)
        return self._bytes(request)

    def _spoilt_envelope(self) -> bytes:
        request = self.request(is_to_be_spoilt=True)
        name = self.random.choice(["id", "id", "jsonrpc", "method", "params", "_meta", "result", "error"])
        if name == "id":
            request["id"] = self.random.choice(IDS)
        elif name == "method":
            request["method"] = self.random.choice(METHODS) if self.random.random() < 0.7 else self.value()
        elif name == "_meta" and isinstance(request.get("params"), dict):
            request["params"]["_meta"] = self.random.choice([self.value(), {self._meta_key(): self.value()}])
        elif self.random.random() < 0.3:
            request.pop(name, None)
        else:
            request[name] = self.value()
        return self._bytes(request)

    def _request_of_any_shape(self) -> bytes:
        members = ["jsonrpc", "id", "method", "params", "result", "error", *self.random.sample(KEYS, 2)]
        chosen = self.random.sample(members, self.random.randrange(len(members)))
        document: Any = {name: self.value() for name in chosen}
        if self.random.random() < 0.5:
            document |= {"jsonrpc": "2.0"}
        return self._bytes(self.random.choice([document, document, document, self.value()]))

    def _torn(self) -> bytes:
        text = bytearray(self._bytes(self.request(is_to_be_spoilt=True)))
        for _ in range(self.random.choice([1, 1, 2, 5])):
            place = self.random.randrange(len(text) + 1)
            match self.random.randrange(6):
                case 0:
                    del text[place:]
                case 1:
                    del text[place : place + self.random.randrange(1, 9)]
                case 2:
                    text[place:place] = self.random.choice([b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"])
                case 3:
                    text[place:place] = self.random.choice([b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\r"])
                case 4 if text:
                    text[place % len(text)] ^= 1 << self.random.randrange(8)
                case _:
                    text[place:place] = self.random.randbytes(self.random.randrange(1, 5))
        return bytes(text)

    def _special(self) -> bytes:
        depth = self.random.choice([2, 90, 97, 98, 99, 100, 101, 102, 1000, 20_000])
        call = b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"cbx_get_entity","arguments":'
        sound = self._bytes(self.request(is_to_be_spoilt=True))
        return self.random.choice(
            [
                b"", b" ", b"\t\r", b"\xef\xbb\xbf", b"\xff\xfe{\x00}\x00", b"null", b"0", b'""', b"true", b"{}", b"[]",
                b"[" + sound + b"," + sound + b"]", b"[[]]", sound + sound, sound + b" ", b"\xef\xbb\xbf" + sound,
                sound + b"\x00", b"," + sound, b"[" * depth, b"[" * depth + b"]" * depth,
                call + b"[" * depth + b"]" * depth + b"}}", call + b'{"a":' * depth + b"1" + b"}" * depth + b"}}",
                call + b"{" + b'"id":1,' * 2000 + b'"id":2}}}',
                call + b'{"entity":"product","id":1,"only":[' + b'"a",' * self.random.choice([50, 11_000]) + b'"b"]}}}',
                b'{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":"' + b"x" * 100_000 + b'"}}',
                b'{"id":5,"jsonrpc":"2.0","method":"no/such","id":6,"method":"ping"}',
            ]
        )  # fmt: skip

    # --- sound requests ---------------------------------------------------------------------------------------
    def request(self, is_to_be_spoilt: bool = False) -> dict[str, Any]:
        """Return a request, a notification or a response as a client might send it."""
        chance = self.random.random()
        if chance < 0.55 and (is_to_be_spoilt or self.random.randrange(self.sound_calls) == 0):
            method, params = "tools/call", self._call()
        elif chance > 0.998:
            method, params = "tools/list", {}
        else:
            method = self.random.choice([*self.methods, *self.methods, self.random.choice(METHODS)])
            params = self._params(method)
        if self.random.random() < 0.5:
            params["_meta"] = self._meta()
        request: dict[str, Any] = {"jsonrpc": "2.0", "id": self.random.randrange(1000), "method": method}
        if params or self.random.random() < 0.5:
            request["params"] = params
        if self.random.random() < 0.06:
            del request["id"]
        return request

    def _meta(self) -> dict[str, Any]:
        version = "2026-07-28" if self.random.random() < 0.8 else self.random.choice(VERSIONS)
        meta: dict[str, Any] = {VERSION_KEY: version, CAPABILITIES_KEY: self.random.choice([{}, {"elicitation": {}}])}
        if self.random.random() < 0.2:
            meta["progressToken"] = self.random.choice([1, "p", *IDS])
        return meta

    def _meta_key(self) -> str:
        return self.random.choice([VERSION_KEY, CAPABILITIES_KEY, "progressToken"])

    def _params(self, method: str) -> dict[str, Any]:
        choice = self.random.choice
        match method:
            case "initialize":
                return {"protocolVersion": choice(VERSIONS), "capabilities": {}, "clientInfo": {"name": "x"}}
            case "prompts/get":
                return {"name": choice(["test_simple_prompt", "x", *TEXTS]), "arguments": {"arg1": choice(TEXTS)}}
            case "resources/read":
                return {"uri": choice(["test://static-text", "test://template/1/data", *TEXTS])}
            case "completion/complete":
                ref = choice([{"type": "ref/prompt", "name": "x"}, {"type": "ref/resource", "uri": choice(TEXTS)}])
                return {"ref": ref, "argument": {"name": "arg1", "value": choice(TEXTS)}, "context": {"arguments": {}}}
            case _:
                return {} if self.random.random() < 0.8 else {"cursor": choice(TEXTS)}

    def _call(self) -> dict[str, Any]:
        tool = self.random.choice(self.tools)
        schema = tool["inputSchema"]
        required = schema["required"]
        arguments = {}
        for name, each in schema["properties"].items():
            if name in required or self.random.random() < 0.3:
                arguments[name] = self._argument(each)
        if "fields" in arguments or "filters" in arguments:
            known = self.fields.get(arguments["entity"], ["id"])
            name = "fields" if "fields" in arguments else "filters"
            arguments[name] = {self.random.choice(known): self.value(1) for _ in range(self.random.randrange(4))}
        return {"name": tool["name"], "arguments": arguments}

    def _argument(self, schema: Mapping[str, Any]) -> Any:
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        match schema["type"]:
            case "integer":
                return self.random.randrange(1, 12)
            case "boolean":
                return self.random.random() < 0.8
            case "array":
                return [self.random.choice(TEXTS)]
            case "object":
                return {}
            case _:
                return self.random.choice(TEXTS)

    # --- hostile values ---------------------------------------------------------------------------------------
    def value(self, depth: int = 0) -> Any:
        """Return any JSON value, and now and then what is none."""
        chance = self.random.random()
        if chance < 0.35:
            return self.random.choice(TEXTS)
        if chance < 0.6:
            return self.random.choice(NUMBERS)
        if chance < 0.75:
            return self.random.choice([None, True, False])
        if chance < 0.77:
            return self.random.choice(NO_NUMBERS)
        if depth > 3:
            return []
        size = self.random.choice([0, 1, 1, 2, 5])
        if chance < 0.88:
            return [self.value(depth + 1) for _ in range(size)]
        return {self.random.choice(KEYS): self.value(depth + 1) for _ in range(size)}

    def _spoil(self, document: dict[str, Any]) -> None:
        """Change one place of a document, any as likely as any other."""
        places = [(document, key) for key in document]
        for container, key in places:
            inner = container[key]
            if isinstance(inner, dict):
                places.extend((inner, each) for each in inner)
        if not places:
            return
        container, key = self.random.choice(places)
        match self.random.randrange(8):
            case 0:
                del container[key]
            case 1:
                container[self.random.choice(KEYS)] = container.pop(key)
            case 2:
                container[self.random.choice(KEYS)] = self.value()
            case 3:
                container[key] = [container[key]]
            case 4:
                container[key] = json.dumps(container[key], default=str)
            case _:
                container[key] = self.value()

    # --- writing ----------------------------------------------------------------------------------------------
    def _bytes(self, document: Any) -> bytes:
        text = self._written(document)
        return text.encode("utf-8", "surrogatepass")

    def _written(self, value: Any) -> str:
        """Return JSON text; some members are said twice, some texts are escaped and some are not."""
        if isinstance(value, Raw):
            return value
        if isinstance(value, dict):
            pairs = [f"{self._written(key)}:{self._written(each)}" for key, each in value.items()]
            if pairs and self.random.random() < 0.02:
                pairs.append(self.random.choice(pairs))
            return "{" + ",".join(pairs) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self._written, value)) + "]"
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=self.random.random() < 0.5)
        return json.dumps(value)


class _Unusable:
    """Stands for a number that is too long to be taken."""


def expected(raw: bytes) -> Expected:
    """Return what a message must be answered with, by the rules of JSON-RPC and the limits that are documented."""
    try:
        document = json.loads(
            raw.decode("utf-8-sig"), parse_int=_int, parse_float=lambda text: _Unusable(), parse_constant=_no_number
        )
    except (ValueError, RecursionError):
        return Expected(code=-32700)
    if _depth(document) > MAX_DEPTH:
        return Expected(code=-32700)
    if not isinstance(document, dict):
        return Expected(code=-32600)
    if "method" not in document and ("result" in document or "error" in document):
        return Expected(is_silence=True)
    request_id = document.get("id")
    if "id" in document and not _is_usable(request_id):
        return Expected(code=-32600)
    if document.get("jsonrpc") != "2.0" or not isinstance(document.get("method"), str):
        return Expected(code=-32600, id=request_id)
    if "id" not in document:
        return Expected(is_silence=True)
    params = document.get("params")
    return Expected(code=None if params is None or isinstance(params, dict) else -32602, id=request_id)


def check_answer(raw: bytes, line: bytes | None) -> None:
    """Assert that `line`, the body or line that came back (None for none), is what `raw` must be answered with."""
    wanted = expected(raw)
    if wanted.is_silence:
        assert line is None, (raw[:500], line)
        return
    assert line is not None, raw[:500]
    assert line.isascii(), (raw[:500], line)
    assert b"\n" not in line, (raw[:500], line)
    answer = json.loads(line)
    assert answer["jsonrpc"] == "2.0", (raw[:500], answer)
    assert ("result" in answer) is not ("error" in answer), (raw[:500], answer)
    assert answer.keys() <= {"jsonrpc", "id", "result", "error"}, (raw[:500], answer)
    assert ("id" in answer) is (wanted.id is not None), (raw[:500], answer)
    assert answer.get("id") == wanted.id, (raw[:500], answer)
    assert type(answer.get("id")) is type(wanted.id), (raw[:500], answer)
    code = answer["error"]["code"] if "error" in answer else None
    assert code != -32603, (raw[:500], answer)
    if wanted.code is not None:
        assert code == wanted.code, (raw[:500], answer)
    if "error" in answer:
        assert 0 < len(answer["error"]["message"]) < 2000, (raw[:500], answer)


def _is_usable(given: object) -> bool:
    if isinstance(given, str):
        return len(given) <= MAX_ID and "\x00" not in given and not any("\ud800" <= each <= "\udfff" for each in given)
    return isinstance(given, int) and not isinstance(given, bool)


def _int(digits: str) -> "int | _Unusable":
    return int(digits) if len(digits.lstrip("-")) <= MAX_DIGITS else _Unusable()


def _no_number(name: str) -> Any:
    raise ValueError(name)


def _depth(document: Any) -> int:
    deepest, waiting = 0, [(document, 1)]
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, dict | list):
            deepest = max(deepest, depth)
            waiting.extend((each, depth + 1) for each in (value.values() if isinstance(value, dict) else value))
    return deepest
