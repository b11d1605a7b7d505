"""The operator's pages: every entity has them, they write through the pipeline, and they ask what a login may do."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from configbox.catalog.models import Answer, Product, ProductList, Question
from configbox.entities import writing
from configbox.entities.registry import entities
from configbox.entities.view import View
from configbox.properties.entity import Entity
from configbox.properties.json_values import read_json
from configbox.system.models import Change
from tests.entities.shop import Shop, records_of, texts

pytestmark = pytest.mark.django_db


def address(model: type[Entity], page: str, *ids: int) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=ids)


def typed(form: Any, **changed: str) -> dict[str, str]:
    """Return what a browser posts: every box as it is shown, and what the operator typed instead."""
    shown = {
        key: "on" if value is True else str(value) for key, value in form.initial.items() if value not in (None, False)
    }
    return {**shown, **changed}


@pytest.mark.parametrize("name", sorted(entities()))
def test_every_entity_has_its_pages(name: str, operator: Client, author: View, shop: Shop) -> None:
    model = entities()[name]
    pk = records_of(shop)[name]
    assert operator.get(address(model, "changelist")).status_code == 200
    assert operator.get(address(model, "change", pk)).status_code == 200
    creates = "create" in model.options().operations
    assert operator.get(address(model, "add")).status_code == (200 if creates else 403)
    deletes = "delete" in model.options().operations
    assert operator.get(address(model, "delete", pk)).status_code == (200 if deletes else 403)


def test_saving_changes_what_was_typed_and_records_it(operator: Client, author: View, shop: Shop) -> None:
    page = address(Answer, "change", shop.red)
    form = operator.get(page).context["form"]
    answer = operator.post(page, typed(form, price="12.75", title_de_DE="Röter 🚪"))
    assert (answer.status_code, answer.headers["Location"]) == (302, address(Answer, "changelist"))
    change = Change.objects.latest("pk")
    assert (change.entity, change.record, change.operation, change.door) == ("answer", shop.red, "update", "admin")
    assert change.actor.startswith("user #")
    assert read_json(change.before) == {"title_de_DE": "Rot", "price": Decimal("10.50")}
    assert read_json(change.after) == {"title_de_DE": "Röter 🚪", "price": Decimal("12.75")}


def test_saving_untouched_changes_nothing(operator: Client, author: View, shop: Shop) -> None:
    before = Change.objects.count()
    for model, pk in ((Question, shop.width), (Answer, shop.red)):
        page = address(model, "change", pk)
        assert operator.post(page, typed(operator.get(page).context["form"])).status_code == 302
    assert Change.objects.count() == before


def test_a_fault_stands_at_its_box(operator: Client, author: View, shop: Shop) -> None:
    page = address(Question, "change", shop.width)
    answer = operator.post(page, typed(operator.get(page).context["form"], title_en_GB=""))
    assert answer.status_code == 200
    assert answer.context["form"].errors == {"title_en_GB": ["Field Title (en-GB) cannot be empty."]}
    assert "Field Title (en-GB) cannot be empty." in answer.content.decode()


def test_adding_takes_every_language(operator: Client, author: View, shop: Shop) -> None:
    page = address(ProductList, "add")
    form = operator.get(page).context["form"]
    answer = operator.post(page, typed(form, **texts("New", "Neu")))
    assert answer.status_code == 302
    made = ProductList.objects.latest("pk")
    assert Change.objects.latest("pk").record == made.pk


def test_a_delete_that_is_refused_says_why(operator: Client, author: View, shop: Shop) -> None:
    answer = operator.post(address(ProductList, "delete", shop.shown), follow=True)
    said = [str(message) for message in answer.context["messages"]]
    assert said == [f'Could not delete product list, because it contains products: product {shop.product} "Door".']
    assert ProductList.objects.filter(pk=shop.shown).exists()


def test_a_delete_is_a_change(operator: Client, author: View, shop: Shop) -> None:
    assert operator.post(address(ProductList, "delete", shop.hidden)).status_code == 302
    change = Change.objects.latest("pk")
    assert (change.entity, change.record, change.operation) == ("product-list", shop.hidden, "delete")


def test_staff_without_a_grant_reads_the_store_and_writes_nothing(helper: Client, author: View, shop: Shop) -> None:
    assert helper.get(address(Answer, "changelist")).status_code == 403
    assert helper.get(address(Answer, "change", shop.red)).status_code == 403
    assert helper.post(address(Answer, "change", shop.red), {"price": "0"}).status_code == 403
    assert helper.post(address(Answer, "delete", shop.red)).status_code == 403
    store = entities()["store"]
    assert helper.get(address(store, "change", 1)).status_code == 200
    assert helper.post(address(store, "change", 1), {"shopname": "Mine"}).status_code == 403
    assert Answer.objects.filter(pk=shop.red).exists()


def test_a_list_searches_texts(operator: Client, author: View, shop: Shop) -> None:
    answer = operator.get(address(Answer, "changelist"), {"q": "Eiche"})
    assert [record.pk for record in answer.context["cl"].result_list] == [shop.oak]


def test_texts_of_people_are_escaped(operator: Client, author: View, shop: Shop) -> None:
    hostile = "</script><script>alert(1)</script>"
    writing.update("answer", shop.red, {"title_en_GB": hostile})
    for page in (
        address(Answer, "changelist"),
        address(Answer, "change", shop.red),
        address(Answer, "delete", shop.red),
    ):
        assert hostile not in operator.get(page).content.decode()


def test_pages_cost_the_same_for_few_and_for_many_rows(operator: Client, author: View, shop: Shop) -> None:
    def cost(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert operator.get(page).status_code == 200
        return len(queries)

    pages = [address(Answer, "changelist"), address(Question, "changelist"), address(Question, "change", shop.colour)]
    few = [cost(page) for page in pages]
    for number in range(40):
        writing.create("answer", {"question_id": shop.colour} | texts(f"Shade {number}"))
        writing.create("question", {"page_id": shop.page} | texts(f"Question {number}"))
    assert [cost(page) for page in pages] == few


def test_an_address_cannot_ask_for_values_that_are_never_shown(helper: Client, author: View, shop: Shop) -> None:
    settings = entities()["settings"]
    writing.update("settings", 1, {"product_key": "SECRET-1"})
    guessed = [
        helper.get(address(settings, "changelist"), {lookup: value})
        for lookup, value in (
            ("product_key__startswith", "S"),
            ("product_key__startswith", "X"),
            ("product_key", "SECRET-1"),
            ("maxmind_license_key__gt", ""),
        )
    ]
    assert {answer.status_code for answer in guessed} == {400}
    assert "SECRET-1" not in helper.get(address(settings, "change", 1)).content.decode()


def test_an_address_filters_by_what_a_list_may_be_filtered_by(operator: Client, author: View, shop: Shop) -> None:
    answer = operator.get(address(Answer, "changelist"), {"question__exact": str(shop.material)})
    assert [record.pk for record in answer.context["cl"].result_list] == [shop.oak]
    assert operator.get(address(Answer, "changelist"), {"question__page__product__sku": "DOOR"}).status_code == 400


def test_the_form_takes_what_tools_cannot_represent(operator: Client, author: View, shop: Shop) -> None:
    page = address(Product, "change", shop.product)
    form = operator.get(page).context["form"]
    model = '{"ticket": "abc"}'
    answer = operator.post(page, typed(form, visualization_type="shapediver", shapediver_model_data=model))
    assert answer.status_code == 302
    assert Product.objects.get(pk=shop.product).shapediver_model_data == model
    answer = operator.post(page, typed(operator.get(page).context["form"], shapediver_model_data="{}"))
    message = 'Field ShapeDiver model must be a JSON object that holds the "ticket" of the model.'
    assert answer.context["form"].errors == {"shapediver_model_data": [message]}
