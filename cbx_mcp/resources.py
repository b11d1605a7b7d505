"""What a resource is: something to read under an address of its own, and templates for whole families of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import unquote

from django.core.exceptions import ImproperlyConfigured

from cbx_mcp.asking import InputRequired
from cbx_mcp.call import Call
from cbx_mcp.completion import Complete
from configbox.access.grants import Grant, grant_includes
from configbox.customization.hooks import MCP_RESOURCE_TEMPLATES, MCP_RESOURCES

# RFC 3986: a scheme, a colon, and no blanks or control characters.
URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+")
VARIABLE: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

# Returns the content: text, or bytes.
Read = Callable[[Call], str | bytes | InputRequired]


@dataclass(frozen=True)
class Resource:
    """One resource under a fixed address."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    scope: str
    read: Read

    def is_permitted(self, grant: Grant) -> bool:
        """Say whether the grant holds the scope the resource needs."""
        return grant_includes(grant, self.scope)

    def shown(self) -> dict[str, Any]:
        """Return how `resources/list` shows it."""
        return {"uri": self.uri} | _described(self)


@dataclass(frozen=True)
class ResourceTemplate:
    """A family of resources: an address with variables in braces, `shop://product/{id}`, that `read` gets as texts."""

    uri_template: str
    name: str
    title: str
    description: str
    mime_type: str
    scope: str
    read: Read
    complete: Mapping[str, Complete] = field(default_factory=dict)

    def is_permitted(self, grant: Grant) -> bool:
        """Say whether the grant holds the scope the resources need."""
        return grant_includes(grant, self.scope)

    def shown(self) -> dict[str, Any]:
        """Return how `resources/templates/list` shows it."""
        return {"uriTemplate": self.uri_template} | _described(self)

    def variables(self, uri: str) -> dict[str, str] | None:
        """Return the variables' values in an address, None where it is none of this family."""
        parts = VARIABLE.split(self.uri_template)
        pattern = "".join(re.escape(part) if place % 2 == 0 else "([^/?#]+)" for place, part in enumerate(parts))
        match = re.fullmatch(pattern, uri)
        return dict(zip(parts[1::2], map(unquote, match.groups()), strict=True)) if match else None


def _described(of: Resource | ResourceTemplate) -> dict[str, Any]:
    return {"name": of.name, "title": of.title, "description": of.description, "mimeType": of.mime_type}


@cache
def resources() -> tuple[Resource, ...]:
    """Return every resource of this installation, by address. Raises ImproperlyConfigured for two of one address."""
    found: dict[str, Resource] = {}
    for home, resource in MCP_RESOURCES.parts():
        if not URI.fullmatch(resource.uri) or resource.uri in found:
            raise ImproperlyConfigured(
                f"{home} has a resource at {resource.uri!r}: an address must be a URI, such as shop://guide, and each "
                "resource needs one of its own."
            )
        found[resource.uri] = resource
    return tuple(found[uri] for uri in sorted(found))


@cache
def resource_templates() -> tuple[ResourceTemplate, ...]:
    """Return every template of this installation, by address."""
    found = [template for _, template in MCP_RESOURCE_TEMPLATES.parts()]
    return tuple(sorted(found, key=lambda template: template.uri_template))
