"""A named number that the engine can work out for a product: a price, a weight, a bound."""

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Choice, Text
from configbox.properties.entity import Entity
from configbox.properties.prop import Prop
from configbox.properties.references import Reference


class Calculation(Entity):
    """A named number of one product: a price, a weight, a limit.

    What it works out is its body, which no tool writes yet.
    """

    name = Text(
        max_length=200, prop=Prop(label=_("Name"), required=True, listing=10, search=True, filter=True, sortable=True)
    )
    product = Reference(
        "catalog.Product",
        prop=Prop(
            label=_("Product"),
            required=True,
            parent=True,
            listing=20,
            filter=True,
            sortable=True,
            locked_after_store=True,
        ),
    )
    type = Choice(
        [("matrix", _("Matrix")), ("formula", _("Formula")), ("code", _("Code"))],
        prop=Prop(label=_("Type"), required=True, listing=30, filter=True, sortable=True),
    )

    class Options:
        name = "calculation"
        area = "catalog"
        title = "name"
        ordering = ("name",)

    class Meta:
        db_table = "configbox_calculations"
        verbose_name = _("calculation")
        verbose_name_plural = _("calculations")
