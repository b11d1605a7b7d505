"""A country the store knows."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Boolean, Code, Published, Text
from configbox.properties.entity import Entity
from configbox.properties.numbers import Ordering
from configbox.properties.prop import Prop
from configbox.properties.translated import Translated


class Country(Entity):
    """A country; published ones are offered to shoppers."""

    country_name = Text(prop=Prop(label=_("Name"), required=True, listing=1, filter=True, search=True, sortable=True))
    country_3_code = Code(
        max_length=3, prop=Prop(label=_("Code of three letters"), required=True, listing=2, sortable=True)
    )
    country_2_code = Code(
        max_length=2, prop=Prop(label=_("Code of two letters"), required=True, listing=3, sortable=True, filter=True)
    )
    vat_free = Boolean(prop=Prop(label=_("Free of value added tax"), listing=4))
    in_eu_vat_area = Boolean(prop=Prop(label=_("In the EU's VAT area"), listing=5))
    published = Published(prop=Prop(label=_("Published"), listing=7))
    custom_1 = Text(prop=Prop(label=_("Custom field 1")))
    custom_2 = Text(prop=Prop(label=_("Custom field 2")))
    custom_3 = Text(prop=Prop(label=_("Custom field 3")))
    custom_4 = Text(prop=Prop(label=_("Custom field 4")))
    custom_translatable_1 = Translated(42, prop=Prop(label=_("Custom text 1")))
    custom_translatable_2 = Translated(43, prop=Prop(label=_("Custom text 2")))
    ordering = Ordering(prop=Prop(label=_("Ordering"), listing=6))

    class Options:
        name = "country"
        area = "store"
        title = "country_name"
        ordering = ("ordering",)

    class Meta:
        db_table = "configbox_countries"
        verbose_name = _("country")
        verbose_name_plural = _("countries")
        constraints = [
            models.UniqueConstraint(fields=["country_2_code"], name="configbox_country_2_code"),
            models.UniqueConstraint(fields=["country_3_code"], name="configbox_country_3_code"),
        ]
