"""What a fresh install has: one language, settings, store, the euro, a tax class, every country."""

from typing import Any

import pycountry
from django.apps import AppConfig
from django.apps import apps as installed
from django.apps.registry import Apps
from django.db import transaction

# Members of the European Union, whose VAT rules hold among them.
EU = frozenset(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()  # noqa: SIM905
)
LANGUAGE = "en-GB"
HOME = "DE"
# The number that `Currency.title` has in the strings table.
CURRENCY_TITLE = 6


def seed(sender: AppConfig, using: str = "default", apps: Apps = installed, **kwargs: Any) -> None:
    """Fill an empty store after its tables are made; one that has settings is left alone.

    `apps` holds the models as far as they are migrated: where the store's are not among them, nothing is seeded yet.
    """
    try:
        settings, text = _model(apps, "store.Settings"), _model(apps, "languages.Text")
    except LookupError:
        return
    if using != "default" or settings.objects.exists():
        return
    with transaction.atomic():
        _model(apps, "languages.Language").objects.get_or_create(tag=LANGUAGE, defaults={"active": True})
        _add_countries(_model(apps, "store.Country"))
        _model(apps, "store.Currency").objects.create(
            pk=1, multiplicator=1, symbol="€", code="EUR", base=True, default=True, ordering=10
        )
        # Texts outlive the tables of their records, so it may be there from before.
        text.objects.get_or_create(field=CURRENCY_TITLE, record=1, language=LANGUAGE, defaults={"text": "Euro"})
        _model(apps, "store.TaxClass").objects.create(pk=1, title="Standard rate", default_tax_rate=19)
        home = _model(apps, "store.Country").objects.get(country_2_code=HOME)
        _model(apps, "store.Store").objects.create(pk=1, shopname="ConfigBox", country=home)
        settings.objects.create(pk=1, language_tag=LANGUAGE)


def _model(apps: Apps, label: str) -> Any:
    return apps.get_model(label)


def _add_countries(model: Any) -> None:
    countries = sorted(pycountry.countries, key=lambda each: each.name)
    model.objects.bulk_create(
        model(
            pk=number,
            country_name=each.name,
            country_2_code=each.alpha_2,
            country_3_code=each.alpha_3,
            in_eu_vat_area=each.alpha_2 in EU,
            vat_free=each.alpha_2 not in EU,
            ordering=number * 10,
        )
        for number, each in enumerate(countries, start=1)
    )
