"""A list of products, as the shop shows them."""

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import NumberedChoice, Published, Text
from configbox.properties.entity import Entity
from configbox.properties.owned import Children
from configbox.properties.prop import Prop
from configbox.properties.translated import Translated


class ProductList(Entity):
    """A list of products in the shop. Products join it by their product_listing_ids."""

    title = Translated(20, prop=Prop(label=_("Title"), required=True, listing=20, search=True, sortable=True))
    layoutname = Text(max_length=100, default="default", prop=Prop(label=_("Layout"), listing=30, sortable=True))
    published = Published(prop=Prop(label=_("Published"), listing=40, filter=True))
    description = Translated(40, html=True, prop=Prop(label=_("Description")))
    product_sorting = NumberedChoice([(0, _("by title")), (1, _("by hand"))], prop=Prop(label=_("Products are sorted")))
    product_assignments = Children("catalog.ProductListAssignment", by="listing", prop=Prop(label=_("Products")))

    class Options:
        name = "product-list"
        area = "catalog"
        ordering = ("title",)

    class Meta:
        db_table = "configbox_product_lists"
        verbose_name = _("product list")
        verbose_name_plural = _("product lists")
