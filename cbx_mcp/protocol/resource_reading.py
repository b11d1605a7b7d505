"""Answers `resources/list`, `resources/templates/list` and `resources/read`."""

from typing import Any

from cbx_mcp.asking import InputRequired
from cbx_mcp.content import resource_contents
from cbx_mcp.protocol.eras import Era
from cbx_mcp.protocol.errors import INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.paging import refuse_cursor
from cbx_mcp.protocol.running import NotAskable, PartFailed, asked_result, call_of, guarded
from cbx_mcp.protocol.session import Session
from cbx_mcp.resources import Resource, ResourceTemplate


def list_resources(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return the resources that the session's grant opens."""
    refuse_cursor(request)
    return {"resources": [each.shown() for each in session.resources if each.is_permitted(session.grant)]}


def list_templates(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return the resource templates that the session's grant opens."""
    refuse_cursor(request)
    permitted = (each for each in session.resource_templates if each.is_permitted(session.grant))
    return {"resourceTemplates": [each.shown() for each in permitted]}


def read_resource(request: Request, era: Era, session: Session) -> dict[str, Any]:
    """Return a resource's content. Raises ProtocolError where no resource that the grant opens has the address."""
    uri = request.params.get("uri")
    if not isinstance(uri, str):
        raise ProtocolError(INVALID_PARAMS, "A resources/read must name its resource: params.uri is missing.")
    found, variables = _find(uri, session)
    if found is None:
        code = INVALID_PARAMS if era.is_modern else RESOURCE_NOT_FOUND
        raise ProtocolError(code, "There is no such resource; resources/list names them.", data={"uri": uri})
    call = call_of(request, era, session, {"uri": uri, **variables})
    try:
        content = guarded(found.name, lambda: found.read(call))
        if isinstance(content, InputRequired):
            return asked_result(found.name, content, request, era, session)
    except NotAskable as error:
        raise ProtocolError(INVALID_PARAMS, str(error)) from None
    except PartFailed as error:
        raise ProtocolError(INTERNAL_ERROR, str(error)) from None
    return {"contents": [resource_contents(uri, content, found.mime_type)]}


def _find(uri: str, session: Session) -> tuple[Resource | ResourceTemplate | None, dict[str, str]]:
    """Return what has an address, and what its variables hold there; a fixed address goes before a template."""
    for resource in session.resources:
        if resource.uri == uri and resource.is_permitted(session.grant):
            return resource, {}
    for template in session.resource_templates:
        if template.is_permitted(session.grant) and (variables := template.variables(uri)) is not None:
            return template, variables
    return None, {}
