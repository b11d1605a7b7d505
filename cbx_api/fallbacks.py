"""What answers where no view of ours does: JSON under the API's root, Django's own pages elsewhere."""

import logging
import re
import secrets
import sys
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views import defaults

from cbx_api.envelope import error_response

logger = logging.getLogger("configbox.api")

_UNDER_API: Final = re.compile(r"/(?:[^/]+/)?cb-api(?:/|\Z)", re.DOTALL)


def _is_under_api(request: HttpRequest) -> bool:
    return _UNDER_API.match(request.path_info) is not None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer what Django refuses before any view: a foreign Host, too much of something."""
    if not _is_under_api(request):
        return defaults.bad_request(request, exception)
    return error_response(400, "This request cannot be taken: check the host name in its address and its headers.")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Answer an address that is nobody's."""
    if not _is_under_api(request):
        return defaults.page_not_found(request, exception)
    return error_response(404, "There is no such address; GET /cb-api/v1/ names those that there are.")


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a fault of the store's own with an identifier that finds it in the log, and nothing else."""
    if not _is_under_api(request):
        return defaults.server_error(request)
    incident = secrets.token_hex(5)
    logger.error("Incident %s", incident, exc_info=sys.exc_info())
    return error_response(500, f'The store failed to answer. Give the operator the incident "{incident}".')
