"""The six tools over entities: describe, list, get, create, update, delete."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from cbx_mcp.call import Call, Schema
from cbx_mcp.tools.sizes import fit_list, fit_record
from cbx_mcp.tools.tool import Annotations, Result, Tool, ToolError
from configbox.access.grants import Grant
from configbox.access.scopes import ANY_READ, ANY_WRITE
from configbox.entities import listing, reading, writing
from configbox.entities.errors import Conflict, EntityError
from configbox.entities.registry import allowed
from configbox.entities.view import view
from configbox.properties.issues import Issue
from configbox.properties.json_values import write_json

READS = Annotations(read_only=True, destructive=False, idempotent=True)
CREATES = Annotations(read_only=False, destructive=False, idempotent=False)
UPDATES = Annotations(read_only=False, destructive=True, idempotent=True)
DELETES = Annotations(read_only=False, destructive=True, idempotent=False)

ARGUMENTS: dict[str, Schema] = {
    "id": {"type": "integer", "minimum": 1, "description": "The record's id."},
    "fields": {
        "type": "object",
        "properties": {},
        "description": (
            "Field names and values, as cbx_describe_entity reports them. "
            "Texts are one field per language: title_en_GB."
        ),
    },
    "filters": {
        "type": "object",
        "properties": {},
        "description": "Names and values to be equal; a list means one of. cbx_describe_entity names the filters.",
    },
    "search": {"type": "string", "description": "Text that must occur in a searchable field."},
    "sort": {"type": "string", "description": "A name to sort by, - before it turns it round, commas between several."},
    "limit": {"type": "integer", "minimum": 1, "description": "Rows per page, 50 unless said, 200 at the most."},
    "offset": {
        "type": "integer",
        "minimum": 0,
        "description": "How many rows to skip: next_offset of the page before.",
    },
    "language": {
        "type": "string",
        "description": "An active language tag such as en-GB: sorting, search, texts shown in lists.",
    },
    "only": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Keys wanted beside id and rev; all unless said. Asks for values left out as too large.",
    },
    "rev": {
        "type": "integer",
        "minimum": 1,
        "description": "The rev that was read: refuses the write if the record changed since.",
    },
    "change_set": {
        "type": "string",
        "minLength": 1,
        "description": (
            "The handle an earlier write of yours returned, at most a day ago: adds to its change set, "
            "which is undone as one."
        ),
    },
    "dry_run": {"type": "boolean", "description": "true: check everything, answer as if done, keep nothing."},
}


def _schema(operation: str, required: Sequence[str], optional: Sequence[str]) -> Callable[[Grant], Schema | None]:
    """Return the input schema by grant: its entity enum never invites a call that would be refused."""

    def schema(grant: Grant) -> Schema | None:
        names = allowed(grant, operation)
        if not names:
            return None
        entity = {"type": "string", "enum": names, "description": "The kind of record."}
        return {
            "type": "object",
            "properties": {"entity": entity} | {name: ARGUMENTS[name] for name in (*required, *optional)},
            "required": ["entity", *required],
            "additionalProperties": False,
        }

    return schema


@contextmanager
def _viewed(call: Call) -> Iterator[Mapping[str, Any]]:
    """Open the view of a call and say the pipeline's errors in words a model can act on."""
    arguments = call.arguments
    try:
        with view(
            actor=call.actor,
            grant=call.grant,
            door=call.door,
            language=arguments.get("language", call.language),
            dry_run=arguments.get("dry_run", False),
            session=call.change_set or "",
        ):
            yield arguments
    except Conflict as error:
        present = f" Present values: {write_json(error.present)}" if error.present else ""
        raise ToolError(error.message + present) from error
    except EntityError as error:
        raise ToolError(error.message) from error


def _describe(call: Call) -> Result:
    with _viewed(call) as arguments:
        return Result(reading.describe(arguments["entity"]))


def _list(call: Call) -> Result:
    with _viewed(call) as arguments:
        page = listing.list_records(
            arguments["entity"],
            filters=arguments.get("filters"),
            search=arguments.get("search"),
            sort=arguments.get("sort"),
            limit=arguments.get("limit"),
            offset=arguments.get("offset"),
        )
        return Result(fit_list(page))


def _get(call: Call) -> Result:
    with _viewed(call) as arguments:
        record = reading.get(arguments["entity"], arguments["id"], only=arguments.get("only"))
        return Result(fit_record({"entity": arguments["entity"], "record": record}))


def _create(call: Call) -> Result:
    with _viewed(call) as arguments:
        written = writing.create(arguments["entity"], arguments["fields"], change_set=arguments.get("change_set"))
        return _written(arguments, written, {"entity": arguments["entity"], "id": written.id, "record": written.record})


def _update(call: Call) -> Result:
    with _viewed(call) as arguments:
        written = writing.update(
            arguments["entity"],
            arguments["id"],
            arguments["fields"],
            rev=arguments.get("rev"),
            change_set=arguments.get("change_set"),
        )
        return _written(arguments, written, {"entity": arguments["entity"], "record": written.record})


def _delete(call: Call) -> Result:
    with _viewed(call) as arguments:
        written = writing.delete(
            arguments["entity"], arguments["id"], rev=arguments.get("rev"), change_set=arguments.get("change_set")
        )
        answer = {"entity": arguments["entity"], "id": written.id, "deleted": True}
        return Result(answer | _set_of(arguments, written))


def _written(arguments: Mapping[str, Any], written: writing.Written, answer: dict[str, Any]) -> Result:
    answer["warnings"] = [_warning(issue) for issue in written.warnings]
    return Result(fit_record(answer | _set_of(arguments, written)))


def _set_of(arguments: Mapping[str, Any], written: writing.Written) -> dict[str, Any]:
    """Return the change set's handle; a dry run keeps none, and a write that changed nothing made none."""
    if arguments.get("dry_run"):
        return {"dry_run": True}
    return {"change_set": written.change_set} if written.change_set else {}


def _warning(issue: Issue) -> dict[str, str]:
    return {"field": issue.field, "code": issue.code, "message": issue.message}


TOOLS = (
    Tool(
        name="cbx_describe_entity",
        title="Describe an entity",
        description=(
            "Names an entity's fields with their types, limits and meaning, which are required or read-only, what its "
            "lists show and filter by, the active languages, the scopes it needs, and what cannot be represented "
            "here. Call it before anything else: field names cannot be guessed."
        ),
        input_schema=_schema("read", [], ["language"]),
        scope=ANY_READ,
        annotations=READS,
        run=_describe,
    ),
    Tool(
        name="cbx_list_entities",
        title="List records",
        description=(
            "Lists records with their listing columns. `total` counts all records of the entity, `matched` those that "
            "filters and search leave; `next_offset` is there while more follow."
        ),
        input_schema=_schema("list", [], ["filters", "search", "sort", "limit", "offset", "language"]),
        scope=ANY_READ,
        annotations=READS,
        run=_list,
    ),
    Tool(
        name="cbx_get_entity",
        title="Get a record",
        description=(
            "Returns one full record. Values too large for one answer are left out whole and named under `omitted`; "
            "ask for them with `only`."
        ),
        input_schema=_schema("read", ["id"], ["only", "language"]),
        scope=ANY_READ,
        annotations=READS,
        run=_get,
    ),
    Tool(
        name="cbx_create_entity",
        title="Create a record",
        description=(
            "Creates a record and returns it with its id. Every fault is named at once and nothing is stored by half. "
            "Required texts are wanted in every active language."
        ),
        input_schema=_schema("create", ["fields"], ["change_set", "dry_run", "language"]),
        scope=ANY_WRITE,
        annotations=CREATES,
        run=_create,
    ),
    Tool(
        name="cbx_update_entity",
        title="Update a record",
        description=(
            "Changes the fields that are sent; all others keep their values. Returns the record as it is now, and "
            "`warnings` for faults that were there before."
        ),
        input_schema=_schema("update", ["id", "fields"], ["rev", "change_set", "dry_run", "language"]),
        scope=ANY_WRITE,
        annotations=UPDATES,
        run=_update,
    ),
    Tool(
        name="cbx_delete_entity",
        title="Delete a record",
        description=(
            "Deletes one record. Refused while others refer to it, naming them. dry_run says whether it would be."
        ),
        input_schema=_schema("delete", ["id"], ["rev", "change_set", "dry_run", "language"]),
        scope=ANY_WRITE,
        annotations=DELETES,
        run=_delete,
    ),
)
