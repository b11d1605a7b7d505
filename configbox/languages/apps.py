from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    name = "configbox.languages"
    verbose_name = "Languages"
