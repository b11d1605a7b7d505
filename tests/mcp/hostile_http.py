"""Wraps hostile messages into hostile HTTP requests, and says which status each must have (the ladder of refusals)."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.mcp.hostile_messages import HostileMessages
from tests.mcp.hostile_values import CAPABILITIES_KEY, TEXTS, VERSION_KEY, VERSIONS
from tests.mcp.message_rules import Expected, expected, read_document, says_something_unreadable

ADDRESS = "/cb-api/v1/mcp"
MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MAX_BODY = 2_621_440
# Addresses, each with whether the language that it begins with is one of the store's.
PATHS = {ADDRESS: True, f"{ADDRESS}/": True, f"/en-GB{ADDRESS}": True, f"/DE{ADDRESS}/": True, f"/xx{ADDRESS}": False}
METHODS = ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]
ORIGINS = {
    "http://testserver": True, "https://testserver": True, "null": False, "https://evil.example": False, "": False,
    "http://testserver.evil.example": False, "http://[": False, "http://[::1": False, "http://[x]/": False, "//": False,
    "http://testserver:80": False, "Größe": False, "http://user@testserver": False, "\x00": False,
}  # fmt: skip
CONTENT_TYPES = {
    "application/json; charset=utf-8": True, "APPLICATION/JSON": True, 'application/json;charset="UTF-8"': True,
    "application/json; charset=latin-1": False, "text/plain": False, "": False, ";": False, "application/jsonx": False,
    "multipart/form-data; boundary=x": False, "application/x-www-form-urlencoded": False, "application": False,
}  # fmt: skip
# Each with whether JSON or events are taken.
ACCEPTS = {
    "": True, "*/*": True, "application/json": True, "text/event-stream": True, "application/*": True, "text/*": True,
    "application/json, text/event-stream": True, "text/html, */*;q=0.1": True, "text/html": False, ";;;": False,
    "application/json;q=0": False, "a": False, ",": False, "application/json;q=0.000, text/event-stream;q=0": False,
}  # fmt: skip
# Tokens that open nothing; what else is spoilt of a good one is made from it.
BAD_TOKENS = [
    None, "", "Bearer", "Bearer ", "Basic YTpi", "Bearer x", "Bearer cbx_1_" + "a" * 43, "Bearer cbx_0_" + "a" * 43,
    "Bearer cbx_99999999999999999999_" + "a" * 43, "Bearer cbx_2147483648_" + "a" * 43, "Bearer " + "a" * 10_000,
    "Bearer a b", "Bearer ü", "Bearer \x00", "Token cbx_1_x", "Bearer cbx_1_" + "-" * 20, "Bearer\tcbx_1_x",
]  # fmt: skip
STATUS_OF = {-32601: 404, -32602: 400, -32600: 400, -32020: 400, -32021: 400, -32022: 400}


@dataclass(frozen=True)
class HttpMessage:
    """One request, and whether it passes each rung that comes before its body."""

    body: bytes
    token: str | None
    method: str = "POST"
    path: str = ADDRESS
    headers: Mapping[str, str] = ()  # type: ignore[assignment]
    refusal: int | None = None


class HostileRequests:
    """The endless stream of requests of one seed.

    `token` is a good one, `shopper` one of a customer, `dead` were good once.
    """

    def __init__(self, seed: int, messages: HostileMessages, token: str, shopper: str, dead: list[str]) -> None:
        self.random = Random(seed)
        self.messages = messages
        self.token = f"Bearer {token}"
        self.shopper = f"Bearer {shopper}"
        self.bad_tokens = [
            *BAD_TOKENS, *(f"Bearer {each}" for each in dead),
            self.token[:-1], self.token + "A", self.token.swapcase(), self.token.replace("cbx_", "cbx-"), token,
        ]  # fmt: skip

    def request(self) -> HttpMessage:
        """Return the next request: sound around its message, or with one thing about it spoilt."""
        body = self.messages.message()
        sound = HttpMessage(body, self.token, headers=self._headers(body))
        if self.random.random() < 0.6:
            return sound
        return self._spoilt(sound)

    def _headers(self, body: bytes) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if b"progressToken" in body:
            # With events a call gets a process of its own, which other tests are about.
            headers["Accept"] = "application/json"
        return headers | mirrored(body)

    def _spoilt(self, sound: HttpMessage) -> HttpMessage:
        headers = dict(sound.headers)
        choice = self.random.choice
        match self.random.randrange(11):
            case 0:
                return replace(sound, method=choice(METHODS), refusal=405)
            case 1:
                headers["Origin"] = choice(list(ORIGINS))
                return replace(sound, headers=headers, refusal=None if ORIGINS[headers["Origin"]] else 403)
            case 2 | 3:
                return replace(sound, token=choice(self.bad_tokens), refusal=401)
            case 4:
                kind = headers["Content-Type"] = choice(list(CONTENT_TYPES))
                return replace(sound, headers=headers, refusal=None if CONTENT_TYPES[kind] else 415)
            case 5:
                kind = choice(list(ACCEPTS))
                if b"progressToken" in sound.body and ACCEPTS[kind]:
                    return sound
                headers["Accept"] = kind
                return replace(sound, headers=headers, refusal=None if ACCEPTS[kind] else 406)
            case 6:
                path = choice(list(PATHS))
                return replace(sound, path=path + choice(["", "?access_token=x", "?a=%00"]), refusal=_of_path(path))
            case 7 if self.random.random() < 0.05:
                return replace(sound, body=sound.body + b" " * (MAX_BODY + 1), refusal=413)
            case 7:
                return replace(sound, token=self.shopper, refusal=403)
            case 8:
                return replace(sound, token=self.token.replace("Bearer ", choice(["bearer ", "BEARER    "])))
            case _:
                name = choice(["MCP-Protocol-Version", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "X"])
                given = choice([*VERSIONS, *(each for each in TEXTS if each.isascii() and each.isprintable())])
                headers[name] = (
                    given if self.random.random() < 0.7 else choice(["=?base64?", "=?base64?!?=", _coded("é")])
                )
                if self.random.random() < 0.3:
                    del headers[name]
                headers["Mcp-Session-Id"], headers["Last-Event-ID"] = given, given
                return replace(sound, headers=headers)


def _of_path(path: str) -> int | None:
    return None if PATHS[path] else 404


def mirrored(body: bytes) -> dict[str, str]:
    """Return the headers by which a modern request repeats what its body says, as far as a header can."""
    if expected(body).is_silence or expected(body).code is not None:
        return {}
    document = read_document(body)
    params = document.get("params") or {}
    meta = params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str):
        return {}
    found = {"MCP-Protocol-Version": version, "Mcp-Method": document["method"]}
    named = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}.get(document["method"])
    if named and isinstance(params.get(named), str):
        found["Mcp-Name"] = params[named]
    return {name: _sendable(value) for name, value in found.items()}


def _sendable(value: str) -> str:
    is_plain = value.isascii() and value.isprintable() and value == value.strip()
    return value if is_plain and not value.startswith("=?base64?") else _coded(value)


def _coded(value: str) -> str:
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="


def check_status(request: HttpMessage, status: int, answer: dict[str, Any] | None) -> None:
    """Assert that a request that passed every rung before its body has the status that its message must have."""
    wanted = expected(request.body)
    told = (request, status, answer)
    if wanted.is_silence:
        assert status == 202, told
    elif wanted.code is not None:
        assert status == 400, told
    else:
        _check_status_of_request(wanted, request, status, answer or {}, told)


def _check_status_of_request(
    wanted: Expected, request: HttpMessage, status: int, answer: dict[str, Any], told: object
) -> None:
    code = answer["error"]["code"] if "error" in answer else None
    document = read_document(request.body)
    # A header cannot repeat what no text may hold, so a name or version of that kind may be told as a mismatch as well.
    if says_something_unreadable(document) and (status, code) in ((400, -32602), (400, -32020)):
        return
    meta = (document.get("params") or {}).get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    version = request.headers.get("MCP-Protocol-Version", "").strip()
    speaks_for_itself = VERSION_KEY in meta or CAPABILITIES_KEY in meta or document["method"] == "server/discover"
    if not speaks_for_itself and (version != MODERN or document["method"] == "initialize"):
        if version and version not in LEGACY and document["method"] != "initialize":
            assert (status, code) == (400, -32600), told
        else:
            assert status == 200, told
            assert code not in (-32020, -32021, -32022), told
        return
    assert status == (200 if code is None else STATUS_OF[code]), told
    is_whole = isinstance(meta.get(VERSION_KEY), str) and isinstance(meta.get(CAPABILITIES_KEY), dict)
    if not is_whole:
        assert code == -32602, told
    elif {name: request.headers.get(name) for name in mirrored(request.body)} != mirrored(request.body):
        assert code == -32020 or _says_the_same(request), told
    elif meta[VERSION_KEY] != MODERN:
        assert code == -32022, told
    else:
        assert code in (None, -32601, -32602, -32021), told


def _says_the_same(request: HttpMessage) -> bool:
    """Say whether headers that are written otherwise than ours mean the same."""
    return all(request.headers.get(name, "").strip() == value for name, value in mirrored(request.body).items())
