"""What a fresh install has, and that seeding happens once."""

import pytest
from django.apps import apps
from django.apps.registry import Apps
from django.core.management import call_command

from configbox.languages.active import active_tags
from configbox.languages.models import Text
from configbox.properties.entity import properties
from configbox.store.models import Country, Currency, Settings, Store, TaxClass
from configbox.store.seed import seed

pytestmark = pytest.mark.django_db


def test_a_fresh_install_speaks_english() -> None:
    assert active_tags() == ["en-GB"]


def test_a_fresh_install_has_one_of_each_singleton() -> None:
    assert [each.pk for each in Settings.objects.all()] == [1]
    assert [(each.pk, each.shopname, each.country.country_2_code) for each in Store.objects.all()] == [
        (1, "ConfigBox", "DE")
    ]


def test_the_euro_is_base_and_default() -> None:
    assert list(Currency.objects.values_list("code", "base", "default", "multiplicator")) == [("EUR", True, True, 1)]


def test_the_title_of_the_euro_is_a_text() -> None:
    number = properties(Currency)["title"].number  # type: ignore[attr-defined]
    assert list(Text.objects.values_list("field", "record", "language", "text")) == [(number, 1, "en-GB", "Euro")]


def test_base_default_and_last_currency_cannot_be_deleted() -> None:
    euro = Currency.objects.get()
    assert Currency.delete_refusal(euro) == "Could not delete currency, because EUR is the base currency."
    euro.base = False
    assert Currency.delete_refusal(euro) == "Could not delete currency, because EUR is the default currency."
    euro.default = False
    assert Currency.delete_refusal(euro) == "Could not delete currency, because EUR is the last one."
    Currency.objects.create(code="USD", symbol="$")
    assert Currency.delete_refusal(euro) is None


def test_the_store_shows_the_name_of_its_country() -> None:
    assert Store.country_names(Store.objects.all()) == {1: "Germany"}


def test_there_is_a_tax_class_of_nineteen_percent() -> None:
    assert list(TaxClass.objects.values_list("title", "default_tax_rate")) == [("Standard rate", 19)]


def test_every_country_is_there() -> None:
    assert Country.objects.count() == 249
    assert Country.objects.filter(in_eu_vat_area=True).count() == 27
    assert not Country.objects.filter(in_eu_vat_area=True, vat_free=True).exists()
    assert Country.objects.get(country_2_code="AT").country_name == "Austria"


def test_seeding_again_changes_nothing() -> None:
    Country.objects.filter(country_2_code="AT").delete()
    seed(apps.get_app_config("store"))
    assert not Country.objects.filter(country_2_code="AT").exists()


@pytest.mark.django_db(transaction=True)
def test_a_flushed_database_is_seeded_again() -> None:
    Country.objects.filter(country_2_code="AT").update(country_name="Elsewhere")
    call_command("flush", interactive=False, verbosity=0)
    assert active_tags() == ["en-GB"]
    assert Country.objects.get(country_2_code="AT").country_name == "Austria"
    assert Settings.objects.get().pk == Store.objects.get().pk == 1


def test_nothing_is_seeded_before_the_tables_are_made() -> None:
    Settings.objects.all().delete()
    seed(apps.get_app_config("store"), apps=Apps())
    assert not Settings.objects.exists()
