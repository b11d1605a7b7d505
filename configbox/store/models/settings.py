"""The settings of the store, one record, made at installation."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Boolean, Choice, NumberedChoice, Secret, Text
from configbox.properties.entity import Entity
from configbox.properties.files import Image
from configbox.properties.numbers import Whole
from configbox.properties.owned import ActiveLanguages, LanguageChoice
from configbox.properties.prop import Prop, Words
from configbox.properties.references import Reference
from configbox.properties.translated import Translated

LANGUAGES = _("Languages")
CHECKOUT = _("Checkout")
INVOICING = _("Invoicing")
REVIEWS = _("Reviews")
CONFIGURATOR = _("Configurator")
HEADINGS = _("Headings of blocks")
PANEL = _("Price panel")
GEOLOCATION = _("Geolocation")
LICENCE = _("Licence")
CUSTOM = _("Labels of custom fields")
MAINTENANCE = _("Maintenance")
ADDRESSES = _("Addresses")
ANALYTICS = _("Analytics")
DEBUGGING = _("Debugging")
LOCATES = {"enable_geolocation": True}
COUNTS = {"use_ga_ecommerce": True}
EXPAND = [(2, _("active page only")), (1, _("all")), (0, _("none"))]


def _switch(label: Words, group: Words, on: bool = False) -> Boolean:
    return Boolean(default=on, prop=Prop(label=label, group=group))


def _label(label: Words) -> Text:
    return Text(prop=Prop(label=label, group=CUSTOM))


class CustomFieldLabels(models.Model):
    """What operators read beside the custom fields of products, questions and answers."""

    label_product_custom_1 = _label(_("Product, field 1"))
    label_product_custom_2 = _label(_("Product, field 2"))
    label_product_custom_3 = _label(_("Product, field 3"))
    label_product_custom_4 = _label(_("Product, field 4"))
    label_product_custom_5 = _label(_("Product, field 5"))
    label_product_custom_6 = _label(_("Product, field 6"))
    label_element_custom_1 = _label(_("Question, field 1"))
    label_element_custom_2 = _label(_("Question, field 2"))
    label_element_custom_3 = _label(_("Question, field 3"))
    label_element_custom_4 = _label(_("Question, field 4"))
    label_element_custom_translatable_1 = _label(_("Question, text 1"))
    label_element_custom_translatable_2 = _label(_("Question, text 2"))
    label_assignment_custom_1 = _label(_("Assignment, field 1"))
    label_assignment_custom_2 = _label(_("Assignment, field 2"))
    label_assignment_custom_3 = _label(_("Assignment, field 3"))
    label_assignment_custom_4 = _label(_("Assignment, field 4"))
    label_option_custom_1 = _label(_("Answer, field 1"))
    label_option_custom_2 = _label(_("Answer, field 2"))
    label_option_custom_3 = _label(_("Answer, field 3"))
    label_option_custom_4 = _label(_("Answer, field 4"))
    label_option_custom_5 = _label(_("Answer, field 5"))
    label_option_custom_6 = _label(_("Answer, field 6"))

    class Meta:
        abstract = True


class PricePanelDefaults(models.Model):
    """How the price panel looks where a product does not say otherwise."""

    pm_show_regular_first = NumberedChoice(
        [(1, _("regular prices")), (0, _("recurring prices"))], prop=Prop(label=_("Shows first"), group=PANEL)
    )
    pm_show_delivery_options = _switch(_("Shows delivery options"), PANEL)
    pm_show_payment_options = _switch(_("Shows payment options"), PANEL)
    pm_show_net_in_b2c = _switch(_("Shows net prices to consumers"), PANEL)
    pm_regular_show_overview = _switch(_("Shows the overview of regular prices"), PANEL, on=True)
    pm_regular_show_prices = _switch(_("Shows regular prices"), PANEL, on=True)
    pm_regular_show_categories = _switch(_("Shows pages with regular prices"), PANEL, on=True)
    pm_regular_show_elements = _switch(_("Shows questions with regular prices"), PANEL, on=True)
    pm_regular_show_elementprices = _switch(_("Shows regular prices of questions"), PANEL, on=True)
    pm_regular_show_taxes = _switch(_("Shows taxes of regular prices"), PANEL)
    pm_regular_show_cart_button = _switch(_("Shows the cart button with regular prices"), PANEL)
    pm_regular_expand_categories = NumberedChoice(
        EXPAND, prop=Prop(label=_("Opens pages with regular prices"), group=PANEL)
    )
    pm_recurring_show_overview = _switch(_("Shows the overview of recurring prices"), PANEL, on=True)
    pm_recurring_show_prices = _switch(_("Shows recurring prices"), PANEL, on=True)
    pm_recurring_show_categories = _switch(_("Shows pages with recurring prices"), PANEL, on=True)
    pm_recurring_show_elements = _switch(_("Shows questions with recurring prices"), PANEL, on=True)
    pm_recurring_show_elementprices = _switch(_("Shows recurring prices of questions"), PANEL, on=True)
    pm_recurring_show_taxes = _switch(_("Shows taxes of recurring prices"), PANEL)
    pm_recurring_show_cart_button = _switch(_("Shows the cart button with recurring prices"), PANEL)
    pm_recurring_expand_categories = NumberedChoice(
        EXPAND, prop=Prop(label=_("Opens pages with recurring prices"), group=PANEL)
    )

    class Meta:
        abstract = True


class Settings(PricePanelDefaults, CustomFieldLabels, Entity):
    """What holds for the whole store; one record, id 1."""

    language_tag = LanguageChoice(
        default="en-GB",
        prop=Prop(label=_("Default language"), tooltip=_("Of mails to the store."), group=LANGUAGES, listing=10),
    )
    active_languages = ActiveLanguages(
        prop=Prop(label=_("Active languages"), group=LANGUAGES, required=True, listing=20)
    )
    continue_listing = Reference(
        "catalog.ProductList", prop=Prop(label=_("Product list to go on shopping"), group=CHECKOUT)
    )
    default_country = Reference("store.Country", prop=Prop(label=_("Default country"), group=CHECKOUT))
    securecheckout = _switch(_("Checkout over HTTPS only"), CHECKOUT)
    disable_delivery = _switch(_("Nothing is delivered"), CHECKOUT)
    sku_in_order_record = _switch(_("Article numbers in orders"), CHECKOUT)
    newsletter_preset = _switch(_("Newsletter is ticked"), CHECKOUT)
    alternate_shipping_preset = _switch(_("A delivery address of its own is ticked"), CHECKOUT)
    show_recurring_login_cart = _switch(_("Login for customers in the cart"), CHECKOUT, on=True)
    explicit_agreement_terms = _switch(_("Terms must be agreed to"), CHECKOUT)
    explicit_agreement_rp = _switch(_("The refund policy must be agreed to"), CHECKOUT)
    enable_invoicing = _switch(_("Makes invoices"), INVOICING, on=True)
    send_invoice = _switch(_("Sends invoices"), INVOICING, on=True)
    invoice_generation = NumberedChoice(
        [(0, _("when paid")), (1, _("after release by hand")), (2, _("uploaded by hand"))],
        prop=Prop(label=_("Invoices are made"), group=INVOICING),
    )
    invoice_number_prefix = Text(max_length=60, prop=Prop(label=_("Prefix of invoice numbers"), group=INVOICING))
    invoice_number_start = Whole(default=1, minimum=0, prop=Prop(label=_("First invoice number"), group=INVOICING))
    enable_reviews_products = _switch(_("Products can be reviewed"), REVIEWS)
    review_notification_email = Text(
        prop=Prop(
            label=_("Email for new reviews"),
            group=REVIEWS,
            required=True,
            applies_when={"enable_reviews_products": True},
        )
    )
    page_nav_show_tabs = _switch(_("Page tabs"), CONFIGURATOR)
    page_nav_show_buttons = _switch(_("Page buttons"), CONFIGURATOR, on=True)
    page_nav_block_on_missing_selections = _switch(_("Missing selections hold the shopper back"), CONFIGURATOR)
    page_nav_cart_button_last_page_only = _switch(_("Cart button on the last page only"), CONFIGURATOR)
    show_conversion_table = _switch(_("Table of conversions"), CONFIGURATOR)
    defaultprodimage = Image(max_kb=500, prop=Prop(label=_("Picture of products without one"), group=CONFIGURATOR))
    use_internal_question_names = _switch(_("Questions have internal names"), CONFIGURATOR)
    use_internal_answer_names = _switch(_("Answers have internal names"), CONFIGURATOR)
    weightunits = Text(max_length=20, default="kg", prop=Prop(label=_("Unit of weight"), group=CONFIGURATOR))
    blocktitle_cart = Translated(70, prop=Prop(label=_("Heading of the cart"), group=HEADINGS))
    blocktitle_currencies = Translated(71, prop=Prop(label=_("Heading of currencies"), group=HEADINGS))
    blocktitle_navigation = Translated(72, prop=Prop(label=_("Heading of navigation"), group=HEADINGS))
    blocktitle_pricing = Translated(73, prop=Prop(label=_("Heading of prices"), group=HEADINGS))
    blocktitle_visualization = Translated(74, prop=Prop(label=_("Heading of the visualization"), group=HEADINGS))
    enable_geolocation = _switch(_("Finds the shopper's country"), GEOLOCATION)
    geolocation_type = Choice(
        [("maxmind_geoip2_db", _("MaxMind database")), ("maxmind_geoip2_web", _("MaxMind web service"))],
        prop=Prop(label=_("By"), group=GEOLOCATION, applies_when=LOCATES),
    )
    maxmind_user_id = Text(prop=Prop(label=_("MaxMind account"), group=GEOLOCATION, applies_when=LOCATES))
    maxmind_license_key = Secret(
        prop=Prop(label=_("MaxMind licence key"), group=GEOLOCATION, sensitive=True, applies_when=LOCATES)
    )
    product_key = Secret(prop=Prop(label=_("Product key"), group=LICENCE, sensitive=True))
    license_manager_satellites = Text(
        max_length=1000, prop=Prop(label=_("Licence servers"), group=LICENCE, invisible=True)
    )
    usertime = Whole(
        default=24,
        minimum=0,
        prop=Prop(label=_("Temporary customers are kept"), unit=_("hours"), group=MAINTENANCE, required=True),
    )
    unorderedtime = Whole(
        default=24,
        minimum=0,
        prop=Prop(label=_("Orders never placed are kept"), unit=_("hours"), group=MAINTENANCE, required=True),
    )
    intervals = Whole(
        default=24,
        minimum=0,
        prop=Prop(label=_("Maintenance runs every"), unit=_("hours"), group=MAINTENANCE, required=True),
    )
    labelexpiry = Whole(
        default=28,
        minimum=0,
        prop=Prop(label=_("Past URL labels redirect"), unit=_("days"), group=MAINTENANCE, required=True),
    )
    url_segment_cart = Translated(
        100, prop=Prop(label=_("Segment of the cart"), group=ADDRESSES, platforms=("wordpress",))
    )
    url_segment_user = Translated(
        105, prop=Prop(label=_("Segment of the account"), group=ADDRESSES, platforms=("wordpress",))
    )
    structureddata = _switch(_("Structured data"), ANALYTICS, on=True)
    structureddata_in = Choice(
        [("configurator", _("configurator")), ("product", _("product page"))],
        prop=Prop(label=_("Structured data stand in"), group=ANALYTICS, applies_when={"structureddata": True}),
    )
    use_ga_ecommerce = _switch(_("Google Analytics"), ANALYTICS)
    ga_property_id = Text(prop=Prop(label=_("Id of the property"), group=ANALYTICS, required=True, applies_when=COUNTS))
    ga_behavior_offline_psps = Choice(
        [("conversion_when_paid", _("when paid")), ("conversion_when_ordered", _("when ordered"))],
        prop=Prop(label=_("Counts offline payments"), group=ANALYTICS, applies_when=COUNTS),
    )
    use_ga_enhanced_ecommerce = Boolean(prop=Prop(label=_("Enhanced e-commerce"), group=ANALYTICS, applies_when=COUNTS))
    enable_performance_tracking = _switch(_("Tracks performance"), DEBUGGING)
    use_minified_js = _switch(_("Minified scripts"), DEBUGGING, on=True)
    use_minified_css = _switch(_("Minified styles"), DEBUGGING, on=True)
    use_assets_cache_buster = _switch(_("Addresses of assets change with their content"), DEBUGGING, on=True)

    class Options:
        name = "settings"
        area = "store"
        title = "language_tag"
        singleton = True

    class Meta:
        db_table = "configbox_settings"
        verbose_name = _("settings")
        verbose_name_plural = _("settings")
