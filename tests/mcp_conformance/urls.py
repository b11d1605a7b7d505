"""The MCP address without a token: the suite cannot send one."""

from django.urls import path
from rest_framework.request import Request

from cbx_mcp.http import McpView
from configbox.access.grants import Grant
from configbox.access.tokens import Bearer


class OpenMcpView(McpView):
    """The product's view, for one fixed caller who may do everything."""

    def authenticated(self, request: Request) -> Bearer:
        return Bearer("conformance", Grant.everything())


urlpatterns = [path("cb-api/v1/mcp", OpenMcpView.as_view())]
