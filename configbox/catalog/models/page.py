"""A page of a product's configurator."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Published, Text
from configbox.properties.entity import Entity
from configbox.properties.numbers import Ordering
from configbox.properties.owned import Children
from configbox.properties.prop import Prop
from configbox.properties.references import Reference
from configbox.properties.translated import Translated
from configbox.properties.url_label import UrlLabel


class Page(Entity):
    """A page of a product's configurator; holds questions."""

    product = Reference(
        "catalog.Product",
        prop=Prop(label=_("Product"), required=True, parent=True, listing=20, filter=True, sortable=True),
    )
    title = Translated(3, prop=Prop(label=_("Title"), required=True, listing=10, search=True, sortable=True))
    label = UrlLabel(
        "catalog.UrlLabel",
        within="product",
        prop=Prop(label=_("URL label"), tooltip=_("Names the page in its address; empty: made from the title.")),
    )
    published = Published(prop=Prop(label=_("Published"), listing=40, sortable=True, filter=True))
    layoutname = Text(max_length=100, default="default", prop=Prop(label=_("Layout")))
    css_classes = Text(prop=Prop(label=_("CSS classes")))
    description = Translated(13, html=True, prop=Prop(label=_("Description")))
    questions = Children("catalog.Question", by="page", prop=Prop(label=_("Questions")))
    ordering = Ordering(within="product", prop=Prop(label=_("Ordering"), listing=5))

    class Options:
        name = "page"
        area = "catalog"
        ordering = ("product", "ordering")

    class Meta:
        db_table = "configbox_pages"
        verbose_name = _("page")
        verbose_name_plural = _("pages")
        indexes = [models.Index(fields=["product", "ordering"], name="configbox_page_order")]
