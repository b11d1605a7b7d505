"""What a method of the protocol is: its name, what answers it, and in which eras it exists."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cbx_mcp.protocol.eras import Era
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.session import Session

Answer = Callable[[Request, Era, Session], dict[str, Any]]


@dataclass(frozen=True)
class Method:
    """One method.

    `capability` is what a server that answers it declares. `cacheable` says whether modern answers tell for how long
    they may be kept. `isolated` ones run a part's own code or read the database: a transport that gives calls a
    process of their own gives them one.
    """

    name: str
    answer: Answer
    legacy: bool = True
    modern: bool = True
    capability: Mapping[str, Any] = field(default_factory=dict)
    cacheable: bool = False
    isolated: bool = False

    def exists_in(self, era: Era) -> bool:
        """Say whether the era knows the method."""
        return self.modern if era.is_modern else self.legacy
