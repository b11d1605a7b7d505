"""The store app: settings, identity, currencies, taxes, countries. Seeds a fresh install."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class StoreConfig(AppConfig):
    name = "configbox.store"
    verbose_name = "Store"

    def ready(self) -> None:
        from configbox.store.seed import seed

        post_migrate.connect(seed, sender=self)
