"""The MCP address through Django's test client: messages in, responses out, CSRF checked as for any browser."""

import json
from decimal import Decimal
from typing import Any

from django.http.response import HttpResponseBase
from django.test import Client

from configbox.access.grants import Grant
from configbox.access.models import Token
from configbox.access.tokens import mint
from configbox.properties.json_values import write_json
from tests.mcp.stdio_client import MODERN, modern_meta

ADDRESS = "/cb-api/v1/mcp"
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class HttpDoor:
    """One caller with a token of its own. Headers are keyword arguments: `accept="text/html"`; None leaves one out."""

    def __init__(self, grant: Grant, customer: int | None = None) -> None:
        self.token: Token
        self.token, self.secret = mint("door", grant, created_by="test", expires=None, customer=customer)
        self.client = Client(enforce_csrf_checks=True)

    def send(self, body: bytes | str, address: str = ADDRESS, method: str = "POST", **headers: str | None) -> Any:
        """Send a request as it is and return the response."""
        given = {
            "authorization": f"Bearer {self.secret}",
            "accept": "application/json, text/event-stream",
            "content_type": "application/json",
        } | headers
        kind = given.pop("content_type") or ""
        sent = {name: value for name, value in given.items() if value is not None}
        # The client leaves the type of an empty body out unless it is told twice.
        response: HttpResponseBase = self.client.generic(method, address, body, kind, headers=sent, CONTENT_TYPE=kind)
        return response

    def post(
        self, method: str, params: dict[str, Any] | None = None, *, modern: bool = False, **headers: str | None
    ) -> Any:
        """Send one request of either era, with id 1, and return the response."""
        params = dict(params or {})
        if modern:
            params["_meta"] = modern_meta() | params.get("_meta", {})
            headers = {**modern_headers(method, params), **headers}
        return self.send(
            write_json({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
            address=headers.pop("address", ADDRESS) or ADDRESS,
            **headers,
        )

    def ask(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Send one request and return its result, which must come."""
        response = self.post(method, params, **more)
        answer = document(response)
        assert response.status_code == 200, answer
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, name: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Call a tool and return its result."""
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}}, **more)


def modern_headers(method: str, params: dict[str, Any]) -> dict[str, str | None]:
    """Return the headers that repeat a modern request."""
    name = params.get(NAMED_BY.get(method, ""))
    named = {"mcp_name": name} if isinstance(name, str) else {}
    return {"mcp_protocol_version": MODERN, "mcp_method": method, **named}


def document(response: Any) -> Any:
    """Return the one JSON document of a response."""
    assert response["Content-Type"] == "application/json", response
    return json.loads(response.content, parse_float=Decimal)


def events(response: Any) -> list[dict[str, Any]]:
    """Return the messages of a response that is a stream of events."""
    assert response["Content-Type"] == "text/event-stream", response
    text = b"".join(response.streaming_content).decode()
    assert text.endswith("\n\n")
    found = []
    for each in text.removesuffix("\n\n").split("\n\n"):
        kind, data = each.split("\n")
        assert kind == "event: message"
        found.append(json.loads(data.removeprefix("data: "), parse_float=Decimal))
    return found


def error_of(response: Any) -> tuple[int, int]:
    """Return the HTTP status of an error and its code."""
    answer = document(response)
    assert sorted(answer) in (["error", "id", "jsonrpc"], ["error", "jsonrpc"]), answer
    return response.status_code, answer["error"]["code"]
