"""The admin pages of one entity. They show properties; the pipeline decides, writes and records."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from configbox.access.grants import grant_includes
from configbox.backoffice.changelist import Column, EntityChangeList, columns_of
from configbox.backoffice.forms import EntityForm, form_groups
from configbox.backoffice.grants import grant_of
from configbox.entities import writing
from configbox.entities.errors import EntityError
from configbox.entities.records import titles_of
from configbox.entities.selecting import searched
from configbox.entities.view import view
from configbox.languages.active import active_tags
from configbox.properties.columns import Boolean, Choice, NumberedChoice
from configbox.properties.entity import Entity, properties
from configbox.properties.numbers import read_whole
from configbox.properties.references import Reference


class EntityAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists, adds, changes and deletes records of any entity."""

    model: type[Entity]
    actions = None
    list_per_page = 50
    show_full_result_count = True
    # Shows the search box; get_search_results decides what is searched.
    search_fields = ("id",)

    # --- what the login may do --------------------------------------------------------------------------------
    def _may(self, request: HttpRequest, operation: str) -> bool:
        options = self.model.options()
        level = "read" if operation == "read" else "write"
        possible = operation in options.operations and (level == "read" or options.writable)
        return possible and grant_includes(grant_of(request.user), f"{options.area}:{level}")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may(request, "read")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "read")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._may(request, "create")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "update")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "delete")

    # --- the list ---------------------------------------------------------------------------------------------
    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[EntityChangeList]:
        return EntityChangeList

    def get_list_display(self, request: HttpRequest) -> list[str | Column]:
        return ["id", *columns_of(self.model)]

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> list[Any]:
        return list(list_display[:2])

    def get_list_filter(self, request: HttpRequest) -> Any:
        kinds = (Boolean, Choice, NumberedChoice)
        return [each.name for each in properties(self.model).values() if isinstance(each, kinds) and each.prop.filter]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        # Django lets an address compare any column, which would tell a sensitive value letter by letter.
        name, _, comparison = lookup.partition("__")
        of = properties(self.model).get(name)
        filters = name in ("id", "pk") or (of is not None and of.filterable)
        return filters and comparison in ("", "exact", "id__exact", "in", "isnull")

    def get_ordering(self, request: HttpRequest) -> Any:
        every = properties(self.model)
        return [
            every[name].attname if isinstance(every[name], Reference) else name  # type: ignore[attr-defined]
            for name in self.model.options().ordering
            if name in every and not every[name].translated
        ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], term: str
    ) -> tuple[QuerySet[Any], bool]:
        return searched(self.model, queryset, term, active_tags(), []), False

    # --- the form ---------------------------------------------------------------------------------------------
    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if not (self.has_add_permission(request) if object_id is None else self.has_view_permission(request)):
            raise PermissionDenied
        with self._viewed(request):
            record = None if object_id is None else self._record(object_id)
            if request.method != "POST":
                return self._page(request, EntityForm(self.model, record), record)
            if record is not None and not self.has_change_permission(request):
                raise PermissionDenied
            form = EntityForm(self.model, record, data=request.POST, files=request.FILES)
            if not form.is_valid() or form.written is None:
                return self._page(request, form, record)
            return self._saved(request, form.written)

    def _viewed(self, request: HttpRequest) -> Any:
        user = request.user
        return view(actor=f"user #{user.pk}", grant=grant_of(user), door="admin")

    def _record(self, object_id: str) -> Entity:
        number = read_whole(object_id)
        record: Entity | None = self.model.objects.filter(pk=number).first() if number is not None else None
        if record is None:
            raise Http404(f"There is no {self.model._meta.verbose_name} with id {object_id}.")
        return record

    def _page(self, request: HttpRequest, form: EntityForm, record: Entity | None) -> HttpResponse:
        kind = self.model._meta.verbose_name
        context = {
            **self.admin_site.each_context(request),
            "title": f"Add {kind}" if record is None else f"{str(kind).capitalize()} {record.pk}",
            "opts": self.model._meta,
            "form": form,
            "groups": form_groups(form),
            "record": record,
            "may_save": self.has_change_permission(request) if record else True,
            "may_delete": record is not None and self.has_delete_permission(request),
        }
        # Rendered while the view is open: a form reads its record as it is shown.
        return TemplateResponse(request, "backoffice/entity_form.html", context).render()

    def _saved(self, request: HttpRequest, written: writing.Written) -> HttpResponse:
        kind = str(self.model._meta.verbose_name)
        what = "is saved" if written.change_set else "is as it was"
        messages.success(request, f"{kind.capitalize()} {written.id} {what}.")
        for issue in written.warnings:
            messages.warning(request, issue.message)
        on = "_continue" in request.POST
        return HttpResponseRedirect(self._address("change", written.id) if on else self._address("changelist"))

    def _address(self, page: str, *ids: int) -> str:
        meta = self.model._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=ids)

    # --- deleting ---------------------------------------------------------------------------------------------
    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        if not self.has_delete_permission(request):
            raise PermissionDenied
        with self._viewed(request):
            record = self._record(object_id)
            tags = active_tags()
            title = titles_of(self.model, [record], tags, tags[0])[record.pk]
            if request.method == "POST":
                try:
                    writing.delete(self.model.options().name, record.pk)
                except EntityError as error:
                    messages.error(request, error.message)
                    return HttpResponseRedirect(self._address("change", record.pk))
                messages.success(request, f"{str(self.model._meta.verbose_name).capitalize()} {record.pk} is deleted.")
                return HttpResponseRedirect(self._address("changelist"))
            context = {
                **self.admin_site.each_context(request),
                "title": f"Delete {self.model._meta.verbose_name} {record.pk}?",
                "opts": self.model._meta,
                "record": record,
                "name": title,
            }
            return TemplateResponse(request, "backoffice/delete.html", context).render()
