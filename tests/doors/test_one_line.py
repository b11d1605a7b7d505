"""Adding one field to one model appears in schema, form and tool with no other edit."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from cbx_mcp.call import Call
from cbx_mcp.tools.entity_tools import TOOLS
from configbox.access.grants import Grant
from configbox.backoffice.forms import EntityForm
from configbox.catalog.models import Page
from configbox.entities.view import View
from configbox.properties.columns import Text
from configbox.properties.entity import properties
from configbox.properties.prop import Prop
from configbox.properties.schema import create_schema, listing_schema, read_schema, update_schema
from tests.entities.shop import Shop

TOOL = {each.name: each for each in TOOLS}
PROP = Prop(label="Hint", tooltip="Shown beside the page.", unit="words", listing=900, search=True)


@pytest.fixture
def hint(transactional_db: None) -> Iterator[Text]:
    """Give the page one more line, and its column."""
    field = Text(prop=PROP)
    field.contribute_to_class(Page, "hint")
    properties.cache_clear()
    with connection.schema_editor() as editor:
        editor.add_field(Page, field)
    yield field
    with connection.schema_editor() as editor:
        editor.remove_field(Page, field)
    Page._meta.local_fields.remove(field)  # type: ignore[attr-defined]
    Page._meta._expire_cache()  # type: ignore[attr-defined]
    delattr(Page, "hint")
    properties.cache_clear()


def call(tool: str, **arguments: Any) -> Any:
    return TOOL[tool].run(Call(arguments, Grant.everything())).content


def test_one_line_is_enough(hint: Text, author: View, shop: Shop) -> None:
    for schema in (create_schema, update_schema, read_schema, listing_schema):
        assert schema(Page, ["en-GB"])["properties"]["hint"]["maxLength"] == 255
    described = call("cbx_describe_entity", entity="page")
    assert described["fields"]["properties"]["hint"] == {
        "type": "string",
        "maxLength": 255,
        "description": "Hint. Shown beside the page. Unit: words.",
    }
    assert described["listing"]["columns"][-1] == "hint"
    assert "hint" in described["listing"]["search"]

    record = Page.objects.get(pk=shop.page)
    box = EntityForm(Page, record).fields["hint"]
    assert (box.label, box.help_text) == ("Hint (words)", "Shown beside the page.")

    written = call("cbx_update_entity", entity="page", id=shop.page, fields={"hint": "Measure twice 📏"})
    assert written["record"]["hint"] == "Measure twice 📏"
    assert call("cbx_get_entity", entity="page", id=shop.page)["record"]["hint"] == "Measure twice 📏"
    rows = call("cbx_list_entities", entity="page", search="twice")["items"]
    assert [(row["id"], row["hint"]) for row in rows] == [(shop.page, "Measure twice 📏")]
