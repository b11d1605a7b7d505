"""What a fresh install has, and that seeding happens once."""

import pytest
from django.apps import apps

from configbox.languages.active import active_tags
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
