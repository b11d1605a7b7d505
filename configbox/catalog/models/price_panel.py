"""What a product says about the shopper's price panel, beside the store's settings."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.catalog.choices import EXPAND, TRI_STATE
from configbox.properties.columns import NumberedChoice
from configbox.properties.prop import Prop, Words

GROUP = _("Price panel")
RECURRING = {"use_recurring_pricing": True}


def _tri(label: Words, recurring: bool = False) -> NumberedChoice:
    return NumberedChoice(
        TRI_STATE, default=2, prop=Prop(label=label, group=GROUP, applies_when=RECURRING if recurring else {})
    )


class PricePanel(models.Model):
    """Columns of the product; 2 takes what the settings say."""

    pm_show_regular_first = NumberedChoice(
        [(2, _("use settings")), (1, _("regular prices")), (0, _("recurring prices"))],
        default=2,
        prop=Prop(label=_("Shows first"), group=GROUP),
    )
    pm_show_delivery_options = _tri(_("Shows delivery options"))
    pm_show_payment_options = _tri(_("Shows payment options"))
    pm_show_net_in_b2c = _tri(_("Shows net prices to consumers"))
    pm_regular_show_overview = _tri(_("Shows the overview of regular prices"))
    pm_regular_show_prices = _tri(_("Shows regular prices"))
    pm_regular_show_categories = _tri(_("Shows pages with regular prices"))
    pm_regular_show_elements = _tri(_("Shows questions with regular prices"))
    pm_regular_show_elementprices = _tri(_("Shows regular prices of questions"))
    pm_regular_show_taxes = _tri(_("Shows taxes of regular prices"))
    pm_regular_show_cart_button = _tri(_("Shows the cart button with regular prices"))
    pm_regular_expand_categories = NumberedChoice(
        EXPAND, default=3, prop=Prop(label=_("Opens pages with regular prices"), group=GROUP)
    )
    pm_recurring_show_overview = _tri(_("Shows the overview of recurring prices"), recurring=True)
    pm_recurring_show_prices = _tri(_("Shows recurring prices"), recurring=True)
    pm_recurring_show_categories = _tri(_("Shows pages with recurring prices"), recurring=True)
    pm_recurring_show_elements = _tri(_("Shows questions with recurring prices"), recurring=True)
    pm_recurring_show_elementprices = _tri(_("Shows recurring prices of questions"), recurring=True)
    pm_recurring_show_taxes = _tri(_("Shows taxes of recurring prices"), recurring=True)
    pm_recurring_show_cart_button = _tri(_("Shows the cart button with recurring prices"), recurring=True)
    pm_recurring_expand_categories = NumberedChoice(
        EXPAND,
        default=3,
        prop=Prop(label=_("Opens pages with recurring prices"), group=GROUP, applies_when=RECURRING),
    )

    class Meta:
        abstract = True
