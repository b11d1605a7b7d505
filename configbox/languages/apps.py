"""The languages app: the store's languages and the table of translated texts."""

from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    name = "configbox.languages"
    verbose_name = "Languages"
