"""Every list of the protocol is one page: no cursor was ever given out, so none is taken."""

from cbx_mcp.protocol.errors import INVALID_PARAMS, ProtocolError
from cbx_mcp.protocol.messages import Request


def refuse_cursor(request: Request) -> None:
    """Raise ProtocolError for any cursor, the empty one too."""
    if request.params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "This cursor is not valid: the list has one page; ask without a cursor.")
