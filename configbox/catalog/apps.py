"""The catalog app: what a store sells. Registers the checks of property declarations."""

from django.apps import AppConfig
from django.core import checks


class CatalogConfig(AppConfig):
    name = "configbox.catalog"
    verbose_name = "Catalog"

    def ready(self) -> None:
        from configbox.properties.checks import check_properties

        checks.register(check_properties, checks.Tags.models)
