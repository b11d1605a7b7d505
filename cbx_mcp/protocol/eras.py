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
        return {**result, **(CACHE_HINTS if cacheable else {}), "resultType": "complete", "_meta": meta}


def era_of(request: Request) -> Era:
    """Return the era of a request; raises ProtocolError where a modern one is incomplete or of an unknown version."""
    meta = request.meta
    is_modern = VERSION_KEY in meta or CAPABILITIES_KEY in meta or request.method == "server/discover"
    if not is_modern:
        return Era(LEGACY_VERSIONS[-1])
    version = meta.get(VERSION_KEY)
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"_meta must carry {VERSION_KEY} as text, such as {MODERN_VERSIONS[-1]}.")
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise ProtocolError(INVALID_PARAMS, f"_meta must carry {CAPABILITIES_KEY} as an object; it may be empty.")
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
