"""Addresses of the API may begin with a language: /de/cb-api/v1/product speaks German unless a request says more."""

from typing import Final

from configbox.languages.active import active_tags

# Every address of the API begins with this; a pattern of urls.py.
API_ROOT: Final = r"^(?:(?P<prefix>[^/]+)/)?cb-api/v1/"


def language_of(prefix: str) -> str | None:
    """Return the active tag that a prefix names: `de-DE` itself, or `de` for the first German one; in any case.

    None where it names no active language. One query.
    """
    wanted = prefix.lower()
    tags = active_tags()
    return next((tag for tag in tags if tag.lower() == wanted), None) or next(
        (tag for tag in tags if tag.lower().split("-")[0] == wanted), None
    )
