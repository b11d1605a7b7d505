from django.apps import AppConfig


class ConfiguratorConfig(AppConfig):
    name = "configbox.configurator"
    verbose_name = "Configurator"

    def ready(self) -> None:
        from configbox.configurator.registration import register

        register()
