"""The one tool of the comparison, declared as django-mcp-server documents it."""

from typing import Any

from compared_tool import get_entity
from mcp_server import MCPToolset


class EntityTools(MCPToolset):
    """The library publishes every method."""

    def cbx_get_entity(self, entity: str, id: int) -> dict[str, Any]:
        """Returns one full record."""
        bearer = self.request.auth
        return get_entity(bearer.label, bearer.grant, entity, id)
