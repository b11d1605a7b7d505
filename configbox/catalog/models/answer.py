"""An answer that a shopper may choose."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.catalog.choices import WHILE_DISABLED
from configbox.properties.columns import Boolean, Choice, Code, DateTime, Published, Text
from configbox.properties.entity import Entity
from configbox.properties.files import Image
from configbox.properties.numbers import Amount, Number, Ordering, Whole
from configbox.properties.prop import Prop
from configbox.properties.references import CalculationReference, Reference
from configbox.properties.rule import Rule
from configbox.properties.shapediver import ShapediverParameterValue
from configbox.properties.translated import Translated

PRICE = _("Price")
STOCK = _("Availability")
SHOWN = _("Look")
CUSTOM = _("Custom fields")
BASE_CURRENCY = _("base currency, net")
RECURRING = {"question.page.product.use_recurring_pricing": True}
COMPOSITE = {"question.page.product.visualization_type": "composite"}


class Answer(Entity):
    """An answer that a shopper may choose at one question; its id is what a selection stores."""

    question = Reference(
        "catalog.Question",
        prop=Prop(label=_("Question"), required=True, parent=True, filter=True, sortable=True, listing=12),
    )
    title = Translated(5, prop=Prop(label=_("Title"), required=True, listing=20, search=True, sortable=True))
    internal_name = Text(
        max_length=63,
        fill_from="title",
        prop=Prop(label=_("Internal name"), tooltip=_("For operators; empty: the title.")),
    )
    sku = Code(max_length=60, prop=Prop(label=_("Article number"), listing=30, search=True, filter=True, sortable=True))
    price = Amount(prop=Prop(label=_("Price"), group=PRICE, unit=BASE_CURRENCY, listing=40, sortable=True))
    price_recurring = Amount(
        prop=Prop(
            label=_("Recurring price"),
            group=PRICE,
            unit=BASE_CURRENCY,
            listing=50,
            sortable=True,
            applies_when=RECURRING,
        )
    )
    was_price = Amount(
        prop=Prop(label=_("Price before"), tooltip=_("Shown struck through."), group=PRICE, unit=BASE_CURRENCY)
    )
    was_price_recurring = Amount(
        prop=Prop(label=_("Recurring price before"), group=PRICE, unit=BASE_CURRENCY, applies_when=RECURRING)
    )
    weight = Number(prop=Prop(label=_("Weight"), unit=_("the unit of weight in the settings")))
    calcmodel = CalculationReference(
        "catalog.Calculation", prop=Prop(label=_("Price calculation"), group=PRICE, listing=75)
    )
    calcmodel_recurring = CalculationReference(
        "catalog.Calculation",
        prop=Prop(label=_("Recurring price calculation"), group=PRICE, applies_when=RECURRING),
    )
    calcmodel_weight = CalculationReference("catalog.Calculation", prop=Prop(label=_("Weight calculation")))
    default = Boolean(prop=Prop(label=_("Preselected"), listing=77))
    published = Published(prop=Prop(label=_("Published"), listing=80))
    rules = Rule(prop=Prop(label=_("Rules"), listing=70))
    display_while_disabled = Choice(
        [("like_question", _("like the question")), *WHILE_DISABLED],
        prop=Prop(label=_("While its rule is false"), applies_when={"rules": "*"}),
    )
    available = Boolean(default=True, prop=Prop(label=_("Available"), group=STOCK, listing=72, sortable=True))
    disable_non_available = Boolean(
        prop=Prop(label=_("Cannot be chosen while not available"), group=STOCK, applies_when={"available": False})
    )
    availibility_date = DateTime(
        prop=Prop(label=_("Available again on"), group=STOCK, applies_when={"available": False})
    )
    desc_display_method = Choice(
        [("tooltip", _("tooltip")), ("modal", _("window"))], prop=Prop(label=_("Description is shown as"), group=SHOWN)
    )
    description = Translated(15, html=True, prop=Prop(label=_("Description"), group=SHOWN))
    option_image = Image(max_kb=1000, prop=Prop(label=_("Picture"), group=SHOWN))
    option_picker_image = Image(
        max_kb=2000,
        prop=Prop(label=_("Picture to choose by"), group=SHOWN, applies_when={"question.question_type": "images"}),
    )
    visualization_image = Image(
        extensions=("jpg", "jpeg", "png"),
        prop=Prop(label=_("Layer of the composite picture"), group=SHOWN, applies_when=COMPOSITE),
    )
    visualization_stacking = Whole(
        default=1, prop=Prop(label=_("Height of the layer"), group=SHOWN, applies_when=COMPOSITE)
    )
    shapediver_choice_value = ShapediverParameterValue(
        prop=Prop(
            label=_("ShapeDiver value"),
            group=SHOWN,
            applies_when={
                "question.page.product.visualization_type": "shapediver",
                "question.is_shapediver_control": True,
            },
        )
    )
    option_custom_1 = Text(prop=Prop(label=_("Custom field 1"), group=CUSTOM))
    option_custom_2 = Text(prop=Prop(label=_("Custom field 2"), group=CUSTOM))
    option_custom_3 = Text(prop=Prop(label=_("Custom field 3"), group=CUSTOM))
    option_custom_4 = Text(prop=Prop(label=_("Custom field 4"), group=CUSTOM))
    option_custom_5 = Translated(60, prop=Prop(label=_("Custom field 5"), group=CUSTOM))
    option_custom_6 = Translated(61, prop=Prop(label=_("Custom field 6"), group=CUSTOM))
    assignment_custom_1 = Text(prop=Prop(label=_("Custom field 1 of the assignment"), group=CUSTOM))
    assignment_custom_2 = Text(prop=Prop(label=_("Custom field 2 of the assignment"), group=CUSTOM))
    assignment_custom_3 = Text(prop=Prop(label=_("Custom field 3 of the assignment"), group=CUSTOM))
    assignment_custom_4 = Text(prop=Prop(label=_("Custom field 4 of the assignment"), group=CUSTOM))
    ordering = Ordering(within="question", prop=Prop(label=_("Ordering"), listing=15))

    class Options:
        name = "answer"
        area = "catalog"
        ordering = ("question", "ordering")

    class Meta:
        db_table = "configbox_answers"
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        indexes = [models.Index(fields=["question", "ordering"], name="configbox_answer_order")]
