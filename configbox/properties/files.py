"""Images and files of a record: the column names the content by its hash, the content lies in the media folder.

Content is written before the row that names it and is never overwritten; what no row and no change names any more is
removed by a sweep, never by a write.
"""

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from PIL import Image as PillowImage

from configbox.properties.base import ColumnProperty
from configbox.properties.issues import Refused, shown
from configbox.properties.prop import Prop


@dataclass(frozen=True)
class Upload:
    """A file as a door received it."""

    name: str
    content: bytes


def stored_path(name: str) -> Path:
    """Return where the content of a stored name lies."""
    return Path(settings.MEDIA_ROOT) / name[:2] / name


def keep(content: bytes, extension: str) -> str:
    """Store content and return its name, `<sha256>.<extension>`. The same content is kept once."""
    name = f"{hashlib.sha256(content).hexdigest()}.{extension}"
    path = stored_path(name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(content)
        partial.replace(path)
    return name


class File(ColumnProperty, models.CharField):  # type: ignore[type-arg]
    """A file of the record. Tools name it under unsupportedFields."""

    kind = "file"
    representable = False
    column_class = "django.db.models.CharField"

    def __init__(
        self, *args: Any, prop: Prop, extensions: Sequence[str] = (), max_kb: int = 2000, **kwargs: Any
    ) -> None:
        self.extensions, self.max_kb = tuple(extensions), max_kb
        kwargs.setdefault("max_length", 80)
        kwargs.setdefault("default", "")
        kwargs.setdefault("blank", True)
        super().__init__(*args, prop=prop, **kwargs)

    def expected(self) -> str:
        return f"a file of at most {self.max_kb} kB ending in {', '.join(self.extensions)}"

    def read(self, raw: Any) -> Any:
        if raw is None or raw == "":
            return ""
        if isinstance(raw, str) and stored_path(raw).name == raw and stored_path(raw).is_file():
            return raw
        if not isinstance(raw, Upload):
            raise self.wrong(raw)
        extension = Path(raw.name).suffix.lower().lstrip(".")
        if extension not in self.extensions:
            raise Refused("extension", f"must be {self.expected()}, got {shown(raw.name)}.")
        if len(raw.content) > self.max_kb * 1000:
            raise Refused("size", f"must be {self.expected()}, got {len(raw.content) // 1000} kB.")
        self.check_content(raw)
        return keep(raw.content, extension)

    def check_content(self, upload: Upload) -> None:
        """Raise Refused where the content is not what the name says."""


class Image(File):
    """A picture of the record."""

    kind = "image"

    def __init__(
        self,
        *args: Any,
        prop: Prop,
        extensions: Sequence[str] = ("jpg", "jpeg", "gif", "tif", "bmp", "png"),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, prop=prop, extensions=extensions, **kwargs)

    def check_content(self, upload: Upload) -> None:
        try:
            with PillowImage.open(io.BytesIO(upload.content)) as picture:
                picture.verify()
        except (OSError, SyntaxError, ValueError, PillowImage.DecompressionBombError):
            raise Refused("image", f"must be a picture; {shown(upload.name)} cannot be read as one.") from None
