"""Suggestions for the arguments of prompts and the variables of resource templates while somebody types them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from configbox.access.grants import Grant


@dataclass(frozen=True)
class Typing:
    """What was typed so far in one argument, who types, and the other arguments that are known already."""

    value: str
    grant: Grant
    others: Mapping[str, str] = field(default_factory=dict)


# Returns what the argument may be, best first. It must return nothing that the grant may not read.
Complete = Callable[[Typing], Sequence[str]]
