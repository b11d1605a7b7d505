"""What a question that takes no answers adds to the price and the weight."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Boolean
from configbox.properties.numbers import Number
from configbox.properties.prop import Prop
from configbox.properties.references import CalculationReference

PRICE = _("Price")
PRICED = ("textbox", "slider", "textarea")


class QuestionPrice(models.Model):
    """Columns of the question; each calculation works from what the shopper entered."""

    calcmodel = CalculationReference(
        "catalog.Calculation",
        prop=Prop(label=_("Price calculation"), group=PRICE, applies_when={"question_type": PRICED}),
    )
    multiplicator = Number(
        default=1,
        prop=Prop(
            label=_("Multiplies the result"),
            group=PRICE,
            applies_when={"question_type": PRICED, "calcmodel": "*"},
        ),
    )
    text_calcmodel = Boolean(
        default=True,
        prop=Prop(
            label=_("Shown in the configurator"),
            tooltip=_("Off: priced, but not shown."),
            group=PRICE,
            applies_when={"question_type": PRICED, "calcmodel": "*"},
        ),
    )
    calcmodel_recurring = CalculationReference(
        "catalog.Calculation",
        prop=Prop(
            label=_("Recurring price calculation"),
            group=PRICE,
            applies_when={"question_type": PRICED, "page.product.use_recurring_pricing": True},
        ),
    )
    calcmodel_weight = CalculationReference(
        "catalog.Calculation",
        prop=Prop(label=_("Weight calculation"), group=PRICE, applies_when={"question_type": PRICED}),
    )

    class Meta:
        abstract = True
