"""A currency in which the shop shows prices."""

from collections.abc import Iterator
from decimal import Decimal

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Boolean, Code, Published, Text
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, check
from configbox.properties.issues import Issue
from configbox.properties.numbers import Number, Ordering
from configbox.properties.prop import Prop
from configbox.properties.translated import Translated


class Currency(Entity):
    """A currency of the shop.

    One is the base currency, in which every amount is kept; one is the default, in which a shopper starts.
    """

    title = Translated(6, prop=Prop(label=_("Title"), required=True, listing=20, search=True, sortable=True))
    multiplicator = Number(
        max_digits=15,
        decimal_places=5,
        minimum=Decimal("0.00001"),
        default=1,
        prop=Prop(
            label=_("Factor"),
            tooltip=_("What one unit of the base currency is worth in it."),
            required=True,
            listing=30,
        ),
    )
    symbol = Text(max_length=10, prop=Prop(label=_("Symbol"), required=True, listing=40))
    code = Code(
        max_length=3, prop=Prop(label=_("Code"), tooltip=_("ISO 4217, such as EUR."), required=True, listing=50)
    )
    default = Boolean(prop=Prop(label=_("Default currency"), listing=60, readonly=True, invisible=True))
    base = Boolean(prop=Prop(label=_("Base currency"), listing=70, readonly=True, invisible=True))
    published = Published(prop=Prop(label=_("Published"), listing=80))
    ordering = Ordering(prop=Prop(label=_("Ordering")))

    class Options:
        name = "currency"
        area = "store"
        ordering = ("ordering",)

    class Meta:
        db_table = "configbox_currencies"
        verbose_name = _("currency")
        verbose_name_plural = _("currencies")
        constraints = [models.UniqueConstraint(fields=["code"], name="configbox_currency_code")]

    @check("multiplicator")
    def factor(values: RecordValues) -> Iterator[Issue]:
        """Yield a fault where the base currency would be worth more or less than itself."""
        if values["base"] and values["multiplicator"] != 1:
            got = values["multiplicator"]
            yield Issue("multiplicator", "range", f"Field Factor of the base currency must be 1, got {got}.")

    @staticmethod
    def delete_refusal(currency: "Currency") -> str | None:
        """Return why this currency must stay, or None."""
        for role, holds in (("base", currency.base), ("default", currency.default)):
            if holds:
                return f"Could not delete currency, because {currency.code} is the {role} currency."
        if Currency.objects.count() == 1:
            return f"Could not delete currency, because {currency.code} is the last one."
        return None
