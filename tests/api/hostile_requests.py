"""Makes hostile requests to the REST API, the same ones for the same seed, each with the status that it must have.

A request begins as a sound one, mostly, and then its address, query, headers or body is spoilt.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from urllib.parse import quote

from configbox.entities.registry import entities
from tests.mcp.hostile_http import BAD_TOKENS, CONTENT_TYPES, MAX_BODY
from tests.mcp.hostile_values import KEYS, NUMBERS, TEXTS, any_value, json_bytes, plausible_members

ROOT = "/cb-api/v1/"
IDS = [
    "0",
    "-1",
    "1e3",
    "1.0",
    "01",
    "９",
    "99999",
    "2147483648",
    "9" * 30,
    "x",
    "%00",
    "%ff",
    "..",
    "%2e%2e",
    "1%2f2",
    "*",
]
PARAMETERS = ["search", "sort", "limit", "offset", "language", "fields", "dry_run", "change_set", "for", "filter", "x"]
PREFIXES = {"": True, "/en-GB": True, "/de": True, "/xx": False, "/%00": False, "/..": False, "/en_GB": False}
ETAGS = ['"1"', '"2"', "*", 'W/"1"', "1", '""', '"', '"x"', '"1", "2"', '"' + "9" * 50 + '"', "\x00", ""]


@dataclass(frozen=True)
class RestRequest:
    """One request; `status` is the one it must have where something before its content is spoilt, else None."""

    method: str
    path: str
    token: str | None
    query: str = ""
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None


class HostileRestRequests:
    """The endless stream of one seed. `fields` are the JSON Schemas of the entities."""

    def __init__(
        self, seed: int, fields: Mapping[str, Mapping[str, Any]], token: str, shopper: str, dead: list[str]
    ) -> None:
        self.random = Random(seed)
        self.fields = fields
        self.entities = list(fields)
        self.token = f"Bearer {token}"
        self.shopper = f"Bearer {shopper}"
        self.bad_tokens = [*BAD_TOKENS, *(f"Bearer {each}" for each in dead), self.token[:-1], self.token + "A"]
        self.spoilers: list[Callable[[RestRequest], RestRequest]] = [
            self._bad_token, self._of_a_shopper, self._other_method, self._other_path, self._other_prefix,
            self._hostile_query, self._hostile_query, self._hostile_body, self._hostile_body, self._hostile_body,
            self._torn_body, self._other_type, self._etag, self._huge,
        ]  # fmt: skip

    def request(self) -> RestRequest:
        """Return the next request."""
        sound = self._sound()
        return sound if self.random.random() < 0.15 else self.random.choice(self.spoilers)(sound)

    def _sound(self) -> RestRequest:
        choice = self.random.choice
        entity = choice(self.entities)
        record = f"{ROOT}{entity}/{self.random.randrange(1, 12)}"
        json_type = {"Content-Type": "application/json"}
        match self.random.randrange(8):
            case 0:
                # The whole description costs as much as a hundred other answers.
                is_dear = self.random.random() < 0.01
                path = f"{ROOT}openapi.json" if is_dear else choice([ROOT, f"{ROOT}{entity}/schema"])
                return RestRequest("GET", path, self.token)
            case 1 | 2:
                return RestRequest(
                    "GET", ROOT + entity, self.token, query=choice(["", "limit=2", "offset=1", "sort=id"])
                )
            case 3:
                return RestRequest("GET", record, self.token)
            case 4:
                return RestRequest("POST", ROOT + entity, self.token, body=self._body(entity, True), headers=json_type)
            case 5 | 6:
                return RestRequest("PATCH", record, self.token, body=self._body(entity, False), headers=json_type)
            case _:
                return RestRequest("DELETE", record, self.token, query=choice(["", "dry_run=true"]))

    def _body(self, entity: str, is_new: bool, is_hostile: bool = False) -> bytes:
        members = plausible_members(self.random, self.fields[entity], is_new)
        if is_hostile:
            members[self.random.choice([*members, *members, *KEYS])] = any_value(self.random)
        return json_bytes(self.random, members)

    # --- one thing spoilt -------------------------------------------------------------------------------------
    def _bad_token(self, sound: RestRequest) -> RestRequest:
        return replace(sound, token=self.random.choice(self.bad_tokens), status=401)

    def _of_a_shopper(self, sound: RestRequest) -> RestRequest:
        return replace(sound, token=self.shopper, status=403)

    def _other_method(self, sound: RestRequest) -> RestRequest:
        return replace(sound, method=self.random.choice(["PUT", "TRACE", "PROPFIND", "LINK"]), status=405)

    def _other_path(self, sound: RestRequest) -> RestRequest:
        entity = self.random.choice([*self.entities, *(quote(each[:200], safe="", errors="replace") for each in TEXTS)])
        path = self.random.choice([f"{ROOT}{entity}/{self.random.choice(IDS)}", f"{ROOT}{entity}", f"{sound.path}/x/y"])
        return replace(sound, path=path + self.random.choice(["", "", "/", "//", "/schema", ".json"]))

    def _other_prefix(self, sound: RestRequest) -> RestRequest:
        prefix = self.random.choice(list(PREFIXES))
        return replace(sound, path=prefix + sound.path, status=None if PREFIXES[prefix] else 404)

    def _hostile_query(self, sound: RestRequest) -> RestRequest:
        parts = []
        for _ in range(self.random.choice([1, 1, 2, 5])):
            entity = self.random.choice(self.entities)
            name = self.random.choice([*self.fields[entity]["properties"], "id", "rev", "", "filter", "][", *KEYS])
            quoted = quote(name, errors="replace")
            key = self.random.choice(
                [*PARAMETERS, f"filter[{quoted}]", f"filter[{quoted}][]", f"filter[{quoted}][a]", quoted]
            )
            value = self.random.choice([*TEXTS, *map(str, NUMBERS)])[:3000]
            parts.append(key + self.random.choice(["=", "", "=="]) + quote(value, errors="replace"))
        return replace(sound, query="&".join(parts) + self.random.choice(["", "", "&", "%", "%ff", "&=", "#", ";a=b"]))

    def _hostile_body(self, sound: RestRequest) -> RestRequest:
        entity = sound.path.removeprefix(ROOT).split("/")[0]
        if entity in self.fields and self.random.random() < 0.8:
            return replace(sound, body=self._body(entity, sound.method == "POST", is_hostile=True))
        depth = self.random.choice([2, 99, 100, 101, 20_000])
        value = json_bytes(self.random, any_value(self.random))
        bodies = [value, value, b"", b"[" * depth + b"]" * depth, b"\xff", b"\xef\xbb\xbf{}", b"{} {}"]
        return replace(sound, body=self.random.choice(bodies))

    def _torn_body(self, sound: RestRequest) -> RestRequest:
        body = bytearray(sound.body or b'{"sku": "A"}')
        place = self.random.randrange(len(body))
        match self.random.randrange(3):
            case 0:
                del body[place:]
            case 1:
                body[place:place] = self.random.randbytes(3)
            case _:
                body[place] ^= 1 << self.random.randrange(8)
        return replace(sound, body=bytes(body))

    def _other_type(self, sound: RestRequest) -> RestRequest:
        kind = self.random.choice(list(CONTENT_TYPES))
        status = self._of_body(sound, 415) if sound.body and not CONTENT_TYPES[kind] else None
        return replace(sound, headers={**sound.headers, "Content-Type": kind}, status=status)

    def _etag(self, sound: RestRequest) -> RestRequest:
        return replace(sound, headers={**sound.headers, "If-Match": self.random.choice(ETAGS)})

    def _huge(self, sound: RestRequest) -> RestRequest:
        if not sound.body or self.random.random() > 0.02:
            return sound
        return replace(sound, body=sound.body + b" " * (MAX_BODY + 1), status=self._of_body(sound, 413))

    def _of_body(self, sound: RestRequest, status: int) -> int:
        """Return how a body is refused: one that the entity takes no request for is not looked at."""
        entity = sound.path.removeprefix(ROOT).split("/")[0]
        takes = entities()[entity].options().operations
        return status if sound.method == "PATCH" or "create" in takes else 405
