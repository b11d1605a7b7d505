"""A product's place in a product list."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.entity import Entity
from configbox.properties.numbers import Ordering
from configbox.properties.prop import Prop
from configbox.properties.references import Reference


class ProductListAssignment(Entity):
    """A product's place in a product list; the same rows as the product's product_listing_ids, with their ordering."""

    product = Reference(
        "catalog.Product",
        models.CASCADE,
        prop=Prop(label=_("Product"), required=True, listing=50, filter=True, sortable=True),
    )
    listing = Reference(
        "catalog.ProductList",
        prop=Prop(label=_("Product list"), required=True, parent=True, listing=60, filter=True, sortable=True),
    )
    ordering = Ordering(within="listing", prop=Prop(label=_("Ordering"), listing=15))

    class Options:
        name = "product-list-assignment"
        area = "catalog"
        title = "product"
        stands_for = "product"
        ordering = ("listing", "ordering")

    class Meta:
        db_table = "configbox_product_list_assignments"
        verbose_name = _("product list assignment")
        verbose_name_plural = _("product list assignments")
        constraints = [models.UniqueConstraint(fields=["listing", "product"], name="configbox_product_once_in_list")]
