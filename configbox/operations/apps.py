from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "configbox.operations"
    verbose_name = "Operations"
