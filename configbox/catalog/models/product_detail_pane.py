"""A pane of details on a product's page."""

from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Text
from configbox.properties.entity import Entity
from configbox.properties.files import Image
from configbox.properties.numbers import Ordering
from configbox.properties.prop import Prop
from configbox.properties.references import Reference
from configbox.properties.translated import Translated


class ProductDetailPane(Entity):
    """A pane of details beside a product: a heading and its content."""

    product = Reference("catalog.Product", prop=Prop(label=_("Product"), required=True, parent=True, filter=True))
    heading = Translated(93, prop=Prop(label=_("Heading"), required=True, listing=20, search=True, sortable=True))
    heading_icon_filename = Image(max_kb=1000, prop=Prop(label=_("Icon of the heading")))
    css_classes = Text(prop=Prop(label=_("CSS classes")))
    content = Translated(94, html=True, prop=Prop(label=_("Content")))
    ordering = Ordering(within="product", prop=Prop(label=_("Ordering"), listing=15))

    class Options:
        name = "product-detail-pane"
        area = "catalog"
        title = "heading"
        ordering = ("product", "ordering")

    class Meta:
        db_table = "configbox_product_detail_panes"
        verbose_name = _("product detail pane")
        verbose_name_plural = _("product detail panes")
