"""The store itself: settings, identity, currencies, taxes, countries."""

from configbox.store.models.country import Country
from configbox.store.models.currency import Currency
from configbox.store.models.settings import Settings
from configbox.store.models.store import Store
from configbox.store.models.tax_class import TaxClass

__all__ = ["Country", "Currency", "Settings", "Store", "TaxClass"]
