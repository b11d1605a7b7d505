"""The health checks of assistants, under both transports and without a network."""

import json

import pytest

from tests.mcp.http_server import served
from tests.mcp.node_programs import ASSISTANTS, installed, node, run, stdio_command, stdio_env, url
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

SETTINGS = "configbox.settings"
CLAUDE_CODE = ASSISTANTS / "@anthropic-ai" / "claude-code" / "cli-wrapper.cjs"
GEMINI_CLI = ASSISTANTS / "@google" / "gemini-cli" / "bundle" / "gemini.js"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("assistants")) as store:
        yield store


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    with served(store, tmp_path_factory.mktemp("server"), DJANGO_SETTINGS_MODULE=SETTINGS) as server:
        yield server


def health(text):
    """Return what an assistant says of each server, by the server's name."""
    lines = [line for line in text.splitlines() if " - " in line]
    return {line.partition(":")[0]: line.rpartition(" - ")[2] for line in lines}


def test_claude_code_connects(store, server, tmp_path):
    program = installed(CLAUDE_CODE)
    quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}

    def claude(*arguments):
        return run([node(), program, "mcp", *arguments], tmp_path, quiet).stdout

    for name, secret in (("over_http", server.secret), ("refused", "not-a-token")):
        header = f"Authorization: Bearer {secret}"
        claude("add", "--transport", "http", name, url(server), "--header", header)
    env = [part for name, value in stdio_env(store, SETTINGS).items() for part in ("-e", f"{name}={value}")]
    claude("add", "over_stdio", *env, "--", *stdio_command())
    assert health(claude("list")) == {
        "over_http": "✔ Connected",
        "refused": "✘ Failed to connect",
        "over_stdio": "✔ Connected",
    }


def test_gemini_cli_connects(store, server, tmp_path):
    program = installed(GEMINI_CLI)
    command, *arguments = stdio_command()
    http = {"httpUrl": url(server), "headers": {"Authorization": f"Bearer {server.secret}"}}
    servers = {
        "over_http": http,
        "refused": http | {"headers": {"Authorization": "Bearer not-a-token"}},
        "over_stdio": {"command": command, "args": arguments, "env": stdio_env(store, SETTINGS)},
    }
    (tmp_path / ".gemini").mkdir()
    # Without trust in the folder it starts no server.
    settings = {"security": {"folderTrust": {"enabled": False}}, "mcpServers": servers}
    (tmp_path / ".gemini" / "settings.json").write_text(json.dumps(settings))
    assert health(run([node(), program, "mcp", "list"], tmp_path).stderr) == {
        "✓ over_http": "Connected",
        "✗ refused": "Disconnected",
        "✓ over_stdio": "Connected",
    }
