"""A question of a product's configurator."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.catalog.choices import WHILE_DISABLED
from configbox.catalog.default_values import default_value_faults
from configbox.catalog.models.question_look import QuestionLook
from configbox.catalog.models.question_price import QuestionPrice
from configbox.engine.question_types import QUESTION_TYPES
from configbox.properties.columns import Boolean, Choice, LongText, Published, Text
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import Entity, check, properties
from configbox.properties.issues import Issue
from configbox.properties.numbers import Number, Ordering, Whole
from configbox.properties.owned import Children
from configbox.properties.prop import Prop
from configbox.properties.references import CalculationReference, Reference
from configbox.properties.rule import Rule
from configbox.properties.shapediver import ShapediverParameter
from configbox.properties.translated import Translated

INPUT = _("Input")
LIMITS = _("Limits")
RULE = _("Rule")

TYPED = ("textbox", "textarea", "slider", "choices")
PRESET = (*TYPED, "colorpicker", "ralcolorpicker")
LIMITED = {"question_type": TYPED, "validate": True, "input_restriction": ("integer", "decimal")}
LIMIT_KINDS = [("none", _("none")), ("static", _("fixed")), ("calculated", _("calculated"))]
DAYS_OR_NONE = [("none", _("none")), ("days", _("days from today"))]
ANSWERS_WANTED = (
    "Answers: "
    + "; ".join(
        f"{each.key} takes {each.answers[0]}" + ("" if each.answers[0] == each.answers[1] else " or more")
        for each in QUESTION_TYPES.values()
        if each.answers
    )
    + "; other types take none."
)
IMAGE_TYPES = "image/png, image/gif, image/jpeg"


class Question(QuestionLook, QuestionPrice, Entity):
    """A question on a page of a product; a shopper's selection answers it."""

    page = Reference(
        "catalog.Page",
        prop=Prop(label=_("Page"), required=True, parent=True, listing=30, filter=True, sortable=True),
    )
    title = Translated(4, prop=Prop(label=_("Title"), required=True, listing=10, search=True, sortable=True))
    internal_name = Text(
        fill_from="title",
        prop=Prop(label=_("Internal name"), tooltip=_("For operators; empty: the title."), listing=15, sortable=True),
    )
    required = Boolean(prop=Prop(label=_("Required"), tooltip=_("A question whose rule is false is never required.")))
    question_type = Choice(
        [(each.key, each.label) for each in QUESTION_TYPES.values()],
        prop=Prop(label=_("Type"), tooltip=ANSWERS_WANTED, listing=20),
    )
    calendar_first_day = Choice(
        [("locale", _("as usual in the language")), ("monday", _("Monday")), ("sunday", _("Sunday"))],
        prop=Prop(label=_("First day of the week"), group=INPUT, applies_when={"question_type": "calendar"}),
    )
    calendar_validation_type_min = Choice(
        DAYS_OR_NONE, prop=Prop(label=_("Earliest date"), group=LIMITS, applies_when={"question_type": "calendar"})
    )
    calendar_days_min = Whole(
        null=True,
        prop=Prop(
            label=_("Earliest date in days"),
            tooltip=_("0 is today."),
            group=LIMITS,
            unit=_("days"),
            required=True,
            applies_when={"question_type": "calendar", "calendar_validation_type_min": "days"},
        ),
    )
    calendar_validation_type_max = Choice(
        DAYS_OR_NONE, prop=Prop(label=_("Latest date"), group=LIMITS, applies_when={"question_type": "calendar"})
    )
    calendar_days_max = Whole(
        null=True,
        prop=Prop(
            label=_("Latest date in days"),
            tooltip=_("0 is today."),
            group=LIMITS,
            unit=_("days"),
            required=True,
            applies_when={"question_type": "calendar", "calendar_validation_type_max": "days"},
        ),
    )
    slider_steps = Number(
        default=1, minimum=0, prop=Prop(label=_("Step"), group=INPUT, applies_when={"question_type": "slider"})
    )
    choices = LongText(
        prop=Prop(
            label=_("Choices"),
            tooltip=_("One per line; a line that says custom adds a free field."),
            group=INPUT,
            applies_when={"question_type": "choices"},
        )
    )
    upload_extensions = Text(
        default="png, gif, jpg, jpeg",
        prop=Prop(label=_("File endings"), group=INPUT, applies_when={"question_type": "upload"}),
    )
    upload_mime_types = Text(
        max_length=1000,
        default=IMAGE_TYPES,
        prop=Prop(label=_("MIME types"), group=INPUT, applies_when={"question_type": "upload"}),
    )
    upload_size_mb = Number(
        minimum=0,
        prop=Prop(
            label=_("Largest file"),
            tooltip=_("0: no limit."),
            group=INPUT,
            unit=_("MB"),
            applies_when={"question_type": "upload"},
        ),
    )
    prefill_on_init = Boolean(
        prop=Prop(label=_("Has a preset value"), group=INPUT, applies_when={"question_type": PRESET})
    )
    default_value = Text(
        prop=Prop(
            label=_("Preset value"),
            group=INPUT,
            applies_when={"question_type": PRESET, "prefill_on_init": True},
        )
    )
    validate = Boolean(prop=Prop(label=_("Checks the input"), group=LIMITS, applies_when={"question_type": TYPED}))
    input_restriction = Choice(
        [("plaintext", _("any text")), ("integer", _("whole number")), ("decimal", _("number"))],
        prop=Prop(label=_("May be entered"), group=LIMITS, applies_when={"question_type": TYPED, "validate": True}),
    )
    set_min_value = Choice(LIMIT_KINDS, prop=Prop(label=_("Lower limit"), group=LIMITS, applies_when=LIMITED))
    minval = Number(
        null=True,
        prop=Prop(label=_("Minimum"), group=LIMITS, required=True, applies_when={**LIMITED, "set_min_value": "static"}),
    )
    calcmodel_id_min_val = CalculationReference(
        "catalog.Calculation",
        prop=Prop(
            label=_("Calculation of the minimum"),
            group=LIMITS,
            required=True,
            applies_when={**LIMITED, "set_min_value": "calculated"},
        ),
    )
    set_max_value = Choice(LIMIT_KINDS, prop=Prop(label=_("Upper limit"), group=LIMITS, applies_when=LIMITED))
    maxval = Number(
        null=True,
        prop=Prop(label=_("Maximum"), group=LIMITS, required=True, applies_when={**LIMITED, "set_max_value": "static"}),
    )
    calcmodel_id_max_val = CalculationReference(
        "catalog.Calculation",
        prop=Prop(
            label=_("Calculation of the maximum"),
            group=LIMITS,
            required=True,
            applies_when={**LIMITED, "set_max_value": "calculated"},
        ),
    )
    show_unit = Boolean(prop=Prop(label=_("Shows a unit"), group=INPUT, applies_when={"question_type": TYPED}))
    unit = Translated(
        54,
        prop=Prop(
            label=_("Unit"), group=INPUT, required=True, applies_when={"question_type": TYPED, "show_unit": True}
        ),
    )
    answers = Children("catalog.Answer", by="question", prop=Prop(label=_("Answers")))
    rules = Rule(prop=Prop(label=_("Rules"), group=RULE, listing=70))
    display_while_disabled = Choice(
        WHILE_DISABLED, prop=Prop(label=_("While its rule is false"), group=RULE, applies_when={"rules": "*"})
    )
    behavior_on_activation = Choice(
        [
            ("none", _("leave it open")),
            ("select_default", _("select the preset answer")),
            ("select_any", _("select the first possible answer")),
        ],
        prop=Prop(label=_("When its rule becomes true"), group=RULE, applies_when={"rules": "*"}),
    )
    behavior_on_inconsistency = Choice(
        [
            ("deselect", _("deselect")),
            ("replace_with_default", _("replace with the preset answer")),
            ("replace_with_any", _("replace with the first possible answer")),
        ],
        prop=Prop(label=_("When its answer becomes impossible"), group=RULE),
    )
    behavior_on_changes = Choice(
        [("silent", _("change it silently")), ("confirm", _("ask the shopper"))],
        prop=Prop(label=_("When another choice changes it"), group=RULE),
    )
    is_shapediver_control = Boolean(
        prop=Prop(
            label=_("Drives the ShapeDiver model"),
            applies_when={"page.product.visualization_type": "shapediver"},
        )
    )
    shapediver_parameter_id = ShapediverParameter(
        prop=Prop(label=_("ShapeDiver parameter"), applies_when={"is_shapediver_control": True})
    )
    published = Published(prop=Prop(label=_("Published"), listing=110, filter=True))
    ordering = Ordering(within="page", prop=Prop(label=_("Ordering"), listing=2))

    class Options:
        name = "question"
        area = "catalog"
        ordering = ("page", "ordering")

    class Meta:
        db_table = "configbox_questions"
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        indexes = [models.Index(fields=["page", "ordering"], name="configbox_question_order")]

    @check("default_value", "prefill_on_init", "question_type", "validate", "input_restriction")
    def preset_value(values: RecordValues) -> Iterator[Issue]:
        """Yield a fault where the preset value is nothing a shopper could enter."""
        return default_value_faults(values)

    @check("minval", "maxval", "set_min_value", "set_max_value", "question_type", "validate", "input_restriction")
    def bounds(values: RecordValues) -> Iterator[Issue]:
        """Yield a fault where fixed limits that apply leave nothing between them."""
        lowest, highest = _where_both_apply(values, "minval", "maxval")
        if lowest is not None and highest is not None and lowest > highest:
            yield Issue("maxval", "range", f"Field Maximum must be at least the minimum {lowest}, got {highest}.")

    @check(
        "calendar_days_min",
        "calendar_days_max",
        "calendar_validation_type_min",
        "calendar_validation_type_max",
        "question_type",
    )
    def dates(values: RecordValues) -> Iterator[Issue]:
        """Yield a fault where the earliest date that applies comes after the latest."""
        first, last = _where_both_apply(values, "calendar_days_min", "calendar_days_max")
        if first is not None and last is not None and first > last:
            message = f"Field Latest date in days must be at least the earliest {first}, got {last}."
            yield Issue("calendar_days_max", "range", message)


def _where_both_apply(values: RecordValues, one: str, other: str) -> tuple[Any, Any]:
    """Return two values that are checked against each other, or nothing: what does not apply is never judged."""
    declared = properties(values.model)
    if values.applies(declared[one]) and values.applies(declared[other]):
        return values[one], values[other]
    return None, None
