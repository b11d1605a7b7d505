"""Addresses of the store: the operator's admin, the MCP server, the REST API."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from cbx_mcp.http import McpView
from configbox.languages.paths import API_ROOT

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(API_ROOT + "mcp/?$", McpView.as_view(), name="mcp"),
    # Last: it answers for every address under the API's root.
    path("", include("cbx_api.urls")),
]

handler400 = "cbx_api.fallbacks.bad_request"
handler404 = "cbx_api.fallbacks.page_not_found"
handler500 = "cbx_api.fallbacks.server_error"
