"""Arguments and answers of the entity tools over a store: what is taken, how lists count, and how long answers get."""

from typing import Any

import pytest

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access.grants import Grant
from configbox.entities import writing
from configbox.entities.registry import entities
from configbox.entities.view import View
from configbox.properties.json_values import write_json
from tests.entities.dumps import dump
from tests.entities.shop import Shop, texts

pytestmark = pytest.mark.django_db
LONGEST = 40_000


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool as a client does and return the result."""
    session = Session(Grant.everything(), gather(TOOL_MODULES), instructions=lambda: "")
    params = {"name": tool, "arguments": arguments}
    message = write_json({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    answer = handle_message(message.encode(), session)
    assert answer is not None
    result: dict[str, Any] = answer["result"]
    assert len(result["content"][0]["text"]) <= LONGEST
    return result


def content(tool: str, **arguments: Any) -> dict[str, Any]:
    result = call(tool, **arguments)
    assert result["isError"] is False, result["content"][0]["text"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def refusal(tool: str, **arguments: Any) -> str:
    result = call(tool, **arguments)
    assert result["isError"] is True, result
    assert "structuredContent" not in result
    text: str = result["content"][0]["text"]
    return text


def not_run(tool: str, fault: str) -> str:
    return f"{tool} was not run, its arguments are not valid:\n- {fault}\nCall it again with these mended."


# --- G29: enums and the types of arguments ----------------------------------------------------------------------------
WITH_AN_ID: dict[str, dict[str, Any]] = {
    "cbx_get_entity": {},
    "cbx_update_entity": {"fields": {}},
    "cbx_delete_entity": {"dry_run": True},
}


@pytest.mark.parametrize("tool", WITH_AN_ID)
def test_g29_an_id_may_be_exact_text_and_nothing_less(tool: str, author: View, shop: Shop) -> None:
    more = {"entity": "answer", **WITH_AN_ID[tool]}
    expected = content(tool, id=shop.blue, **more)
    for same in (str(shop.blue), float(shop.blue)):
        assert content(tool, id=same, **more) == expected
    before = dump()
    for given, fault in {
        "12abc": 'id must be a whole number, got "12abc".',
        12.5: "id must be a whole number, got 12.5.",
        "12.5": "id must be a whole number, got 12.5.",
        True: "id must be a whole number, got true.",
        0: "id must be at least 1, got 0.",
        -1: "id must be at least 1, got -1.",
        " 12": 'id must be a whole number, got " 12".',
        "": 'id must be a whole number, got "".',
    }.items():
        assert refusal(tool, id=given, **more) == not_run(tool, fault)
    assert refusal(tool, id=None, **more) == refusal(tool, id=[1], **more).replace("got a list", "got null")
    assert dump() == before


def test_g29_an_unknown_choice_is_refused_with_the_valid_ones(author: View, shop: Shop) -> None:
    before = dump()
    fields = {"page_id": shop.page, "question_type": "slider2", **texts("Depth")}
    sentence = refusal("cbx_create_entity", entity="question", fields=fields)
    assert sentence == (
        'This question is not valid. Field Type must be one of "textbox", "textarea", "slider", "choices", "checkbox", '
        '"radiobuttons", "dropdown", "images", "calendar", "colorpicker", "ralcolorpicker", "upload"; got "slider2". '
        "[question_type]"
    )
    described = content("cbx_describe_entity", entity="question")["fields"]["properties"]["question_type"]["enum"]
    assert sentence.partition("one of ")[2].partition(";")[0] == ", ".join(f'"{each}"' for each in described)
    assert dump() == before


@pytest.mark.parametrize("tool", [tool.name for tool in gather(TOOL_MODULES)])
def test_g29_an_unknown_entity_is_refused_with_the_closest(tool: str, author: View) -> None:
    more: dict[str, Any] = {"cbx_create_entity": {"fields": {}}, **{name: {"id": 1} for name in WITH_AN_ID}}.get(
        tool, {}
    )
    more |= WITH_AN_ID.get(tool, {})
    assert (
        refusal(tool, entity="awnser", **more)
        .splitlines()[1]
        .startswith('- entity cannot be "awnser"; did you mean answer? Valid values: answer, ')
    )


def test_g29_an_object_may_be_its_exact_text_and_texts_stay_texts(author: View, shop: Shop) -> None:
    described = '{"a":1}'
    fields = write_json({"sku": "0012", "description_en_GB": described, "option_custom_1": "true"})
    record = content("cbx_update_entity", entity="answer", id=shop.blue, fields=fields)["record"]
    assert (record["sku"], record["description_en_GB"], record["option_custom_1"]) == ("0012", described, "true")
    assert refusal("cbx_update_entity", entity="answer", id=shop.blue, fields='{"sku": ') == not_run(
        "cbx_update_entity",
        "fields must be an object, got text that cannot be read as one (This is not JSON: Expecting value at character "
        "9).",
    )
    for given, got in (("sku", None), ([], "got a list"), (3, "got 3")):
        sentence = refusal("cbx_update_entity", entity="answer", id=shop.blue, fields=given)
        assert sentence.splitlines()[1].startswith("- fields must be an object, ")
        assert got is None or got in sentence


# --- G31: counts, caps and offsets ------------------------------------------------------------------------------------
@pytest.fixture
def many_answers(author: View, shop: Shop) -> Shop:
    """230 answers, 12 of them of the question of the material."""
    wanted = {shop.material: 11, shop.colour: 216}
    for question, count in wanted.items():
        for number in range(count):
            writing.create("answer", {"question_id": question, **texts(f"Answer {number}")})
    return shop


def test_g31_every_count_says_what_it_counts(many_answers: Shop) -> None:
    def page(**arguments: Any) -> dict[str, Any]:
        return content("cbx_list_entities", entity="answer", language="en-GB", **arguments)

    def counts(listed: dict[str, Any]) -> tuple[Any, ...]:
        keys = ("total", "matched", "limit", "offset")
        return (len(listed["items"]), *(listed[key] for key in keys), listed.get("next_offset"))

    first = page(limit=500)
    rows = len(first["items"])
    # An answer may lose rows to its size; what is left out is never silent.
    assert counts(first) == (rows, 230, 230, 200, 0, rows)
    assert first["notes"][0] == "limit 500 was taken as 200, the most one call returns."
    assert rows == 200 or first["notes"][1] == f"{200 - rows} rows of this page did not fit; go on at next_offset."
    assert counts(page(limit=100)) == (100, 230, 230, 100, 0, 100)
    assert counts(page()) == (50, 230, 230, 50, 0, 50)
    assert counts(page(limit=200, offset=200)) == (30, 230, 230, 200, 200, None)
    assert counts(page(limit=50, offset=180)) == (50, 230, 230, 50, 180, None)
    assert counts(page(offset=1000)) == (0, 230, 230, 50, 1000, None)
    of_material = page(filters={"question_id": many_answers.material})
    assert counts(of_material) == (12, 230, 12, 50, 0, None)
    assert {row["question_id"] for row in of_material["items"]} == {many_answers.material}
    assert counts(page(filters={"question_id": many_answers.material}, offset=10, limit=5)) == (2, 230, 12, 5, 10, None)


@pytest.mark.parametrize(
    ("argument", "given", "fault"),
    [
        ("limit", 0, "limit must be at least 1, got 0."),
        ("limit", -1, "limit must be at least 1, got -1."),
        ("limit", "all", 'limit must be a whole number, got "all".'),
        ("limit", 10.5, "limit must be a whole number, got 10.5."),
        ("offset", -1, "offset must be at least 0, got -1."),
        ("offset", "end", 'offset must be a whole number, got "end".'),
    ],
)
def test_g31_what_is_no_page_is_refused(argument: str, given: Any, fault: str, author: View) -> None:
    assert refusal("cbx_list_entities", entity="answer", **{argument: given}) == not_run("cbx_list_entities", fault)


def test_g31_pages_together_are_every_record_once(many_answers: Shop) -> None:
    seen: list[int] = []
    offset: int | None = 0
    while offset is not None:
        listed = content("cbx_list_entities", entity="answer", limit=200, offset=offset)
        assert listed["items"], "a page that promises more must hold something"
        seen += [row["id"] for row in listed["items"]]
        offset = listed.get("next_offset")
    assert len(seen) == 230
    assert set(seen) == set(entities()["answer"].objects.values_list("pk", flat=True))


# --- answers longer than clients take ---------------------------------------------------------------------------------
def test_a_list_that_is_too_long_loses_rows_and_goes_on_where_it_stopped(author: View, shop: Shop) -> None:
    for number in range(120):
        writing.create("answer", {"question_id": shop.colour, **texts(f"{number:03} " + "🚪" * 60)})
    sizes = []
    titles: list[str] = []
    offset: int | None = 0
    while offset is not None:
        listed = content(
            "cbx_list_entities", entity="answer", filters={"question_id": shop.colour}, limit=200, offset=offset
        )
        after = offset + len(listed["items"])
        if after < 122:
            assert listed["next_offset"] == after
            assert listed["notes"] == [
                f"{min(200, 122 - offset) - len(listed['items'])} rows of this page did not fit; go on at next_offset."
            ]
            # One row more would not have fitted.
            assert len(write_json(listed)) > LONGEST - 2 * len(write_json(listed["items"][-1]))
        sizes.append(len(listed["items"]))
        titles += [row["title_en_GB"][:3] for row in listed["items"]]
        offset = listed.get("next_offset")
    assert len(sizes) > 2
    assert sum(sizes) == 122
    assert titles == ["Red", "Blu", *(f"{number:03}" for number in range(120))]


def test_values_that_are_too_large_are_left_out_whole_and_come_when_asked_for(author: View, shop: Shop) -> None:
    english, german = "<p>" + "a" * 30_000 + "</p>", "<p>" + "b" * 20_000 + "</p>"
    fields = {"description_en_GB": english, "description_de_DE": german}
    written = content("cbx_update_entity", entity="answer", id=shop.red, fields=fields)
    read = content("cbx_get_entity", entity="answer", id=shop.red)
    for answer in (written, read):
        assert answer["omitted"] == {"description_en_GB": len(write_json(english))}
        assert "description_en_GB" not in answer["record"]
        assert answer["record"]["description_de_DE"] == german
    only = content("cbx_get_entity", entity="answer", id=shop.red, only=["description_en_GB"])
    assert only == {
        "entity": "answer",
        "record": {"id": shop.red, "rev": read["record"]["rev"], "description_en_GB": english},
    }

    # A key that was left out is a key not sent: the record sent back changes nothing.
    back = content("cbx_update_entity", entity="answer", id=shop.red, fields=read["record"])
    assert "change_set" not in back
    assert back["record"]["rev"] == read["record"]["rev"]
    assert content("cbx_get_entity", entity="answer", id=shop.red, only=["description_en_GB"]) == only


def test_one_value_beyond_every_answer_is_named_and_never_cut(author: View, shop: Shop) -> None:
    longest = "c" * 50_000
    content("cbx_update_entity", entity="answer", id=shop.red, fields={"description_en_GB": longest})
    for only in (None, ["description_en_GB"]):
        more = {"only": only} if only else {}
        answer = content("cbx_get_entity", entity="answer", id=shop.red, **more)
        assert answer["omitted"] == {"description_en_GB": 50_002}
        assert "description_en_GB" not in answer["record"]
