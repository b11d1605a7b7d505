from django.apps import AppConfig


class EntitiesConfig(AppConfig):
    name = "configbox.entities"
    verbose_name = "Entities"
