"""JSON-RPC answers and the error codes of MCP."""

from typing import Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
# Only before 2026-07-28, which forbids it.
RESOURCE_NOT_FOUND: Final = -32002
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022

RequestId = str | int


class ProtocolError(Exception):
    """An error of the protocol itself; the model on the other side does not see it, its client does."""

    def __init__(
        self, code: int, message: str, request_id: RequestId | None = None, data: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request_id = request_id
        self.data = data

    def answer(self, request_id: RequestId | None = None) -> dict[str, Any]:
        """Return the JSON-RPC answer. An id that could not be read is left out: clients refuse a null one."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        known = self.request_id if request_id is None else request_id
        return {"jsonrpc": "2.0", **({} if known is None else {"id": known}), "error": error}


def success(request_id: RequestId, result: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON-RPC answer that carries `result`."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result}
