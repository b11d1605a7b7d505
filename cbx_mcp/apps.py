"""The Django app of the MCP server: it holds the management command and no models."""

from django.apps import AppConfig


class McpConfig(AppConfig):
    name = "cbx_mcp"
    verbose_name = "MCP server"
