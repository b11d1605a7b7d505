"""The official conformance suite against the served fixtures, alone and beside the product's own tools."""

import json
import re
from collections import defaultdict

import pytest

from cbx_mcp.tools.registry import tools
from tests.mcp.http_server import served
from tests.mcp.node_programs import FOLDER, PACKAGES, installed, node, run, url
from tests.mcp_conformance.fixture_tools import TOOLS
from tests.mcp_conformance.input_required_tools import ASKING_TOOLS
from tests.own_store import own_store

pytestmark = pytest.mark.thorough

SUITE = PACKAGES / "@modelcontextprotocol" / "conformance"
# Scenarios that wait for the client's answer to a request of the server, in the revision that has such requests.
NEED_REQUESTS_TO_THE_CLIENT = {
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("conformance")) as store:
        yield store


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("tests.mcp_conformance.settings", id="fixtures"),
        pytest.param("tests.mcp_conformance.settings_with_real_tools", id="with_real_tools"),
    ],
)
def server(request, store, tmp_path_factory):
    with served(store, tmp_path_factory.mktemp("server"), DJANGO_SETTINGS_MODULE=request.param) as server:
        yield server


def required(revision):
    """Return the names of the server scenarios that the suite scores for a revision."""
    text = (SUITE / "requirements" / f"{revision}.yaml").read_text()
    block = re.search(r"^server:\n((?:  - .+\n)+)", text, re.MULTILINE)
    return re.findall(r"- (\S+)", block[1])


def scored(server, home, revision, *options):
    """Run the suite for a revision; return the checks of each scored scenario by status, and what the suite said."""
    program = installed(SUITE / "dist" / "index.js")
    command = [node(), program, "server", "--url", url(server), "--requirements", revision, "-o", "results", *options]
    said = run(command, home).stdout
    found = {}
    for path in (home / "results").glob("*/checks.json"):
        scenario = re.fullmatch(r"server-(.+?)-\d{4}-\d\d-\d\dT.+", path.parent.name)[1]
        found[scenario] = defaultdict(list)
        for check in json.loads(path.read_text()):
            found[scenario][check["status"]].append(check["id"])
    return {scenario: found[scenario] for scenario in required(revision)}, said


def having(scenarios, status):
    return {name for name, checks in scenarios.items() if checks[status]}


def test_every_scenario_of_the_stateless_revision_passes(server, tmp_path):
    scenarios, _ = scored(server, tmp_path, "2026-07-28")
    assert len(scenarios) == 37
    assert having(scenarios, "FAILURE") == having(scenarios, "WARNING") == set()
    assert having(scenarios, "SUCCESS") == set(scenarios)
    skipped = scenarios["server-stateless"]["SKIPPED"]
    assert having(scenarios, "SKIPPED") == {"server-stateless"}
    assert (len(skipped), all("subscription" in check or "notification" in check for check in skipped)) == (5, True)


def test_the_revision_with_sessions_passes_but_for_what_needs_them(server, tmp_path):
    baseline = FOLDER / "conformance-2025-11-25.yml"
    scenarios, said = scored(server, tmp_path, "2025-11-25", "--expected-failures", str(baseline))
    assert len(scenarios) == 30
    assert having(scenarios, "FAILURE") == NEED_REQUESTS_TO_THE_CLIENT
    assert having(scenarios, "WARNING") == {"server-sse-multiple-streams"}
    assert len(scenarios.keys() - having(scenarios, "FAILURE")) == 26
    assert "Baseline check passed: all failures are expected." in said


def test_the_tools_beside_the_fixtures_are_all_of_the_product_or_none(server, request):
    listed = {tool["name"] for tool in server.post("tools/list").result["tools"]}
    fixtures = {tool.name for tool in (*TOOLS, *ASKING_TOOLS)}
    real = {tool.name for tool in tools()} if request.node.callspec.id == "with_real_tools" else set()
    assert listed == fixtures | real
