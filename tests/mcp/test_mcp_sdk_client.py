"""The official SDK's client against `manage.py mcp`, in its three modes."""

import asyncio
import os
import sys
from decimal import Decimal

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from tests.mcp.stdio_client import FIXTURE_SETTINGS, ROOT

MODES = ["legacy", "auto", "2026-07-28"]


def conversation(mode, steps, *options):
    """Open a server, run the async `steps(client)` and return what it returns."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "manage.py"), "mcp", *options],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": FIXTURE_SETTINGS},
        cwd=ROOT,
    )

    async def talk():
        async with Client(stdio_client(parameters), mode=mode) as client:
            return await steps(client)

    return asyncio.run(talk())


@pytest.mark.parametrize("mode", MODES)
def test_the_client_opens_lists_and_calls(mode):
    async def steps(client):
        listed = await client.list_tools()
        good = await client.call_tool("echo", {"whole": "5", "text": "Größe"})
        bad = await client.call_tool("refuse", {})
        prompts = await client.list_prompts()
        resources = await client.list_resources()
        return listed, good, bad, prompts, resources

    listed, good, bad, prompts, resources = conversation(mode, steps)
    assert "echo" in [tool.name for tool in listed.tools]
    assert good.structured_content["arguments"] == {"whole": 5, "text": "Größe"}
    assert not good.is_error
    assert bad.is_error
    assert bad.content[0].text.startswith("This cannot be done")
    assert (prompts.prompts, resources.resources) == ([], [])


@pytest.mark.parametrize("mode", MODES)
def test_the_client_survives_a_tool_that_dies(mode):
    async def steps(client):
        dead = await client.call_tool("crash", {})
        alive = await client.call_tool("echo", {})
        return dead, alive

    dead, alive = conversation(mode, steps)
    assert dead.is_error
    assert not alive.is_error


@pytest.mark.parametrize("mode", MODES)
def test_the_client_sees_progress(mode):
    async def steps(client):
        seen = []

        async def note(progress, total, message):
            seen.append(progress)

        await client.call_tool("progress", {}, progress_callback=note)
        return seen

    assert conversation(mode, steps) == [1, 2, 3, 4]


@pytest.mark.parametrize("mode", MODES)
def test_the_client_is_told_of_an_unknown_tool(mode):
    async def steps(client):
        with pytest.raises(MCPError, match="There is no tool ecco; did you mean echo"):
            await client.call_tool("ecco", {})
        return Decimal(1)

    assert conversation(mode, steps) == 1


# A client pinned to one revision opens without asking for instructions.
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_client_gets_the_instructions_of_its_grant(mode):
    async def steps(client):
        return client.instructions, client.server_info

    instructions, server = conversation(mode, steps, "--preset=author")
    assert "holds the scopes catalog:write, store:read." in instructions
    assert server.name == "configbox"
