"""Each check, broken through the service, the tool, the form and REST, gives the same sentence."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from cbx_mcp.call import Call
from cbx_mcp.tools.entity_tools import TOOLS
from cbx_mcp.tools.tool import ToolError
from configbox.access.grants import Grant, parse_scopes
from configbox.backoffice.forms import EntityForm
from configbox.entities import writing
from configbox.entities.errors import EntityError, Invalid
from configbox.entities.registry import model_of
from configbox.entities.view import View
from configbox.properties.json_values import write_json
from tests.api.rest_door import RestDoor, error
from tests.entities.shop import Shop

pytestmark = pytest.mark.django_db

Fields = dict[str, Any]
# What is broken: entity, the attribute of the shop that gives the record ("" for a create, "1" for id 1), what is
# sent, and every sentence that must come back, by its field. {name} stands for an id of the shop.
BROKEN: dict[str, tuple[str, str, Fields, dict[str, str]]] = {
    "required text": (
        "question",
        "width",
        {"title_de_DE": ""},
        {"title_de_DE": "Field Title (de-DE) cannot be empty."},
    ),
    "blank text": ("question", "width", {"title_en_GB": "  "}, {"title_en_GB": "Field Title (en-GB) cannot be empty."}),
    "too long": (
        "answer",
        "red",
        {"sku": "x" * 61},
        {"sku": "Field Article number may have at most 60 characters, got 61."},
    ),
    "translated too long": (
        "answer",
        "red",
        {"title_en_GB": "ä" * 256},
        {"title_en_GB": "Field Title (en-GB) may have at most 255 characters, got 256."},
    ),
    "NUL": (
        "answer",
        "red",
        {"sku": "a\x00b"},
        {"sku": "Field Article number cannot be stored: it contains the character NUL (U+0000)."},
    ),
    "no number": (
        "answer",
        "red",
        {"price": "18,50"},
        {
            "price": "Field Price must be a number such as 12.5, with a point and without thousands separators, "
            'got "18,50".'
        },
    ),
    "too many decimals": (
        "answer",
        "red",
        {"price": "1.23456"},
        {"price": 'Field Price may have at most 4 decimals, got "1.23456".'},
    ),
    "too many digits": (
        "answer",
        "red",
        {"price": "1234567890123456"},
        {"price": 'Field Price has too many digits: at most 15 are kept exactly, got "1234567890123456".'},
    ),
    "out of range": (
        "tax-class",
        "tax_class",
        {"default_tax_rate": "101"},
        {"default_tax_rate": 'Field Default rate must be at most 100, got "101".'},
    ),
    "negative place": (
        "question",
        "width",
        {"ordering": "-1"},
        {"ordering": "Field Ordering must be between 0 and 1000000000, got -1."},
    ),
    "no choice": (
        "calculation",
        "area",
        {"type": "sum"},
        {"type": 'Field Type must be one of "matrix", "formula", "code"; got "sum".'},
    ),
    "no numbered choice": (
        "product-list",
        "shown",
        {"product_sorting": "7"},
        {"product_sorting": 'Field Products are sorted must be one of 0 (by title), 1 (by hand); got "7".'},
    ),
    "no such record": (
        "question",
        "width",
        {"page_id": "999999"},
        {
            "page_id": "Field Page names no page: there is none with id 999999. Find ids with cbx_list_entities "
            "entity=page."
        },
    ),
    "zero is no id": (
        "question",
        "width",
        {"calcmodel": "0"},
        {
            "calcmodel": "Field Price calculation must be the id of a calculation, or null for none; 0 is no id. "
            "Send null to clear it."
        },
    ),
    "calculation of another product": (
        "question",
        "width",
        {"calcmodel": "{foreign_calculation}"},
        {
            "calcmodel": "Field Price calculation names calculation {foreign_calculation} of product {other_product}; "
            "this record belongs to product {product}."
        },
    ),
    "locked": (
        "calculation",
        "area",
        {"product_id": "{other_product}"},
        {"product_id": "Field Product cannot change once the record is stored; it is {product}."},
    ),
    "unique": (
        "currency",
        "dollar",
        {"code": "EUR"},
        {"code": 'Field Code must be unique: currency 1 already has "EUR".'},
    ),
    "label taken": (
        "product",
        "other_product",
        {"label_en_GB": "door"},
        {"label_en_GB": 'Field URL label (en-GB) must be unique: "door" is the address of product {product}.'},
    ),
    "no label": (
        "product",
        "product",
        {"label_en_GB": "Two Words"},
        {"label_en_GB": 'Field URL label (en-GB) may hold only letters a-z, digits and hyphens, got "Two Words".'},
    ),
    "limits cross": (
        "question",
        "width",
        {
            "validate": True,
            "input_restriction": "integer",
            "set_min_value": "static",
            "minval": "5",
            "set_max_value": "static",
            "maxval": "4",
        },
        {"maxval": "Field Maximum must be at least the minimum 5, got 4."},
    ),
    "required when it applies": (
        "question",
        "width",
        {"validate": True, "input_restriction": "integer", "set_min_value": "static"},
        {"minval": "Field Minimum cannot be empty."},
    ),
    "preset value": (
        "question",
        "width",
        {"validate": True, "input_restriction": "integer", "prefill_on_init": True, "default_value": "wide"},
        {"default_value": 'Field Preset value must be a whole number, got "wide".'},
    ),
    "rule on another product's question": (
        "answer",
        "red",
        {"rules": {"question": 999, "operator": "==", "value": 1}},
        {
            "rules": "Field Rules names question 999, which is no question of product {product}, so it could never be "
            'true; cbx_list_entities entity=question filters={{"id": 999}} shows it.'
        },
    ),
    "rule without a part": (
        "answer",
        "red",
        {"rules": {"any": []}},
        None,  # type: ignore[dict-item]
    ),
    "moment without offset": (
        "answer",
        "red",
        {"availibility_date": "2026-12-24"},
        {
            "availibility_date": "Field Available again on must be a moment with its offset such as "
            '2026-12-24T18:00:00+01:00, or null, got "2026-12-24".'
        },
    ),
    "no language": (
        "settings",
        "1",
        {"active_languages": ["english"]},
        {
            "active_languages": 'Field Active languages must be a list of language tags such as ["en-GB", "de-DE"], '
            'the leading one first; "english" is no language tag.'
        },
    ),
    "no active language": (
        "settings",
        "1",
        {"language_tag": "fr-FR"},
        {"language_tag": 'Field Default language must be the tag of an active language (en-GB, de-DE), got "fr-FR".'},
    ),
    "list of unknown ids": (
        "product",
        "product",
        {"product_listing_ids": ["777"]},
        {
            "product_listing_ids": "Field Product lists names no product list: there is none with id 777. Find ids "
            "with cbx_list_entities entity=product-list."
        },
    ),
    "everything missing": (
        "question",
        "",
        {},
        {
            "page_id": "Field Page cannot be empty.",
            "title_en_GB": "Field Title (en-GB) cannot be empty.",
            "title_de_DE": "Field Title (de-DE) cannot be empty.",
        },
    ),
}
# What no JSON can bring as far as a field: its reader refuses it, on every door that reads JSON.
UNREADABLE = {"NUL": "At sku: it contains the character NUL (U+0000)."}
TOOL = {each.name: each for each in TOOLS}


def _filled(value: Any, shop: Shop) -> Any:
    if isinstance(value, str) and "{" in value:
        return value.format(**vars(shop))
    return value


def _through_service(entity: str, pk: int | None, sent: Fields) -> tuple[dict[str, str], str]:
    write, arguments = (writing.create, [entity]) if pk is None else (writing.update, [entity, pk])
    with pytest.raises(Invalid) as caught:
        write(*arguments, sent)  # type: ignore[operator]
    return {issue.field: issue.message for issue in caught.value.issues}, caught.value.message


def _through_tool(entity: str, pk: int | None, sent: Fields) -> str:
    name, more = ("cbx_create_entity", {}) if pk is None else ("cbx_update_entity", {"id": pk})
    with pytest.raises(ToolError) as caught:
        TOOL[name].run(Call({"entity": entity, "fields": sent, **more}, Grant.everything()))
    return str(caught.value)


def _through_rest(entity: str, pk: int | None, sent: Fields) -> tuple[dict[str, str], str]:
    door = RestDoor(Grant.everything())
    response = door.post(entity, sent) if pk is None else door.patch(f"{entity}/{pk}", sent)
    found = error(response, 422)
    return {issue["field"]: issue["message"] for issue in found["issues"]}, found["message"]


def _typed(value: Any) -> Any:
    """Return what an operator types for a sent value."""
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, Mapping):
        return write_json(value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def _through_form(entity: str, pk: int | None, sent: Fields) -> dict[str, str]:
    model = model_of(entity)
    record = None if pk is None else model.objects.get(pk=pk)
    shown = EntityForm(model, record)
    data = {key: _typed(value) for key, value in shown.initial.items() if value is not False}
    form = EntityForm(model, record, data={**data, **{key: _typed(value) for key, value in sent.items()}})
    assert not form.is_valid()
    assert form.written is None
    return {field: " ".join(map(str, errors)) for field, errors in form.errors.items()}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_check_says_the_same_on_every_door(name: str, author: View, shop: Shop) -> None:
    entity, whose, fields, expected = BROKEN[name]
    pk = None if not whose else 1 if whose == "1" else getattr(shop, whose)
    sent = {key: _filled(value, shop) for key, value in fields.items()}
    issues, sentence = _through_service(entity, pk, sent)
    if expected is not None:
        assert issues == {key: message.format(**vars(shop)) for key, message in expected.items()}
    assert _through_tool(entity, pk, sent) == sentence
    assert _through_form(entity, pk, sent) == issues
    if name in UNREADABLE:
        refused = error(RestDoor(Grant.everything()).patch(f"{entity}/{pk}", sent), 400)
        assert [issue["message"] for issue in refused["issues"]] == [UNREADABLE[name]]
    else:
        assert _through_rest(entity, pk, sent) == (issues, sentence)
    kind = model_of(entity)._meta.verbose_name
    assert sentence == f"This {kind} is not valid. " + " ".join(f"{text} [{key}]" for key, text in issues.items())


def test_a_delete_that_is_refused_says_the_same(author: View, shop: Shop) -> None:
    with pytest.raises(EntityError) as caught:
        writing.delete("product-list", shop.shown)
    message = f'Could not delete product list, because it contains products: product {shop.product} "Door".'
    assert caught.value.message == message
    with pytest.raises(ToolError) as from_tool:
        TOOL["cbx_delete_entity"].run(Call({"entity": "product-list", "id": shop.shown}, Grant.everything()))
    assert str(from_tool.value) == message
    door = RestDoor(Grant.everything())
    assert error(door.delete(f"product-list/{shop.shown}"), 409)["message"] == message


def test_errors_that_are_no_fields_fault_say_the_same_to_tools_and_over_rest(author: View, shop: Shop) -> None:
    door = RestDoor(Grant.everything())
    record: Fields = {"entity": "answer", "id": shop.red}
    wrong: list[tuple[str, Fields, str, str, Fields | None, dict[str, str]]] = [
        ("cbx_get_entity", {**record, "id": 999_999}, "GET", "answer/999999", None, {}),
        ("cbx_get_entity", {**record, "id": "x"}, "GET", "answer/x", None, {}),
        ("cbx_get_entity", {**record, "language": "fr-FR"}, "GET", f"answer/{shop.red}?language=fr-FR", None, {}),
        ("cbx_list_entities", {"entity": "answer", "sort": "titel"}, "GET", "answer?sort=titel", None, {}),
        ("cbx_list_entities", {"entity": "answer", "limit": "0"}, "GET", "answer?limit=0", None, {}),
        ("cbx_list_entities", {"entity": "answer", "offset": "x"}, "GET", "answer?offset=x", None, {}),
        ("cbx_list_entities", {"entity": "answer", "filters": {"x": "1"}}, "GET", "answer?filter[x]=1", None, {}),
        ("cbx_create_entity", {"entity": "settings", "fields": {}}, "POST", "settings", {}, {}),
        ("cbx_update_entity", {**record, "fields": [1]}, "PATCH", f"answer/{shop.red}", [1], {}),  # type: ignore[list-item]
        ("cbx_update_entity", {**record, "fields": {}, "change_set": "x"}, "PATCH", f"answer/{shop.red}?change_set=x",
         {}, {}),
        ("cbx_delete_entity", {"entity": "currency", "id": 1}, "DELETE", "currency/1", None, {}),
        ("cbx_delete_entity", {**record, "rev": 9}, "DELETE", f"answer/{shop.red}", None, {"if_match": '"9"'}),
    ]  # fmt: skip
    for name, arguments, method, path, body, headers in wrong:
        if arguments.get("change_set"):
            arguments["fields"] = body = {"sku": "NEW"}
        with pytest.raises(ToolError) as from_tool:
            TOOL[name].run(Call(arguments, Grant.everything()))
        response = door.send(method, path, body, **headers)
        found = error(response, response.status_code)
        present = f" Present values: {write_json(found['present'])}" if "present" in found else ""
        assert found["message"] + present == str(from_tool.value)


@pytest.mark.parametrize("grant", [Grant.nothing(), parse_scopes(["catalog:read"])], ids=["none", "catalog:read"])
def test_a_scope_that_is_missing_is_named_the_same_way(grant: Grant, author: View, shop: Shop) -> None:
    door = RestDoor(grant)
    call = Call({"entity": "product", "id": shop.product, "fields": {}}, grant)
    with pytest.raises(ToolError) as from_tool:
        TOOL["cbx_update_entity"].run(call)
    assert error(door.patch(f"product/{shop.product}", {}), 403)["message"] == str(from_tool.value)


def test_an_untouched_form_changes_nothing(author: View, shop: Shop) -> None:
    for entity, pk in [("product", shop.product), ("question", shop.width), ("answer", shop.red), ("settings", 1)]:
        model = model_of(entity)
        record = model.objects.get(pk=pk)
        data = {key: _typed(value) for key, value in EntityForm(model, record).initial.items() if value is not False}
        form = EntityForm(model, record, data=data)
        assert form.is_valid(), form.errors
        assert form.written is not None
        assert form.written.change_set == ""
        assert model.objects.get(pk=pk).rev == record.rev


def test_a_stale_form_is_refused(author: View, shop: Shop) -> None:
    model = model_of("answer")
    record = model.objects.get(pk=shop.red)
    data = {key: _typed(value) for key, value in EntityForm(model, record).initial.items() if value is not False}
    writing.update("answer", shop.red, {"price": Decimal("12.00")})
    form = EntityForm(model, record, data={**data, "sku": "NEW"})
    assert not form.is_valid()
    assert form.errors == {
        "__all__": [
            f"This answer changed since it was read: it is at rev {record.rev + 1}, not {record.rev}. Look at its "
            "present values, then repeat the write with that rev. [rev]"
        ]
    }
