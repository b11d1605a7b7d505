"""Decides for each message which revision of MCP it speaks, and dresses results as that revision wants them.

Legacy revisions open with `initialize`; from 2026-07-28 on every request says its version in `_meta`.
"""

from dataclasses import dataclass
from typing import Any, Final

from cbx_mcp.protocol.errors import INVALID_PARAMS, UNSUPPORTED_VERSION, ProtocolError
from cbx_mcp.protocol.messages import Request

LEGACY_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS: Final = ("2026-07-28",)

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"

# Milliseconds for which a client may keep a list. Lists differ by grant, so they are private to it.
CACHE_HINTS: Final = {"ttlMs": 60_000, "cacheScope": "private"}


@dataclass(frozen=True)
class Era:
    """The revision of one message."""

    version: str

    @property
    def is_modern(self) -> bool:
        """Say whether the message carries its own version instead of relying on a handshake."""
        return self.version in MODERN_VERSIONS

    def dress(self, result: dict[str, Any], server_info: dict[str, Any], cacheable: bool = False) -> dict[str, Any]:
        """Return the result with what the revision adds to every one."""
        if not self.is_modern:
            return result
        meta = {**result.get("_meta", {}), SERVER_INFO_KEY: server_info}
        kind = result.get("resultType", "complete")
        hints = CACHE_HINTS if cacheable and kind == "complete" else {}
        return {**result, **hints, "resultType": kind, "_meta": meta}


def is_modern(request: Request) -> bool:
    """Say whether a request speaks for itself, well or badly, instead of relying on a handshake."""
    return VERSION_KEY in request.meta or CAPABILITIES_KEY in request.meta or request.method == "server/discover"


def check_meta(request: Request) -> str:
    """Return the version a modern request says. Raises ProtocolError where its `_meta` lacks what it must carry."""
    version = request.meta.get(VERSION_KEY)
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"_meta must carry {VERSION_KEY} as text, such as {MODERN_VERSIONS[-1]}.")
    if not isinstance(request.meta.get(CAPABILITIES_KEY), dict):
        raise ProtocolError(INVALID_PARAMS, f"_meta must carry {CAPABILITIES_KEY} as an object; it may be empty.")
    return version


def era_of(request: Request) -> Era:
    """Return the era of a request; raises ProtocolError where a modern one is incomplete or of an unknown version."""
    if not is_modern(request):
        return Era(LEGACY_VERSIONS[-1])
    version = check_meta(request)
    if version not in MODERN_VERSIONS:
        raise ProtocolError(
            UNSUPPORTED_VERSION,
            f"Version {version[:40]} is not served this way; served are {', '.join(MODERN_VERSIONS)}.",
            data={"supported": list(MODERN_VERSIONS), "requested": version},
        )
    return Era(version)


def negotiated(requested: object) -> str:
    """Return the version to answer an `initialize`: the one asked for, else the latest that opens with it."""
    return requested if isinstance(requested, str) and requested in LEGACY_VERSIONS else LEGACY_VERSIONS[-1]
