"""The Django app of the MCP server: it holds the management command and no models."""

from django.apps import AppConfig


class McpConfig(AppConfig):
    name = "cbx_mcp"
    verbose_name = "MCP server"

    def ready(self) -> None:
        """Register what tells whether the server answers."""
        # Here and not above: the tools' registry needs the models, which are loaded by now.
        from cbx_mcp.readiness import opens_and_lists
        from configbox.operations.readiness import register_probe

        register_probe("mcp", opens_and_lists)
