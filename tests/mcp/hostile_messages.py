"""Makes hostile messages, the same ones for the same seed.

A message begins as a sound request, mostly, and is then spoilt: a value replaced, a member lost, renamed or said twice,
bytes torn.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from tests.mcp.hostile_values import (
    CAPABILITIES_KEY,
    IDS,
    KEYS,
    METHODS,
    TEXTS,
    VERSION_KEY,
    VERSIONS,
    any_value,
    json_bytes,
    plausible,
    plausible_members,
)

# What a tool takes of texts that its schema leaves open.
SOUND_ARGUMENTS = {
    "language": ["en-GB", "de-DE"],
    "sort": ["id", "-id", "id,-id"],
    "search": ["Door", "o", ""],
    "only": [["id"], ["title_en_GB"]],
}
# Prompts of tests.mcp_conformance.
SOUND_PROMPTS = ["test_simple_prompt", "test_prompt_with_arguments", "test_input_required_result_prompt"]
SOUND_PROMPT_ARGUMENTS = [{}, {"arg1": "a", "arg2": "b"}]


class HostileMessages:
    """The endless stream of one seed.

    `tools` are definitions as tools/list shows them, `fields` the JSON Schemas of the entities.
    """

    def __init__(
        self,
        seed: int,
        methods: Sequence[str],
        tools: Sequence[Mapping[str, Any]],
        fields: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.random = Random(seed)
        self.methods = [name for name in methods if name not in ("tools/call", "tools/list")]
        self.tools = tools
        self.fields = fields
        self.kinds: list[tuple[int, Callable[[], bytes]]] = [
            (48, self._spoilt_request),
            (12, self._spoilt_envelope),
            (12, self._torn),
            (6, self._hostile_call),
            (6, self._request_of_any_shape),
            (4, self._special),
            (12, self._sound),
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

    def _hostile_call(self) -> bytes:
        """Return a call that gets as far as a tool: at most one argument or field is not as it should be."""
        params = self._call()
        arguments = params["arguments"]
        place = next((arguments[name] for name in ("fields", "filters") if arguments.get(name)), arguments)
        if self.random.random() < 0.7:
            place[self.random.choice(list(place))] = any_value(self.random)
        if self.random.random() < 0.2:
            params["_meta"] = self._meta()
            params[self.random.choice(["requestState", "inputResponses"])] = any_value(self.random)
        return self._bytes({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

    def _spoilt_envelope(self) -> bytes:
        request = self.request(is_to_be_spoilt=True)
        name = self.random.choice(["id", "id", "jsonrpc", "method", "params", "_meta", "result", "error"])
        if name == "id":
            request["id"] = self.random.choice(IDS)
        elif name == "method":
            request["method"] = self.random.choice(METHODS) if self.random.random() < 0.7 else any_value(self.random)
        elif name == "_meta" and isinstance(request.get("params"), dict):
            request["params"]["_meta"] = self.random.choice(
                [any_value(self.random), {self._meta_key(): any_value(self.random)}]
            )
        elif self.random.random() < 0.3:
            request.pop(name, None)
        else:
            request[name] = any_value(self.random)
        return self._bytes(request)

    def _request_of_any_shape(self) -> bytes:
        members = ["jsonrpc", "id", "method", "params", "result", "error", *self.random.sample(KEYS, 2)]
        chosen = self.random.sample(members, self.random.randrange(len(members)))
        document: Any = {name: any_value(self.random) for name in chosen}
        if self.random.random() < 0.5:
            document |= {"jsonrpc": "2.0"}
        return self._bytes(self.random.choice([document, document, document, any_value(self.random)]))

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
                    text[place:place] = self.random.choice(
                        [b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"]
                    )
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
        if chance < (0.55 if is_to_be_spoilt else 0.02):
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
                return {
                    "name": choice([*SOUND_PROMPTS, choice(TEXTS)]),
                    "arguments": dict(choice(SOUND_PROMPT_ARGUMENTS)),
                }
            case "resources/read":
                uri = f"test://template/{choice(['1', '%ff', '%00', '%2F', 'é'])}/data"
                return {"uri": choice(["test://static-text", "test://static-binary", uri, choice(TEXTS)])}
            case "completion/complete":
                name, uri = choice([*SOUND_PROMPTS, "x"]), choice(["test://template/{id}/data", choice(TEXTS)])
                ref = choice([{"type": "ref/prompt", "name": name}, {"type": "ref/resource", "uri": uri}])
                argument = {"name": choice(["arg1", "id", "x"]), "value": choice(["", "p", "1", choice(TEXTS)])}
                return {"ref": ref, "argument": argument, "context": {"arguments": {}}}
            case _:
                return {} if self.random.random() < 0.8 else {"cursor": choice(TEXTS)}

    def _call(self) -> dict[str, Any]:
        tool = self.random.choice(self.tools)
        schema = tool["inputSchema"]
        required = schema["required"]
        arguments = {}
        for name, each in schema["properties"].items():
            if name in required or self.random.random() < 0.15:
                sound = SOUND_ARGUMENTS.get(name)
                arguments[name] = self.random.choice(sound) if sound else plausible(self.random, each)
        for name in ("fields", "filters"):
            if name in arguments:
                is_new = name == "fields" and "id" not in arguments
                arguments[name] = plausible_members(self.random, self.fields[arguments["entity"]], is_new)
        return {"name": tool["name"], "arguments": arguments}

    # --- spoiling ---------------------------------------------------------------------------------------------
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
                container[self.random.choice(KEYS)] = any_value(self.random)
            case 3:
                container[key] = [container[key]]
            case 4:
                container[key] = json.dumps(container[key], default=str)
            case _:
                container[key] = any_value(self.random)

    def _bytes(self, document: Any) -> bytes:
        return json_bytes(self.random, document)
