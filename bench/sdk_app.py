"""The official SDK's own server with one tool: streamable HTTP, without sessions, answers as JSON.

The SDK runs the tool in a thread. Its threads keep their connections to the database.
"""

from typing import Any

import anyio.to_thread
import django
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer
from pydantic import AnyHttpUrl

django.setup()

from compared_tool import get_entity  # noqa: E402

from configbox.access.grants import Grant  # noqa: E402
from configbox.access.tokens import TokenRefused, authenticate  # noqa: E402


class StoreTokens:
    """Checks a bearer token as the store does."""

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            bearer = await anyio.to_thread.run_sync(authenticate, token)
        except TokenRefused:
            return None
        return AccessToken(token=token, client_id=bearer.label, scopes=sorted(bearer.grant.scopes))


# Nothing is fetched from these addresses; the SDK checks tokens only where it can name who issued them.
ISSUER = AnyHttpUrl("http://127.0.0.1/")
server = MCPServer(
    "bench",
    token_verifier=StoreTokens(),
    auth=AuthSettings(issuer_url=ISSUER, resource_server_url=ISSUER, validate_token_resource=False),
    log_level="WARNING",
)


@server.tool()
def cbx_get_entity(entity: str, id: int) -> dict[str, Any]:
    """Returns one full record."""
    access = get_access_token()
    if access is None:
        raise PermissionError("There is no token.")
    return get_entity(access.client_id, Grant(frozenset(access.scopes)), entity, id)


app = server.streamable_http_app(json_response=True, stateless_http=True)
