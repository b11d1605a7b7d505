"""Prompts of the conformance suite."""

from cbx_mcp.asking import InputRequired, elicitation, elicited
from cbx_mcp.content import EmbeddedResource, Image, Text
from cbx_mcp.prompts import Prompt, PromptArgument, PromptMessage
from configbox.access.scopes import ANY_READ
from tests.mcp_conformance.media import PNG

CONTEXT = {"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}
CITIES = ("paris", "park", "party")


def _simple(call):
    return (PromptMessage(Text("This is a simple prompt for testing.")),)


def _with_arguments(call):
    first, second = call.arguments["arg1"], call.arguments["arg2"]
    return (PromptMessage(Text(f"Prompt with arguments: arg1='{first}', arg2='{second}'")),)


def _with_resource(call):
    resource = EmbeddedResource(call.arguments["resourceUri"], "Embedded resource content for testing.", "text/plain")
    return PromptMessage(resource), PromptMessage(Text("Please process the embedded resource above."))


def _with_image(call):
    return PromptMessage(Image(PNG, "image/png")), PromptMessage(Text("Please analyze the image above."))


def _asking(call):
    given = elicited(call, "user_context", CONTEXT)
    if given is None:
        return InputRequired({"user_context": elicitation("What context should the prompt use?", CONTEXT)})
    return (PromptMessage(Text(f"Use the context: {given['context']}")),)


PROMPTS = (
    Prompt("test_simple_prompt", "Simple prompt", "A prompt without arguments.", ANY_READ, _simple),
    Prompt(
        "test_prompt_with_arguments",
        "Prompt with arguments",
        "A prompt with two arguments.",
        ANY_READ,
        _with_arguments,
        (
            PromptArgument(
                "arg1", "First test argument", True, lambda typing: [c for c in CITIES if c.startswith(typing.value)]
            ),
            PromptArgument("arg2", "Second test argument", True),
        ),
    ),
    Prompt(
        "test_prompt_with_embedded_resource",
        "Prompt with a resource",
        "A prompt that embeds a resource.",
        ANY_READ,
        _with_resource,
        (PromptArgument("resourceUri", "Address of the resource to embed", True),),
    ),
    Prompt("test_prompt_with_image", "Prompt with a picture", "A prompt with a picture.", ANY_READ, _with_image),
    Prompt(
        "test_input_required_result_prompt",
        "Prompt that asks",
        "A prompt that asks for its context first.",
        ANY_READ,
        _asking,
    ),
)
