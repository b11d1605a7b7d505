"""The admin's list of an entity: its listing columns, in a number of queries that does not grow with the rows."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.utils.text import Truncator

from configbox.entities.images import load
from configbox.entities.records import titles_of
from configbox.languages.active import active_tags
from configbox.properties.base import Property
from configbox.properties.columns import Boolean, Choice, NumberedChoice
from configbox.properties.entity import Entity
from configbox.properties.forms import form_type
from configbox.properties.references import Reference
from configbox.properties.schema import listing_properties
from configbox.properties.translated import Translated

Column = Callable[[Any], Any]


class EntityChangeList(ChangeList):
    """Loads texts, lists of ids and the titles of references for the page that is shown, all rows at once."""

    def get_results(self, request: Any) -> None:
        super().get_results(request)
        model = cast(type[Entity], self.model)
        columns = listing_properties(model)
        tags = active_tags()
        records: list[Any] = list(self.result_list)
        load(records, columns, tags)
        for each in columns:
            if isinstance(each, Reference):
                named = {getattr(record, each.attname) for record in records} - {None}
                titles = titles_of(each.target, list(each.target.objects.filter(pk__in=named)), tags, tags[0])
                for record in records:
                    setattr(record, f"{each.name}_title", titles.get(getattr(record, each.attname), ""))
        self.result_list = records


def columns_of(model: type[Entity]) -> list[Column]:
    """Return the columns of an entity's list: the leading language's texts, the titles of what references name."""
    return [_column(each) for each in listing_properties(model)]


def _column(of: Property) -> Column:
    @admin.display(description=cast(str, of.prop.label), boolean=isinstance(of, Boolean), ordering=_order(of))
    def shown(record: Any) -> Any:
        if isinstance(of, Reference):
            return getattr(record, f"{of.name}_title") or "–"
        if isinstance(of, Translated):
            return next(iter(getattr(record, of.name).values()), "")
        tags = list(getattr(record, of.name) or {}) if of.translated else []
        image = of.image(record, tags)
        value = of.present(next(iter(image.values()), None))
        if isinstance(of, Boolean):
            return value
        if isinstance(of, Choice | NumberedChoice):
            return dict(of.options).get(value, value)
        return Truncator(str(form_type(of).shown(value))).chars(60)

    shown.__name__ = of.name
    return shown


def _order(of: Property) -> str | None:
    column = getattr(of, "column", None)
    return of.name if column and of.sortable and not isinstance(of, Reference) else None
