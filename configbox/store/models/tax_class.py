"""A tax class: what products, shipping and payment are taxed by."""

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Code, Text
from configbox.properties.entity import Entity
from configbox.properties.numbers import Number
from configbox.properties.prop import Prop


class TaxClass(Entity):
    """A class that goods are taxed by; its default rate counts where a place has no rate of its own."""

    title = Text(prop=Prop(label=_("Title"), required=True, listing=20, search=True, sortable=True))
    # Three digits before the point, so that 100 fits; four after it, because some places tax by 8.875 %.
    default_tax_rate = Number(
        max_digits=7,
        minimum=0,
        maximum=100,
        null=True,
        prop=Prop(label=_("Default rate"), unit="%", required=True, listing=30, sortable=True),
    )
    id_external = Code(max_length=100, prop=Prop(label=_("Id at an outside system"), listing=40, sortable=True))

    class Options:
        name = "tax-class"
        area = "store"

    class Meta:
        db_table = "configbox_tax_classes"
        verbose_name = _("tax class")
        verbose_name_plural = _("tax classes")
