"""A middleware that takes a field out of what the REST API describes, where LACKING names one (`answer.rules`)."""

import json
import os
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

from tests.examples.faulty_tools import LACKING


def lacking(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    entity, _, field = os.environ.get(LACKING, "").partition(".")

    def respond(request: HttpRequest) -> Any:
        response = get_response(request)
        if entity and request.path.rstrip("/").endswith(f"cb-api/v1/{entity}/schema"):
            schema = json.loads(response.content)
            del schema["properties"][field]
            response.content = json.dumps(schema)
        return response

    return respond
