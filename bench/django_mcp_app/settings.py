"""The settings of the store, with django-mcp-server's address instead of the store's own."""

from configbox.settings import *  # noqa: F403
from configbox.settings import INSTALLED_APPS as STORE_APPS

INSTALLED_APPS = [*STORE_APPS, "mcp_server", "django_mcp_app"]
ROOT_URLCONF = "mcp_server.urls"
DJANGO_MCP_ENDPOINT = "mcp"
DJANGO_MCP_GLOBAL_SERVER_CONFIG = {"name": "bench", "stateless": True}
DJANGO_MCP_AUTHENTICATION_CLASSES = ["django_mcp_app.authentication.StoreTokens"]
