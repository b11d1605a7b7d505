"""Blocks of content that tools, prompts and resources give: text, pictures, sound, resources inside or by link."""

import base64
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Text:
    """A text for the model."""

    text: str

    def shown(self) -> dict[str, Any]:
        return {"type": "text", "text": self.text}


@dataclass(frozen=True)
class Image:
    """A picture, as the bytes of its file."""

    data: bytes
    mime_type: str

    def shown(self) -> dict[str, Any]:
        return {"type": "image", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class Audio:
    """A sound, as the bytes of its file. Clients before 2025-03-26 know none."""

    data: bytes
    mime_type: str

    def shown(self) -> dict[str, Any]:
        return {"type": "audio", "data": _base64(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True)
class EmbeddedResource:
    """The content of a resource inside an answer: text, or bytes."""

    uri: str
    content: str | bytes
    mime_type: str

    def shown(self) -> dict[str, Any]:
        return {"type": "resource", "resource": resource_contents(self.uri, self.content, self.mime_type)}


@dataclass(frozen=True)
class ResourceLink:
    """A pointer to a resource that the client may read. Clients before 2025-06-18 know none."""

    uri: str
    name: str
    description: str
    mime_type: str

    def shown(self) -> dict[str, Any]:
        return {
            "type": "resource_link",
            "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        }


Block = Text | Image | Audio | EmbeddedResource | ResourceLink


def resource_contents(uri: str, content: str | bytes, mime_type: str) -> dict[str, Any]:
    """Return the content of a resource as `resources/read` and embedded resources show it."""
    held = {"text": content} if isinstance(content, str) else {"blob": _base64(content)}
    return {"uri": uri, "mimeType": mime_type, **held}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
