from django.apps import AppConfig


class SystemConfig(AppConfig):
    name = "configbox.system"
    verbose_name = "System"
