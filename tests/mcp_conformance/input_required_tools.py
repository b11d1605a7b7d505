"""Tools of the conformance suite that ask the client first."""

from cbx_mcp.asking import InputRequired, elicitation, elicited, roots, sampling
from cbx_mcp.tools.tool import Result
from tests.mcp_conformance.fixture_tools import fixture

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
COLOR = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
OK = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


def _elicitation(call):
    given = elicited(call, "user_name", NAME)
    if given is None:
        return InputRequired({"user_name": elicitation("What is your name?", NAME)})
    return Result(text=f"Hello, {given['name']}!")


def _sampling(call):
    given = call.input_responses.get("capital_question")
    if given is None:
        return InputRequired({"capital_question": sampling("What is the capital of France?", 100)})
    return Result(text=f"The model says: {given['content']['text']}")


def _roots(call):
    given = call.input_responses.get("client_roots")
    if given is None:
        return InputRequired({"client_roots": roots()})
    return Result(text=f"Roots: {', '.join(each['uri'] for each in given['roots'])}")


def _state(call):
    given = elicited(call, "confirm", OK)
    if given is None or call.state != "asked":
        return InputRequired({"confirm": elicitation("Please confirm", OK)}, state="asked")
    return Result(text="state-ok")


def _multiple(call):
    keys = {"user_name", "greeting", "client_roots"}
    if call.state != "asked" or not keys <= set(call.input_responses):
        asked = {
            "user_name": elicitation("What is your name?", NAME),
            "greeting": sampling("Generate a greeting", 50),
            "client_roots": roots(),
        }
        return InputRequired(asked, state="asked")
    return Result(text="All three were answered.")


def _rounds(call):
    name = elicited(call, "step1", NAME)
    color = elicited(call, "step2", COLOR)
    if call.state is None or (name is None and color is None):
        return InputRequired({"step1": elicitation("Step 1: What is your name?", NAME)}, state={"step": 1})
    if color is None:
        state = {"step": 2, "name": name["name"]}
        return InputRequired({"step2": elicitation("Step 2: What is your favorite color?", COLOR)}, state=state)
    return Result(text=f"{call.state['name']} likes {color['color']}.")


def _capabilities(call):
    asked = {}
    if "elicitation" in call.client_capabilities:
        asked["name"] = elicitation("What is your name?", NAME)
    if "sampling" in call.client_capabilities:
        asked["greeting"] = sampling("Generate a greeting", 50)
    return InputRequired(asked) if asked else Result(text="Nothing to ask this client.")


def _legacy_only(call):
    return InputRequired({"answer": sampling(call.arguments.get("prompt", "Say something."), 100)})


def _legacy_elicitation(call):
    return InputRequired({"answer": elicitation(call.arguments.get("message", "Who are you?"), NAME)})


PROMPT = {
    "type": "object",
    "properties": {"prompt": {"type": "string", "description": "What to ask the model."}},
    "required": ["prompt"],
    "additionalProperties": False,
}
MESSAGE = {
    "type": "object",
    "properties": {"message": {"type": "string", "description": "What to ask the person."}},
    "required": ["message"],
    "additionalProperties": False,
}

ASKING_TOOLS = (
    fixture("test_input_required_result_elicitation", _elicitation),
    fixture("test_input_required_result_sampling", _sampling),
    fixture("test_input_required_result_list_roots", _roots),
    fixture("test_input_required_result_request_state", _state),
    fixture("test_input_required_result_tampered_state", _state),
    fixture("test_input_required_result_multiple_inputs", _multiple),
    fixture("test_input_required_result_multi_round", _rounds),
    fixture("test_input_required_result_capabilities", _capabilities),
    fixture("test_missing_capability", _legacy_only),
    fixture("test_streaming_elicitation", _elicitation),
    fixture("test_sampling", _legacy_only, PROMPT),
    fixture("test_elicitation", _legacy_elicitation, MESSAGE),
    fixture("test_elicitation_sep1034_defaults", _legacy_elicitation),
    fixture("test_elicitation_sep1330_enums", _legacy_elicitation),
)
