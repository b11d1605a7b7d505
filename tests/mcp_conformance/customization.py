"""The fixtures of the conformance suite, added as any store adds its own parts. The suite fixes names and answers."""

from tests.mcp_conformance.fixture_methods import METHODS
from tests.mcp_conformance.fixture_prompts import PROMPTS
from tests.mcp_conformance.fixture_resources import RESOURCES, TEMPLATES
from tests.mcp_conformance.fixture_tools import TOOLS
from tests.mcp_conformance.input_required_tools import ASKING_TOOLS


def mcp_tools():
    return [*TOOLS, *ASKING_TOOLS]


def mcp_prompts():
    return PROMPTS


def mcp_resources():
    return RESOURCES


def mcp_resource_templates():
    return TEMPLATES


def mcp_methods():
    return METHODS
