from django.apps import AppConfig


class BackofficeConfig(AppConfig):
    name = "configbox.backoffice"
    verbose_name = "Backoffice"
