"""Tools of the conformance suite that answer at once."""

import time

from cbx_mcp.content import Audio, EmbeddedResource, Image, Text
from cbx_mcp.tools.tool import Annotations, Result, Tool, ToolError
from configbox.access.scopes import ANY_READ
from tests.mcp_conformance.media import PNG, WAV

READS = Annotations(read_only=True, destructive=False, idempotent=True)
NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def fixture(name, run, schema=NOTHING):
    """Return a tool that needs neither database nor scope."""
    title = name.replace("_", " ")
    return Tool(name, title, f"A fixture: {title}.", schema, ANY_READ, READS, run, needs_database=False)


def _simple(call):
    return Result(text="This is a simple text response for testing.")


def _image(call):
    return Result(blocks=(Image(PNG, "image/png"),))


def _audio(call):
    return Result(blocks=(Audio(WAV, "audio/wav"),))


def _embedded(call):
    return Result(
        blocks=(EmbeddedResource("test://embedded-resource", "This is an embedded resource content.", "text/plain"),)
    )


def _mixed(call):
    data = EmbeddedResource("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return Result(blocks=(Text("Multiple content types test:"), Image(PNG, "image/png"), data))


def _logging(call):
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        call.notify("notifications/message", {"level": "info", "data": text})
        time.sleep(0.05)
    return Result(text="Logged.")


def _progress(call):
    for step in (0, 50, 100):
        call.progress(step, 100)
        time.sleep(0.11)
    return Result(text="Done.")


def _failing(call):
    raise ToolError("This tool intentionally returns an error for testing")


TOOLS = (
    fixture("test_simple_text", _simple),
    fixture("test_image_content", _image),
    fixture("test_audio_content", _audio),
    fixture("test_embedded_resource", _embedded),
    fixture("test_multiple_content_types", _mixed),
    fixture("test_tool_with_logging", _logging),
    fixture("test_logging_tool", _simple),
    fixture("test_tool_with_progress", _progress),
    fixture("test_error_handling", _failing),
    fixture("json_schema_2020_12_tool", _simple, SCHEMA_2020_12),
)
