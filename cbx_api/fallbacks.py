"""What answers where no view of ours does: JSON where programs ask, Django's own pages elsewhere."""

import logging
import re
import secrets
import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views import defaults

from cbx_api.envelope import error_response, json_response

logger = logging.getLogger("configbox.api")

# Clients look for an authorization server at the well-known addresses; a page there would only confuse them.
_FOR_PROGRAMS: Final = re.compile(r"/(?:[^/]+/)?cb-api(?:/|\Z)|/\.well-known/", re.DOTALL)

# MCP clients read errors of JSON-RPC; these are its codes of a request and of a server that are at fault.
_MCP: Final = re.compile(r"/(?:[^/]+/)?cb-api/v1/mcp/?")
_RPC_CODES: Final = {400: -32600, 500: -32603}


def _answer(request: HttpRequest, status: int, message: str) -> HttpResponse:
    if _MCP.fullmatch(request.path_info):
        return json_response({"jsonrpc": "2.0", "error": {"code": _RPC_CODES[status], "message": message}}, status)
    return error_response(status, message)


def _is_for_programs(request: HttpRequest) -> bool:
    return _FOR_PROGRAMS.match(request.path_info) is not None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer what Django refuses before any view: a foreign Host, too much of something."""
    if not _is_for_programs(request):
        return defaults.bad_request(request, exception)
    return _answer(request, 400, "This request cannot be taken: check the host name in its address and its headers.")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer an address that is nobody's."""
    if not _is_for_programs(request):
        return defaults.page_not_found(request, exception)
    return error_response(404, "There is no such address; GET /cb-api/v1/ names those that there are.")


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a fault of the store's own with an identifier that finds it in the log, and nothing else."""
    if not _is_for_programs(request):
        return defaults.server_error(request)
    incident = secrets.token_hex(5)
    logger.error("Incident %s", incident, exc_info=sys.exc_info())
    return _answer(request, 500, f'The store failed to answer. Give the operator the incident "{incident}".')
