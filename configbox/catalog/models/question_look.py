"""How a question stands on its page, what it shows of itself, and its custom fields."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from configbox.properties.columns import Boolean, Choice, NumberedChoice, Text
from configbox.properties.files import Image
from configbox.properties.prop import Prop
from configbox.properties.translated import Translated

SHOWN = _("Look")
CUSTOM = _("Custom fields")


class QuestionLook(models.Model):
    """Columns and texts of the question."""

    desc_display_method = NumberedChoice(
        [(1, _("under the title")), (2, _("tooltip")), (3, _("window"))],
        prop=Prop(label=_("Description is shown"), group=SHOWN),
    )
    description = Translated(14, html=True, prop=Prop(label=_("Description"), group=SHOWN))
    title_display = Choice(
        [("heading", _("heading")), ("label", _("label")), ("none", _("none"))],
        prop=Prop(label=_("Title is shown as"), group=SHOWN),
    )
    element_css_classes = Text(max_length=100, prop=Prop(label=_("CSS classes"), group=SHOWN))
    asproducttitle = Boolean(prop=Prop(label=_("Selection replaces the product's title"), group=SHOWN))
    show_in_overview = Boolean(default=True, prop=Prop(label=_("Shown in overviews"), group=SHOWN))
    el_image = Image(
        max_kb=2000,
        extensions=("jpg", "jpeg", "gif", "tif", "bmp", "png"),
        prop=Prop(label=_("Picture"), group=SHOWN),
    )
    element_custom_1 = Text(prop=Prop(label=_("Custom field 1"), group=CUSTOM))
    element_custom_2 = Text(prop=Prop(label=_("Custom field 2"), group=CUSTOM))
    element_custom_3 = Text(prop=Prop(label=_("Custom field 3"), group=CUSTOM))
    element_custom_4 = Text(prop=Prop(label=_("Custom field 4"), group=CUSTOM))
    element_custom_translatable_1 = Translated(50, prop=Prop(label=_("Custom text 1"), group=CUSTOM))
    element_custom_translatable_2 = Translated(51, prop=Prop(label=_("Custom text 2"), group=CUSTOM))

    class Meta:
        abstract = True
