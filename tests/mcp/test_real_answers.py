"""The answers of the six tools over a real store: their shapes, and records that are as their entity is described."""

import jsonschema
import pytest

from tests.mcp.test_real_store import content_of, serve
from tests.own_store import own_store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with own_store(tmp_path_factory.mktemp("answers")) as store:
        store.manage("load_demo")
        yield store


NUMBER = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
OBJECT = {"type": "object"}
RECORD = {"type": "object", "required": ["id", "rev"]}
WARNINGS = {"type": "array", "items": {"type": "object", "required": ["field", "code", "message"]}}


def shape(optional=(), **required):
    named = dict(required)
    for each in optional:
        named |= each
    return {"type": "object", "properties": named, "required": list(required), "additionalProperties": False}


SHAPES = {
    "describe": shape(
        [{"frozen": TEXT}],
        entity=TEXT, label=TEXT, area=TEXT, scopes=shape(read=TEXT, write=TEXT), operations=TEXTS, fields=OBJECT,
        read_only=OBJECT, listing=OBJECT, filters=TEXTS, languages=TEXTS, unsupportedFields=OBJECT,
    ),
    "list": shape(
        [{"next_offset": NUMBER, "notes": TEXTS}],
        entity=TEXT, items={"type": "array", "items": {"type": "object", "required": ["id"]}}, total=NUMBER,
        matched=NUMBER, limit=NUMBER, offset=NUMBER,
    ),
    "get": shape(entity=TEXT, record=RECORD),
    "create": shape(entity=TEXT, id=NUMBER, record=RECORD, warnings=WARNINGS, change_set=TEXT),
    "update": shape(entity=TEXT, record=RECORD, warnings=WARNINGS, change_set=TEXT),
    "delete": shape(entity=TEXT, id=NUMBER, deleted={"const": True}, change_set=TEXT),
}  # fmt: skip


def checked(kind, result):
    """Return the content of an answer after holding it against its shape, and the text against the content."""
    content = content_of(result)
    assert result["content"] == [{"type": "text", "text": result["content"][0]["text"]}]
    jsonschema.validate(content, SHAPES[kind])
    return content


def entities_of(client):
    tools = {tool["name"]: tool for tool in client.ask("tools/list")["result"]["tools"]}
    return tools["cbx_list_entities"]["inputSchema"]["properties"]["entity"]["enum"]


def test_every_answer_has_its_shape_and_every_record_is_as_described(store):
    seen = []
    with serve(store) as client:
        for entity in entities_of(client):
            described = checked("describe", client.call("cbx_describe_entity", {"entity": entity}))
            fields = described["fields"]
            jsonschema.Draft202012Validator.check_schema(fields)
            for each in fields["properties"].values():
                if "default" in each:
                    jsonschema.validate(each["default"], {"$defs": fields.get("$defs", {}), **each})
            known = {**fields["properties"], **described["read_only"]}
            readable = {key: each for key, each in known.items() if not each.get("writeOnly")}
            validator = jsonschema.Draft202012Validator({**fields, "properties": readable, "required": []})
            page = checked("list", client.call("cbx_list_entities", {"entity": entity, "limit": 3}))
            columns = described["listing"]["columns"]
            for item in page["items"]:
                assert list(item) == columns
                record = checked("get", client.call("cbx_get_entity", {"entity": entity, "id": item["id"]}))["record"]
                assert record.keys() == readable.keys()
                # A choice that nobody made is shown as an empty text, and cannot be sent as one.
                validator.validate({key: value for key, value in record.items() if value != ""})
                seen.append(entity)
    assert {"product", "page", "question", "answer", "settings", "store", "currency", "country"} <= set(seen)


def test_every_write_answers_in_its_shape(store):
    with serve(store) as client:
        fields = {"title_en_GB": "Shelf", "title_de_DE": "Regal"}
        created = checked("create", client.call("cbx_create_entity", {"entity": "product", "fields": fields}))
        number = created["id"]
        update = {"entity": "product", "id": number, "fields": {"sku": "S-1"}}
        updated = checked("update", client.call("cbx_update_entity", update))
        assert created["record"]["id"] == updated["record"]["id"] == number
        deleted = checked("delete", client.call("cbx_delete_entity", {"entity": "product", "id": number}))
        assert deleted["id"] == number
