"""A product that is configured before it is sold."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from configbox.catalog.choices import TRI_STATE, VISUALIZATION
from configbox.catalog.models.price_panel import PricePanel
from configbox.properties.columns import Boolean, Choice, Code, NumberedChoice, Published, Text
from configbox.properties.entity import Entity
from configbox.properties.files import Image
from configbox.properties.numbers import Amount, Number
from configbox.properties.owned import Children, Computed, References
from configbox.properties.prop import Prop
from configbox.properties.references import Reference
from configbox.properties.shapediver import ShapediverModel
from configbox.properties.translated import Translated
from configbox.properties.url_label import UrlLabel

PRICE = _("Price")
RECURRING_PRICE = _("Recurring price")
DETAILS = _("Product page")
LISTS = _("Lists of products")
CONFIGURATOR = _("Configurator")
CUSTOM = _("Custom fields")
# Where the host's own shop holds the product, the host owns its price.
PRICED_HERE = ("joomla", "wordpress", "standalone")
RECURRING = {"use_recurring_pricing": True}
OWN_PAGE = {"product_details_page_type": "configbox_page"}
BASE_CURRENCY = _("base currency, net")


class Product(PricePanel, Entity):
    """A product that shoppers configure on its pages; its base price is net, in the base currency."""

    title = Translated(
        1, prop=Prop(label=_("Title"), required=True, listing=20, filter=True, search=True, sortable=True)
    )
    label = UrlLabel(
        "catalog.UrlLabel",
        prop=Prop(label=_("URL label"), tooltip=_("Names the product in its address; empty: made from the title.")),
    )
    product_listing_ids = References(
        "catalog.ProductListAssignment",
        own="product",
        other="listing",
        prop=Prop(label=_("Product lists"), listing=200, filter=True),
    )
    prod_image = Image(max_kb=2000, prop=Prop(label=_("Picture")))
    published = Published(prop=Prop(label=_("Published"), listing=100, filter=True, sortable=True))
    visualization_type = Choice(VISUALIZATION, prop=Prop(label=_("Visualization"), group=CONFIGURATOR))
    baseimage = Image(
        max_kb=1000,
        prop=Prop(label=_("Bottom layer"), group=CONFIGURATOR, applies_when={"visualization_type": "composite"}),
    )
    shapediver_model_data = ShapediverModel(
        prop=Prop(
            label=_("ShapeDiver model"),
            group=CONFIGURATOR,
            required=True,
            applies_when={"visualization_type": "shapediver"},
        )
    )
    baseprice = Amount(
        prop=Prop(
            label=_("Base price"),
            group=PRICE,
            unit=BASE_CURRENCY,
            listing=40,
            sortable=True,
            platforms=PRICED_HERE,
        )
    )
    was_price = Amount(
        prop=Prop(
            label=_("Price before"),
            tooltip=_("Shown struck through; nothing is worked out from it."),
            group=PRICE,
            unit=BASE_CURRENCY,
        )
    )
    taxclass = Reference("store.TaxClass", prop=Prop(label=_("Tax class"), group=PRICE))
    pricelabel = Translated(26, prop=Prop(label=_("Label of the price"), group=PRICE, applies_when=RECURRING))
    custom_price_text = Translated(
        29,
        prop=Prop(
            label=_("Text for the price"),
            tooltip=_("Replaces the shown base price: %s is the price, [100] is 100 converted and taxed."),
            group=PRICE,
        ),
    )
    use_recurring_pricing = Boolean(prop=Prop(label=_("Uses recurring prices"), group=RECURRING_PRICE))
    baseprice_recurring = Amount(
        prop=Prop(
            label=_("Recurring base price"),
            group=RECURRING_PRICE,
            unit=BASE_CURRENCY,
            listing=50,
            sortable=True,
            applies_when=RECURRING,
        )
    )
    was_price_recurring = Amount(
        prop=Prop(label=_("Recurring price before"), group=RECURRING_PRICE, unit=BASE_CURRENCY, applies_when=RECURRING)
    )
    taxclass_recurring = Reference(
        "store.TaxClass",
        prop=Prop(label=_("Tax class of the recurring price"), group=RECURRING_PRICE, applies_when=RECURRING),
    )
    pricelabel_recurring = Translated(
        31, prop=Prop(label=_("Label of the recurring price"), group=RECURRING_PRICE, applies_when=RECURRING)
    )
    recurring_interval = Translated(25, prop=Prop(label=_("Interval"), group=RECURRING_PRICE, applies_when=RECURRING))
    custom_price_text_recurring = Translated(
        30, prop=Prop(label=_("Text for the recurring price"), group=RECURRING_PRICE, applies_when=RECURRING)
    )
    product_details_page_type = Choice(
        [("none", _("none")), ("cms_page", _("page of the CMS")), ("configbox_page", _("page of the store"))],
        prop=Prop(label=_("Product page"), group=DETAILS),
    )
    product_details_url = Translated(
        101,
        max_length=2000,
        prop=Prop(
            label=_("Address of the product page"),
            group=DETAILS,
            required=True,
            applies_when={"product_details_page_type": "cms_page"},
        ),
    )
    layoutname = Text(
        max_length=100, default="default", prop=Prop(label=_("Layout"), group=DETAILS, applies_when=OWN_PAGE)
    )
    longdescription = Translated(
        24, html=True, prop=Prop(label=_("Long description"), group=DETAILS, applies_when=OWN_PAGE)
    )
    product_detail_panes_in_product_pages = Boolean(
        default=True, prop=Prop(label=_("Detail panes on the product page"), group=DETAILS, applies_when=OWN_PAGE)
    )
    product_detail_panes_in_configurator_pages = Boolean(
        prop=Prop(label=_("Detail panes in the configurator"), group=DETAILS)
    )
    show_buy_button = Boolean(default=True, prop=Prop(label=_("Buy button"), group=LISTS))
    show_product_details_button = Boolean(prop=Prop(label=_("Details button"), group=LISTS))
    enable_reviews = NumberedChoice(TRI_STATE, default=2, prop=Prop(label=_("Reviews")))
    external_reviews_id = Text(
        prop=Prop(label=_("Id at an outside review service"), applies_when={"enable_reviews": [1, 2]})
    )
    description = Translated(11, html=True, prop=Prop(label=_("Description"), group=LISTS))
    page_nav_show_tabs = NumberedChoice(TRI_STATE, default=2, prop=Prop(label=_("Page tabs"), group=CONFIGURATOR))
    page_nav_show_buttons = NumberedChoice(TRI_STATE, default=2, prop=Prop(label=_("Page buttons"), group=CONFIGURATOR))
    page_nav_block_on_missing_selections = NumberedChoice(
        TRI_STATE, default=2, prop=Prop(label=_("Missing selections hold the shopper back"), group=CONFIGURATOR)
    )
    page_nav_cart_button_last_page_only = NumberedChoice(
        TRI_STATE,
        default=2,
        prop=Prop(
            label=_("Cart button on the last page only"),
            group=CONFIGURATOR,
            applies_when={"page_nav_show_buttons": [1, 2]},
        ),
    )
    pages = Children("catalog.Page", by="product", prop=Prop(label=_("Pages")))
    product_detail_panes = Children("catalog.ProductDetailPane", by="product", prop=Prop(label=_("Detail panes")))
    detail_panes_display_method = Choice(
        # The declared default of older stores is no choice; a create drops it.
        [("tabs", _("tabs"))],
        default="accordeon",
        prop=Prop(label=_("Detail panes are shown as"), group=DETAILS, invisible=True),
    )
    product_custom_1 = Text(prop=Prop(label=_("Custom field 1"), group=CUSTOM))
    product_custom_2 = Text(prop=Prop(label=_("Custom field 2"), group=CUSTOM))
    product_custom_3 = Text(prop=Prop(label=_("Custom field 3"), group=CUSTOM))
    product_custom_4 = Text(prop=Prop(label=_("Custom field 4"), group=CUSTOM))
    product_custom_5 = Translated(52, prop=Prop(label=_("Custom field 5"), group=CUSTOM))
    product_custom_6 = Translated(53, prop=Prop(label=_("Custom field 6"), group=CUSTOM))
    sku = Code(max_length=60, prop=Prop(label=_("Article number"), listing=30, search=True, filter=True, sortable=True))
    dispatch_time = Number(minimum=0, prop=Prop(label=_("Dispatch time"), unit=_("days")))
    baseweight = Number(minimum=0, prop=Prop(label=_("Base weight"), unit=_("the unit of weight in the settings")))
    is_configurable = Computed("configurable", {"type": "boolean"}, prop=Prop(label=_("Has published pages")))
    first_page_id = Computed("first_pages", {"type": ["integer", "null"]}, prop=Prop(label=_("First published page")))

    class Options:
        name = "product"
        area = "catalog"
        ordering = ("id",)

    class Meta:
        db_table = "configbox_products"
        verbose_name = _("product")
        verbose_name_plural = _("products")

    @staticmethod
    def first_pages(products: "Iterable[Product]") -> dict[int, Any]:
        """Return, by product id, the id of the published page a shopper sees first. One query."""
        from configbox.catalog.models.page import Page

        published = Page.objects.filter(product__in=[each.pk for each in products], published=True)
        return dict(published.order_by("-ordering", "-pk").values_list("product_id", "pk"))

    @staticmethod
    def configurable(products: "Iterable[Product]") -> dict[int, Any]:
        """Return, by product id, whether there is a published page to configure on. One query."""
        products = list(products)
        with_pages = Product.first_pages(products)
        return {each.pk: each.pk in with_pages for each in products}
