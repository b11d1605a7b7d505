"""The OpenAPI 3.1 document of the API: what one grant may do, made from the registry and the operations."""

from collections.abc import Sequence
from typing import Any, Final

from cbx_api.entity_views import CHANGE_SET
from cbx_api.openapi_parameters import ID, IF_MATCH, parameters_of
from cbx_api.openapi_schemas import entity_schemas, envelope, general_schemas, list_of, ref
from cbx_api.operations import COLLECTION, OPENAPI, RECORD, ROOT, SCHEMA, ApiOperation
from cbx_api.root import offered_operations
from cbx_api.statuses import ERROR_STATUSES
from configbox import __version__
from configbox.access.grants import Grant
from configbox.entities.registry import entities
from configbox.properties.entity import Entity
from configbox.properties.json_values import JSON

Json = dict[str, Any]

DESCRIPTION: Final = """\
Reads and writes the records of a store. Every request carries a token as `Authorization: Bearer cbx_…`; this document \
shows what the one holds with which it was asked for. Numbers are exact: read them as decimals; plain decimal text is \
taken too. `meta.change_set` of a write names the set that takes further writes and is undone as one."""
# How sentences about an operation begin.
SUMMARIES: Final = {
    "list": "List {plural}",
    "create": "Create one {one}",
    "read": "Read one {one}",
    "update": "Change one {one}: the fields that are sent",
    "delete": "Delete one {one}",
}
# Headers of errors that name what would have been right.
ERROR_HEADERS: Final = {401: "WWW-Authenticate"}
TEXT_HEADER: Final = {"schema": {"type": "string"}}


def openapi_document(grant: Grant, tags: Sequence[str], server: str) -> Json:
    """Return the document of one grant; `server` is the address that its paths begin with."""
    offered = offered_operations(grant)
    paths: Json = {
        ROOT.path: {"get": _operation(ROOT, tags, "get_root", "What this token may do, and where everything is")},
        OPENAPI.path: {"get": _operation(OPENAPI, tags, "get_openapi", "This document")},
    }
    schemas = general_schemas()
    for name, operations in offered.items():
        model = entities()[name]
        schemas |= entity_schemas(name, model, list(tags), operations)
        for each in (*COLLECTION, *RECORD, SCHEMA):
            if not each.name or each.name in operations:
                path = each.path.replace("{entity}", name)
                paths.setdefault(path, {})[each.method.lower()] = _of_entity(each, name, model, tags)
    return {
        "openapi": "3.1.0",
        "info": {"title": "ConfigBox", "version": __version__, "description": DESCRIPTION},
        "servers": [{"url": server}],
        "security": [{"token": []}],
        "tags": [{"name": name, "description": " ".join((entities()[name].__doc__ or "").split())} for name in offered],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Made with `manage.py token_mint`."}
            },
            "schemas": schemas,
            "responses": {_error_name(status): _error(status) for status in ERROR_STATUSES},
        },
    }


def _of_entity(operation: ApiOperation, name: str, model: type[Entity], tags: Sequence[str]) -> Json:
    one, plural = str(model._meta.verbose_name), str(model._meta.verbose_name_plural)
    verb = operation.name or "get_schema_of"
    summary = SUMMARIES.get(operation.name, "The fields of {plural}").format(one=one, plural=plural)
    found = _operation(operation, tags, f"{verb}_{name.replace('-', '_')}", summary, name, model)
    return found | {"tags": [name]}


def _operation(
    operation: ApiOperation,
    tags: Sequence[str],
    operation_id: str,
    summary: str,
    name: str = "",
    model: type[Entity] | None = None,
) -> Json:
    parameters = parameters_of(operation.parameters, tags, model, operation.name)
    if operation.conditional:
        parameters.insert(0, IF_MATCH)
    if "{id}" in operation.path:
        parameters.insert(0, ID)
    answers = _answers(operation, name) | {
        str(status): {"$ref": f"#/components/responses/{_error_name(status)}"} for status in sorted(operation.errors)
    }
    found: Json = {"operationId": operation_id, "summary": summary, "parameters": parameters, "responses": answers}
    if operation.has_body:
        found["requestBody"] = {"required": True, "content": _json(ref(f"{name}.{operation.name}"))}
    return found


def _answers(operation: ApiOperation, name: str) -> Json:
    """Return the answers of an operation that is done, by status."""
    record = envelope(ref(f"{name}.record"), ref("write-meta"))
    set_header = {CHANGE_SET: TEXT_HEADER | {"description": "The handle of the change set; absent without a change."}}
    etag = {"ETag": TEXT_HEADER | {"description": "The record's revision, for If-Match.", "required": True}}
    match operation.name:
        case "list":
            return {"200": _answer("One page.", envelope(list_of(ref(f"{name}.row")), ref("page-meta")))}
        case "read":
            return {"200": _answer("The record.", envelope(ref(f"{name}.record"), ref("meta")), etag)}
        case "create":
            location = {"Location": TEXT_HEADER | {"description": "Where the record is.", "required": True}}
            return {
                "200": _answer("A dry run: what would be made.", record),
                "201": _answer("The record that was made.", record, location | etag | set_header) | _links(name),
            }
        case "update":
            return {"200": _answer("The record as it is now.", record, set_header | {"ETag": TEXT_HEADER})}
        case "delete":
            return {
                "200": _answer("A dry run: what would be deleted.", record),
                "204": {"description": "Deleted.", "headers": set_header},
            }
    if operation is ROOT:
        return {"200": _answer("What there is.", envelope(ref("root"), ref("meta")))}
    schema = ref("json-schema") if operation is SCHEMA else {"type": "object", "required": ["openapi", "paths"]}
    return {"200": _answer("The document itself, without an envelope.", schema)}


def _links(name: str) -> Json:
    """Say that the id of a record that was made is the one that reading it takes."""
    wanted = {"id": "$response.body#/data/id"}
    return {"links": {"read": {"operationId": f"read_{name.replace('-', '_')}", "parameters": wanted}}}


def _answer(description: str, schema: Json, headers: Json | None = None) -> Json:
    return {"description": description, "content": _json(schema)} | ({"headers": headers} if headers else {})


def _json(schema: Json) -> Json:
    return {JSON: {"schema": schema}}


def _error_name(status: int) -> str:
    return ERROR_STATUSES[status].code


def _error(status: int) -> Json:
    named = ERROR_HEADERS.get(status)
    headers = {named: TEXT_HEADER | {"required": True}} if named else None
    return _answer(ERROR_STATUSES[status].when, ref("error"), headers)
