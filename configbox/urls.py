"""Addresses of the store: the operator's admin, for now."""

from django.contrib import admin
from django.urls import path, re_path
from django.views.generic import RedirectView

from cbx_mcp.http import McpView
from configbox.languages.paths import API_ROOT

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    re_path(API_ROOT + "mcp/?$", McpView.as_view(), name="mcp"),
]
