"""The operator's form of any entity. It shows properties and hands what changed to the pipeline; it decides nothing."""

from typing import Any

from django import forms

from configbox.entities import writing
from configbox.entities.deciding import initial_image
from configbox.entities.errors import EntityError, Invalid
from configbox.entities.images import image_of
from configbox.languages.active import active_tags
from configbox.properties.base import Property
from configbox.properties.entity import Entity, key_map
from configbox.properties.forms import form_field, form_type
from configbox.properties.issues import Issue, Refused
from configbox.properties.owned import Children, Computed


def form_keys(model: type[Entity], tags: list[str]) -> dict[str, Property]:
    """Return the keys that an operator's form shows: all that can be written, files too."""
    return {
        key: each
        for key, each in key_map(model, tags).items()
        if not (isinstance(each, Computed | Children) or each.prop.readonly or each.prop.invisible)
    }


class EntityForm(forms.Form):
    """A form over one record, or over a new one where `record` is None. Use inside a view."""

    rev = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, model: type[Entity], record: Entity | None = None, **kwargs: Any) -> None:
        self.model, self.record = model, record
        tags = active_tags()
        image = image_of(record, tags) if record else initial_image(model, tags)
        self.keys = form_keys(model, tags)
        initial = {key: form_type(each).shown(each.present(image[key])) for key, each in self.keys.items()}
        super().__init__(**kwargs, initial={"rev": record.rev if record else "", **initial})
        for key, each in self.keys.items():
            self.fields[key] = form_field(each, key)
        self.written: writing.Written | None = None

    def clean(self) -> dict[str, Any]:
        """Store what changed; every refusal of the pipeline stands at its own box."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self._write()
        return cleaned

    def _write(self) -> None:
        changed, faults = self._changed()
        for issue in faults:
            self.add_error(issue.field, issue.message)
        if faults:
            return
        name = self.model.options().name
        try:
            if self.record is None:
                self.written = writing.create(name, changed)
            else:
                self.written = writing.update(name, self.record.pk, changed, rev=self.cleaned_data["rev"] or None)
        except Invalid as error:
            for issue in error.issues:
                self.add_error(issue.field if issue.field in self.fields else None, issue.message)
        except EntityError as error:
            self.add_error(None, error.message)

    def _changed(self) -> tuple[dict[str, Any], list[Issue]]:
        changed: dict[str, Any] = {}
        faults = []
        for key, each in self.keys.items():
            if not self.fields[key].has_changed(self.initial[key], self.cleaned_data[key]):
                continue
            try:
                changed[key] = form_type(each).sent(self.cleaned_data[key])
            except Refused as refusal:
                faults.append(Issue(key, refusal.code, f"Field {each.label(key)} {refusal.message}"))
        return changed, faults


def form_groups(form: EntityForm) -> list[tuple[str, list[forms.BoundField]]]:
    """Return the form's boxes by group, in the order of declaration; those without a group come first."""
    groups: dict[str, list[forms.BoundField]] = {"": []}
    for key, each in form.keys.items():
        groups.setdefault(str(each.prop.group), []).append(form[key])
    return [(name, fields) for name, fields in groups.items() if fields]
