"""A record's ETag is its revision in quotes; If-Match names the one that was read."""

import re
from typing import Final

from configbox.entities.errors import Invalid
from configbox.properties.issues import Issue, shown

ETAG: Final = '"[0-9]{1,20}"'
ANY: Final = "*"


def etag_of(rev: object) -> str:
    return f'"{rev}"'


def wanted_rev(header: str | None) -> int | None:
    """Return the revision that If-Match names; None without it, and for `*`, which any record meets."""
    if header is None or header.strip(" \t") == ANY:
        return None
    if not re.fullmatch(ETAG, header.strip(" \t"), re.ASCII):
        message = f'If-Match must be one ETag as it was read, such as "3" in its quotes, or *; got {shown(header)}.'
        raise Invalid("request", [Issue("If-Match", "type", message)])
    return int(header.strip(' \t"'))
