"""The Django app of the REST API: it holds no models."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "cbx_api"
    verbose_name = "REST API"
