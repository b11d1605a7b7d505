"""The schemas of every entity: valid JSON Schema, and true of real records, of lists and of what a write takes."""

from typing import Any

import jsonschema
import pytest

from configbox.entities import listing, reading
from configbox.entities.registry import entities, model_of
from configbox.entities.view import View
from configbox.languages.active import active_tags
from configbox.operations.demo import load_demo
from configbox.properties.entity import Entity
from configbox.properties.json_values import read_json, write_json
from configbox.properties.schema import create_schema, listing_schema, read_schema, update_schema

pytestmark = pytest.mark.django_db

SCHEMAS = {"create": create_schema, "read": read_schema, "update": update_schema, "listing": listing_schema}
NAMES = sorted(entities())


def validator(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def faults(schema: dict[str, Any], value: Any) -> list[str]:
    """Return what a schema finds wrong with a value once it is JSON."""
    errors = validator(schema).iter_errors(read_json(write_json(value)))
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message}" for error in errors]


@pytest.mark.parametrize("kind", SCHEMAS)
@pytest.mark.parametrize("entity", NAMES)
def test_a_schema_is_valid_and_says_what_each_key_means(entity: str, kind: str, author: View) -> None:
    model: type[Entity] = model_of(entity)
    schema = SCHEMAS[kind](model, ["en-GB", "de-DE"])
    jsonschema.Draft202012Validator.check_schema(read_json(write_json(schema)))
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) <= set(schema["properties"])
    assert [key for key, each in schema["properties"].items() if not each.get("description")] == []


def test_every_record_of_the_demo_is_as_its_schemas_say(author: View) -> None:
    load_demo()
    tags = active_tags()
    counted = {}
    found = []
    for entity in NAMES:
        model = model_of(entity)
        as_read = read_schema(model, tags)
        for pk in model.objects.values_list("pk", flat=True):
            found += [f"{entity} {pk} {fault}" for fault in faults(as_read, reading.get(entity, pk))]
        as_listed = listing_schema(model, tags)
        page = listing.list_records(entity, limit=200)
        found += [f"{entity} list {fault}" for row in page.items for fault in faults(as_listed, row)]
        counted[entity] = page.total
    assert found == []
    assert counted["question"] == 35
    assert counted["answer"] == 292
    assert counted["country"] > 200
