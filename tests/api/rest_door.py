"""The REST API through Django's test client, CSRF checked as for any browser; each caller has a token of its own."""

import json
from decimal import Decimal
from typing import Any

from django.test import Client

from configbox.access.grants import Grant
from configbox.access.models import Token
from configbox.access.tokens import mint
from configbox.properties.json_values import write_json

ROOT = "/cb-api/v1/"


class RestDoor:
    """One caller. A path that begins with a slash is taken as it is, another is below the root of the API."""

    def __init__(self, grant: Grant, customer: int | None = None) -> None:
        self.token: Token
        self.token, self.secret = mint("door", grant, created_by="test", expires=None, customer=customer)
        self.client = Client(enforce_csrf_checks=True)

    def send(self, method: str, path: str, body: Any = None, **headers: str | None) -> Any:
        """Send a request and return the response. A body that is no bytes is sent as JSON; None leaves headers out."""
        given = {"authorization": f"Bearer {self.secret}", "content_type": None if body is None else "application/json"}
        given |= headers
        kind = given.pop("content_type") or ""
        sent = {name: value for name, value in given.items() if value is not None}
        data = body if isinstance(body, bytes) else b"" if body is None else write_json(body).encode()
        address = path if path.startswith("/") else ROOT + path
        # The client leaves the type of an empty body out unless it is told twice.
        return self.client.generic(method, address, data, kind, headers=sent, CONTENT_TYPE=kind)

    def get(self, path: str, **headers: str | None) -> Any:
        """Read what must be there, and return its document."""
        return document(self.send("GET", path, **headers), 200)

    def post(self, path: str, body: Any, **headers: str | None) -> Any:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str | None) -> Any:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str | None) -> Any:
        return self.send("DELETE", path, **headers)


def document(response: Any, status: int) -> Any:
    """Return the JSON of a response, which must have this status."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "no-store"
    assert ("Allow" in response) is (status == 405)
    assert ("WWW-Authenticate" in response) is (status == 401)
    return json.loads(response.content, parse_float=Decimal)


def error(response: Any, status: int) -> dict[str, Any]:
    """Return the error of a response, which must have this status."""
    answer = document(response, status)
    assert list(answer) == ["error"]
    assert list(answer["error"])[:3] == ["code", "message", "issues"]
    found: dict[str, Any] = answer["error"]
    return found
