"""Two addresses for whoever watches over the process: does it live, and is it ready to serve. No token, no details."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from cbx_api.envelope import json_response
from configbox.operations.readiness import faults


@csrf_exempt
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that the process lives. Asks nobody else."""
    return json_response({"status": "ok"})


@csrf_exempt
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether everything that a request may need is there; the log says why not."""
    failing = sorted(faults())
    if failing:
        return json_response({"status": "unavailable", "failing": failing}, 503)
    return json_response({"status": "ok"})
