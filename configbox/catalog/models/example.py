"""A showcase of a configured product."""

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Published
from configbox.properties.entity import Entity
from configbox.properties.numbers import Ordering
from configbox.properties.prop import Prop
from configbox.properties.references import Reference
from configbox.properties.translated import Translated


class Example(Entity):
    """A showcase of what a product can become."""

    title = Translated(120, prop=Prop(label=_("Title"), required=True, listing=300, search=True, sortable=True))
    product = Reference(
        "catalog.Product",
        prop=Prop(label=_("Product"), required=True, parent=True, listing=400, filter=True, sortable=True),
    )
    published = Published(prop=Prop(label=_("Published"), listing=500, filter=True, sortable=True))
    description = Translated(121, html=True, prop=Prop(label=_("Description")))
    ordering = Ordering(within="product", prop=Prop(label=_("Ordering"), listing=200))

    class Options:
        name = "example"
        area = "catalog"
        ordering = ("product", "ordering")

    class Meta:
        db_table = "configbox_examples"
        verbose_name = _("example")
        verbose_name_plural = _("examples")
