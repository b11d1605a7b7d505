"""What a fresh install has: one language, settings, store, the euro, a tax class, every country."""

from typing import Any

import pycountry
from django.apps import AppConfig
from django.db import transaction

from configbox.languages.models import Language, Text

# Members of the European Union, whose VAT rules hold among them.
EU = frozenset(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()  # noqa: SIM905
)
LANGUAGE = "en-GB"
HOME = "DE"


def seed(sender: AppConfig, using: str = "default", **kwargs: Any) -> None:
    """Fill an empty store after its tables are made; one that has settings is left alone."""
    from configbox.store.models import Country, Currency, Settings, Store, TaxClass

    if using != "default" or Settings.objects.exists():
        return
    with transaction.atomic():
        Language.objects.get_or_create(tag=LANGUAGE, defaults={"active": True})
        countries = sorted(pycountry.countries, key=lambda each: each.name)
        Country.objects.bulk_create(
            Country(
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
        Currency.objects.create(pk=1, multiplicator=1, symbol="€", code="EUR", base=True, default=True, ordering=10)
        Text.objects.bulk_create([Text(field=6, record=1, language=LANGUAGE, text="Euro")])
        TaxClass.objects.create(pk=1, title="Standard rate", default_tax_rate=19)
        Store.objects.create(pk=1, shopname="ConfigBox", country=Country.objects.get(country_2_code=HOME))
        Settings.objects.create(pk=1, language_tag=LANGUAGE)
