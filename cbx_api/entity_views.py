"""The addresses of an entity: its records, one record, and its schemas."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from cbx_api.api_view import ApiView
from cbx_api.body import document_of
from cbx_api.envelope import data_response, json_response, shown_issue
from cbx_api.errors import Refusal
from cbx_api.etags import etag_of, wanted_rev
from cbx_api.operations import COLLECTION, RECORD, SCHEMA, methods_of
from cbx_api.query import Query, check_keys, filter_values
from configbox.entities import listing, reading, writing
from configbox.entities.errors import NotOffered
from configbox.entities.registry import READING, model_of
from configbox.entities.selecting import filter_properties
from configbox.entities.view import current, view_tags
from configbox.entities.writing import Written, writable_model
from configbox.properties.entity import Entity
from configbox.properties.schema import create_schema, listing_schema, read_schema, readable_keys, update_schema

CHANGE_SET: Final = "ConfigBox-Change-Set"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

SchemaMaker = Callable[[type[Entity], Iterable[str]], dict[str, Any]]
SCHEMAS: Final[dict[str, SchemaMaker]] = {
    "create": create_schema,
    "update": update_schema,
    "record": read_schema,
    "listing": listing_schema,
}


class EntityView(ApiView):
    """An address that belongs to an entity."""

    def opened(self, entity: str, operation: str) -> type[Entity]:
        """Return the model on which the caller may do this, before anything is looked up.

        Raises NotFound for an unknown entity, Refused for a scope that is missing, Refusal (405) for an operation
        that the entity does not take.
        """
        with self.viewed():
            if operation in READING:
                model = model_of(entity)
                current().require(model, "read")
                return model
            try:
                return writable_model(entity, operation)
            except NotOffered as refused:
                allowed = methods_of(self.operations, self.entity_options())
                raise Refusal(405, refused.message, {"Allow": ", ".join(allowed)}) from None

    def written(self, query: Query, written: Written, status: int, headers: dict[str, str]) -> HttpResponse:
        """Return the record as it is after a write, and what is to be known about the write."""
        meta: dict[str, Any] = {
            "warnings": [shown_issue(issue) for issue in written.warnings],
            "language": current().language,
        }
        if query.dry_run:
            # Nothing was kept: neither is there such a revision, nor a new address.
            return data_response(written.record, meta | {"dry_run": True})
        if written.change_set:
            meta["change_set"] = written.change_set
        headers = headers | change_set_header(written) | {"ETag": etag_of(written.record["rev"])}
        return data_response(written.record, meta, status=status, headers=headers)


def change_set_header(written: Written) -> dict[str, str]:
    return {CHANGE_SET: written.change_set} if written.change_set else {}


class CollectionView(EntityView):
    """The records of an entity."""

    operations = COLLECTION

    def get(self, request: Request, entity: str, **kwargs: Any) -> HttpResponse:
        """List records, one page."""
        model = self.opened(entity, "list")
        query = self.query(request)
        with self.viewed(query):
            columns = None if query.fields is None else list(listing_schema(model, view_tags())["properties"])
            check_keys(query.fields, columns or [], "columns of this list")
            nullable = [name for name, each in filter_properties(model).items() if each.accepts_null()]
            page = listing.list_records(
                entity,
                filters=filter_values(query.filters, nullable),
                search=query.get("search"),
                sort=query.get("sort"),
                limit=query.get("limit"),
                offset=query.get("offset"),
                only=query.fields,
            )
            return data_response(page.items, _page_meta(page, query.fields))

    def post(self, request: Request, entity: str, **kwargs: Any) -> HttpResponse:
        """Make a record."""
        self.opened(entity, "create")
        fields: Any = document_of(self.body)
        query = self.query(request)
        with self.viewed(query):
            written = writing.create(entity, fields, change_set=query.get("change_set"))
            prefix = {"prefix": self.kwargs["prefix"]} if self.kwargs.get("prefix") else {}
            location = reverse("rest-record", kwargs={"entity": entity, "id": written.id, **prefix})
            return self.written(query, written, 201, {"Location": location})


def _page_meta(page: listing.Listing, wanted: list[str] | None) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "total": page.total,
        "matched": page.matched,
        "limit": page.limit,
        "offset": page.offset,
        "language": current().language,
    }
    if page.next_offset is not None:
        meta["next_offset"] = page.next_offset
    notes = list(page.notes)
    if page.items and (absent := [key for key in dict.fromkeys(wanted or ()) if key not in page.items[0]]):
        notes.append(f"{', '.join(absent)} left out: this list shows texts in {current().language} alone.")
    if notes:
        meta["notes"] = notes
    return meta


class RecordView(EntityView):
    """One record."""

    operations = RECORD

    def get(self, request: Request, entity: str, id: str, **kwargs: Any) -> HttpResponse:
        """Read the record, whole or the keys that `fields` names."""
        model = self.opened(entity, "read")
        query = self.query(request)
        with self.viewed(query):
            if query.fields is not None:
                check_keys(query.fields, ["id", "rev", *readable_keys(model, view_tags())], "keys of a record")
            record = reading.get(entity, id, only=query.fields)
            return data_response(record, {"language": current().language}, headers={"ETag": etag_of(record["rev"])})

    def patch(self, request: Request, entity: str, id: str, **kwargs: Any) -> HttpResponse:
        """Change the fields that are sent."""
        self.opened(entity, "update")
        fields: Any = document_of(self.body)
        query = self.query(request)
        rev = wanted_rev(request.headers.get("If-Match"))
        with self.viewed(query):
            written = writing.update(entity, id, fields, rev=rev, change_set=query.get("change_set"))
            return self.written(query, written, 200, {})

    def delete(self, request: Request, entity: str, id: str, **kwargs: Any) -> HttpResponse:
        """Delete the record."""
        self.opened(entity, "delete")
        query = self.query(request)
        rev = wanted_rev(request.headers.get("If-Match"))
        with self.viewed(query):
            written = writing.delete(entity, id, rev=rev, change_set=query.get("change_set"))
            if query.dry_run:
                return self.written(query, written, 200, {})
        response = HttpResponse(status=204, headers=change_set_header(written))
        del response["Content-Type"]
        return response


class SchemaView(EntityView):
    """What an entity's fields are: bare JSON Schema, of a create unless `for` says otherwise."""

    operations = (SCHEMA,)

    def get(self, request: Request, entity: str, **kwargs: Any) -> HttpResponse:
        """Return one schema."""
        model = self.opened(entity, "read")
        query = self.query(request)
        with self.viewed(query):
            make = SCHEMAS[query.get("for") or "create"]
            return json_response({"$schema": DIALECT, **make(model, view_tags())})
