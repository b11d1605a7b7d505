"""What can be done at each address: method, parameters, answers. Views, Allow headers and OpenAPI read it here."""

from dataclasses import dataclass
from typing import Final

from configbox.properties.entity import EntityOptions

# What can go wrong with every request that carries a token.
ALWAYS: Final = (400, 401, 403, 404, 500, 503)
BODY: Final = (411, 413, 415, 422)
WRITING: Final = ("language", "dry_run", "change_set")


@dataclass(frozen=True)
class ApiOperation:
    """One method at one address. `name` is the entity's operation, "" where it belongs to none."""

    name: str
    method: str
    path: str
    parameters: tuple[str, ...]
    has_body: bool = False
    # Whether it takes If-Match.
    conditional: bool = False
    errors: tuple[int, ...] = ALWAYS


ROOT: Final = ApiOperation("", "GET", "/", ("language",))
OPENAPI: Final = ApiOperation("", "GET", "/openapi.json", ("language",))
SCHEMA: Final = ApiOperation("", "GET", "/{entity}/schema", ("language", "for"))

COLLECTION: Final = (
    ApiOperation("list", "GET", "/{entity}", ("filter", "search", "sort", "limit", "offset", "language", "fields")),
    ApiOperation("create", "POST", "/{entity}", WRITING, has_body=True, errors=(*ALWAYS, *BODY)),
)
RECORD: Final = (
    ApiOperation("read", "GET", "/{entity}/{id}", ("language", "fields")),
    ApiOperation(
        "update", "PATCH", "/{entity}/{id}", WRITING, has_body=True, conditional=True, errors=(*ALWAYS, *BODY, 412)
    ),
    ApiOperation("delete", "DELETE", "/{entity}/{id}", WRITING, conditional=True, errors=(*ALWAYS, 409, 412)),
)


def methods_of(operations: tuple[ApiOperation, ...], options: EntityOptions | None = None) -> list[str]:
    """Return the methods of an address, HEAD beside GET; with `options` those alone that the entity takes."""
    offered = [
        each.method for each in operations if options is None or not each.name or each.name in options.operations
    ]
    return [method for each in offered for method in ([each, "HEAD"] if each == "GET" else [each])]
