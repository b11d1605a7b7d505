"""The customization app: it holds no models, only the discovery of other apps' parts."""

from django.apps import AppConfig


class CustomizationConfig(AppConfig):
    name = "configbox.customization"
    verbose_name = "Customization"

    def ready(self) -> None:
        """Register the checks."""
        from configbox.customization import checks  # noqa: F401
