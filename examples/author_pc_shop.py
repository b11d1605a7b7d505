"""Authors a real shop's product through MCP, with the official SDK (`pip install -r requirements-dev.txt`).

Over stdio it starts `manage.py mcp --preset=author` itself; the store must be migrated (`bin/demo` does it):

    .venv/bin/python examples/author_pc_shop.py

Over HTTP the store must be served, and the token is in the environment:

    CONFIGBOX_TOKEN="$(cat var/demo-token)" .venv/bin/python examples/author_pc_shop.py \
        --url http://127.0.0.1:8000/cb-api/v1/mcp

The exit code is 0 if everything reads back as it is in the file.
"""

import argparse
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from httpx2 import AsyncClient, Response
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent
from pc_shop_authoring import (
    ROOT,
    TOKEN_VARIABLE,
    Record,
    Step,
    Stopped,
    author_shop,
    error_words,
    given_token,
    sendable,
)

# Seconds without a sign of a store that is served.
PATIENCE = 60


class McpStore:
    """The store's tools, one method for each use, and the change set that collects the writes."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self.client = client
        self.portal = portal
        self.change_set = ""

    def call(self, tool: str, **arguments: Any) -> Record:
        """Call a tool and return its answer. Raises Stopped with the tool's own words where it refuses."""
        try:
            result = self.portal.call(self.client.call_tool, tool, arguments)
        except MCPError as error:
            raise Stopped(f"{tool} could not be called: {error.message}") from error
        text = "".join(part.text for part in result.content if isinstance(part, TextContent))
        if result.is_error:
            raise Stopped(text)
        # The text has every digit of a price; the structured content went through binary floating point.
        answer: Record = json.loads(text, parse_float=Decimal)
        return answer

    def languages(self) -> list[str]:
        tags: list[str] = self.call("cbx_describe_entity", entity="product")["languages"]
        return tags

    def describe(self, entity: str) -> Record:
        fields: Record = self.call("cbx_describe_entity", entity=entity)["fields"]
        return fields

    def write(self, step: Step) -> int:
        arguments = {"entity": step.entity, "fields": sendable(step.fields)}
        if self.change_set:
            arguments["change_set"] = self.change_set
        if step.id is None:
            answer = self.call("cbx_create_entity", **arguments)
        else:
            answer = self.call("cbx_update_entity", id=step.id, **arguments)
        self.change_set = answer.get("change_set", self.change_set)
        number: int = answer["record"]["id"]
        return number

    def get(self, entity: str, number: int) -> Record:
        record: Record = self.call("cbx_get_entity", entity=entity, id=number)["record"]
        return record

    def ids(self, entity: str, **filters: Any) -> list[int]:
        found: list[int] = []
        offset: int | None = 0
        while offset is not None:
            page = self.call("cbx_list_entities", entity=entity, filters=filters, limit=200, offset=offset)
            found += [item["id"] for item in page["items"]]
            offset = page.get("next_offset")
        return found


@asynccontextmanager
async def over_stdio(python: str, manage: str) -> AsyncIterator[Client]:
    """Start a server and connect to it."""
    # The SDK hands a server next to nothing of the environment, but DATABASE_URL and the like say where the store is.
    environment = {"LOG_LEVEL": "WARNING", **os.environ}
    server = StdioServerParameters(command=python, args=[manage, "mcp", "--preset=author"], env=environment)
    async with Client(server) as client:
        yield client


@asynccontextmanager
async def over_http(url: str, token: str) -> AsyncIterator[Client]:
    """Connect to a server that runs. Whatever refuses the token raises Stopped, which arrives in exception groups."""

    async def check(response: Response) -> None:
        # The SDK would say no more than that there was an error.
        if response.status_code in (401, 403):
            raise Stopped(error_words(response.status_code, await response.aread()))

    headers = {"Authorization": f"Bearer {token}"}
    async with (
        AsyncClient(headers=headers, timeout=PATIENCE, event_hooks={"response": [check]}) as http_client,
        Client(streamable_http_client(url, http_client=http_client)) as client,
    ):
        yield client


def first_cause(error: BaseException) -> BaseException:
    """Return what went wrong first: the SDK's tasks wrap it in groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def main() -> int:
    parser = argparse.ArgumentParser(description="Author the PC shop's product through MCP and verify it.")
    parser.add_argument("--python", default=sys.executable, help="The interpreter that runs the server.")
    parser.add_argument("--manage", default=str(ROOT / "manage.py"), help="The store's manage.py.")
    parser.add_argument("--url", help=f"The MCP address of a store that is served; {TOKEN_VARIABLE} holds the token.")
    options = parser.parse_args()
    try:
        connection = (
            over_http(options.url, given_token()) if options.url else over_stdio(options.python, options.manage)
        )
    except Stopped as reason:
        print(reason, file=sys.stderr)
        return 1
    try:
        # The SDK speaks async only; the portal runs it beside code that does not.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(connection) as client:
            return author_shop(McpStore(client, portal), f"{options.python} {options.manage} changes undo")
    except ExceptionGroup as group:
        cause = first_cause(group)
        print(f"The connection failed: {str(cause) or type(cause).__name__}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
