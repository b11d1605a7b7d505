"""Every entity of the registry in Django's admin. What is registered follows from the models."""

from django.contrib import admin

from configbox.backoffice.entity_admin import EntityAdmin
from configbox.properties.entity import entity_models

admin.site.site_header = "ConfigBox"
admin.site.site_title = "ConfigBox"
admin.site.index_title = "Store"
admin.site.site_url = None

for model in entity_models():
    admin.site.register(model, EntityAdmin)
