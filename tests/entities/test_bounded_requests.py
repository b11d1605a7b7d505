"""Requests that are large in a way that would hold up others: refused before the transaction, told in few words."""

import pytest
from django.db import connection
from django.utils import translation

from configbox.access.grants import Grant
from configbox.entities import listing, writing
from configbox.entities.errors import MAX_ISSUES, Invalid
from configbox.entities.view import view
from configbox.entities.writing import MAX_FIELDS
from configbox.properties.json_values import write_json

NEAR_MISSES = [
    "product_detail_panes_in_configurator_pages",
    "pm_recurring_show_elementprices",
    "page_nav_block_on_missing_selections",
]


def near_misses(count):
    return {f"{NEAR_MISSES[number % 3]}{number}": 1 for number in range(count)}


@pytest.mark.parametrize("pk", [None, 1])
def test_more_fields_than_any_entity_has_are_refused_before_anybody_waits(shop, django_assert_num_queries, pk):
    fields = near_misses(50_000)
    with django_assert_num_queries(1), pytest.raises(Invalid) as refused:
        writing.create("product", fields) if pk is None else writing.update("product", pk, fields)
    assert refused.value.message == (
        f"This request is not valid. fields may have at most {MAX_FIELDS} names, got 50000. [fields]"
    )
    assert not connection.needs_rollback


@pytest.mark.timeout(60)
def test_of_many_issues_the_first_are_told_and_the_others_counted(shop):
    with pytest.raises(Invalid) as refused:
        writing.update("product", shop.product, near_misses(MAX_FIELDS))
    issues = refused.value.issues
    assert len(issues) == MAX_ISSUES + 1
    assert (issues[-1].code, issues[-1].message) == ("more", f"And {MAX_FIELDS - MAX_ISSUES} more: mend these first.")
    assert len(refused.value.message) < 20_000


def test_a_rule_of_thousands_of_conditions_is_refused(shop):
    condition = {"question": shop.colour, "operator": "==", "value": shop.red}
    rules = {"all": [{"any": [condition] * 10}] * 101}
    with pytest.raises(Invalid) as refused:
        writing.update("question", shop.material, {"rules": rules})
    assert "rules has 1010 conditions, but a rule may have at most 1000." in refused.value.message
    rules["all"].pop()
    assert writing.update("question", shop.material, {"rules": rules}).record["rules"] == rules


def test_a_raw_rule_is_bounded_too(shop):
    condition = {"type": "ConditionAttribute", "field": "x"}
    raw = write_json([condition, *[{"type": "combinator", "value": "&&"}, condition] * 1000])
    with pytest.raises(Invalid, match="1001 conditions, but a rule may have at most 1000"):
        writing.update("question", shop.material, {"rules": {"raw": raw}})


def test_columns_that_are_not_wanted_are_not_even_read(shop, django_assert_num_queries):
    whole = listing.list_records("question").items
    assert "rules" in whole[0]
    narrow = listing.list_records("question", only=["title_en_GB", "page_id_display_value"]).items
    assert narrow == [{key: row[key] for key in ("id", "title_en_GB", "page_id_display_value")} for row in whole]
    # Languages, total, matched and the page; neither texts nor titles of what it refers to.
    with django_assert_num_queries(4):
        assert listing.list_records("question", only=[]).items == [{"id": row["id"]} for row in whole]


def test_a_language_of_any_name_loads_no_catalogue_of_its_own(shop):
    catalogues = translation.trans_real._translations
    before = set(catalogues)
    for number in range(50):
        with view(actor="test", grant=Grant.everything(), door="test", language=f"xx-{number}"):
            pass
    with view(actor="test", grant=Grant.everything(), door="test", language="de-DE"):
        assert translation.get_language() == "de-de"
    assert set(catalogues) - before <= {"de-de", "en-gb", "de", "en"}
