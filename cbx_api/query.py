"""The query of a request: its parameters, each known to the address that takes them, or a sentence about it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

from django.http import HttpRequest

from configbox.entities.errors import Invalid
from configbox.properties.issues import Issue, no_such, shown

# filter[name]=value, and filter[name][]=value as programs write that send lists.
_FILTER: Final = re.compile(r"filter\[(.+?)\](?:\[\])?", re.DOTALL)
FILTER_SHOWN: Final = "filter[name]"
MAX_PARAMETERS: Final = 2000
# What holds several names, with commas between them.
LISTS: Final = ("sort", "fields")


@dataclass(frozen=True)
class Query:
    """What was asked for. `values` are the texts as they were sent, by parameter; each stands once."""

    values: dict[str, str] = field(default_factory=dict)
    filters: dict[str, list[str]] = field(default_factory=dict)

    @property
    def dry_run(self) -> bool:
        return self.values.get("dry_run") == "true"

    @property
    def fields(self) -> list[str] | None:
        """Return the keys that are wanted, None for all."""
        return self.values["fields"].split(",") if "fields" in self.values else None

    def get(self, name: str) -> str | None:
        return self.values.get(name)


def read_query(request: HttpRequest, parameters: Sequence[str], choices: Mapping[str, Sequence[str]]) -> Query:
    """Return the query of an address that takes `parameters`; `choices` are the values of those that have few.

    Raises Invalid naming every parameter that is unknown, stands twice or has a value that it cannot have.
    """
    query = Query()
    issues: list[Issue] = []
    names = [FILTER_SHOWN if each == "filter" else each for each in parameters]
    for name, value in _pairs(request):
        wanted = _FILTER.fullmatch(name) if "filter" in parameters else None
        if wanted:
            query.filters.setdefault(wanted[1], []).append(value)
        elif name not in parameters or name == "filter":
            issues.append(Issue(name, "unknown", no_such("parameter", name, names)))
        elif name in query.values:
            issues.append(Issue(name, "duplicate", f"{name} stands twice; it may be sent once."))
        elif name in LISTS and value == "":
            issues.append(Issue(name, "length", f"{name} is empty; name at least one, or leave it out."))
        elif name in choices and value not in choices[name]:
            valid = ", ".join(choices[name])
            issues.append(Issue(name, "choice", f"{name} must be one of {valid}; got {shown(value)}."))
        else:
            query.values[name] = value
    if issues:
        raise Invalid("request", issues)
    return query


def _pairs(request: HttpRequest) -> list[tuple[str, str]]:
    # WSGI hands over the bytes of the address as Latin-1.
    raw: str = request.META.get("QUERY_STRING", "")
    try:
        text = raw.encode("latin-1", "replace").decode("utf-8")
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        message = "The query of this address is not UTF-8: write other characters as %XX, two digits for each byte."
    except ValueError:
        message = f"The query of this address has too many parameters: at most {MAX_PARAMETERS} are read."
    raise Invalid("request", [Issue("query", "text", message)])


def filter_values(filters: dict[str, list[str]], nullable: Sequence[str]) -> dict[str, Any]:
    """Return filters as the pipeline takes them: of several values one, and an empty one is null where null can be."""
    found: dict[str, Any] = {}
    for name, values in filters.items():
        sent = [None if value == "" and name in nullable else value for value in values]
        found[name] = sent[0] if len(sent) == 1 else sent
    return found


def check_keys(wanted: Sequence[str] | None, known: Sequence[str], what: str) -> None:
    """Raise Invalid unless `fields` names keys that there are."""
    unknown = [key for key in wanted or () if key not in known]
    if unknown:
        message = f"fields names {', '.join(map(shown, unknown))}; the {what} are {', '.join(known)}."
        raise Invalid("request", [Issue("fields", "unknown", message)])
