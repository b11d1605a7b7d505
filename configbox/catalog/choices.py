"""Choices that several catalog entities share."""

from django.utils.translation import gettext_lazy as _

TRI_STATE = [(2, _("use settings")), (1, _("yes")), (0, _("no"))]
EXPAND = [(3, _("use settings")), (2, _("active page only")), (1, _("all")), (0, _("none"))]
WHILE_DISABLED = [("hide", _("hide")), ("grey_out", _("grey out"))]
VISUALIZATION = [("none", _("none")), ("composite", _("composite picture")), ("shapediver", _("ShapeDiver"))]
