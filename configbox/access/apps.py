"""The access app: scopes and grants, and the tokens that hold them."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "configbox.access"
    verbose_name = "Access"
