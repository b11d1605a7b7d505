"""What a call wants remembered while its client asks: signed, for an hour, for the same caller and the same request."""

import hashlib
import json
from typing import Any, Final

from django.core import signing

from cbx_mcp.protocol.errors import INVALID_PARAMS, ProtocolError
from cbx_mcp.protocol.messages import Request
from cbx_mcp.protocol.session import Session
from configbox.properties.json_values import read_json, write_json

SECONDS: Final = 3600
SIGNER: Final = signing.TimestampSigner(salt="cbx_mcp.request_state")


class _Json:
    """The form that Django's signer wants of a serializer, over the one reader and writer of JSON."""

    def dumps(self, value: Any) -> bytes:
        return write_json(value).encode("ascii")

    def loads(self, data: bytes) -> Any:
        return read_json(data)


def seal(state: Any, request: Request, session: Session) -> str:
    """Return the state as a text that nobody else can make or use."""
    return SIGNER.sign_object({"state": state, "for": _bond(request, session)}, serializer=_Json, compress=True)


def unseal(text: object, request: Request, session: Session) -> Any:
    """Return the state in a text that a client sent back.

    Raises ProtocolError where it was changed, is too old, or belongs to another caller or request.
    """
    try:
        held = SIGNER.unsign_object(text if isinstance(text, str) else "", serializer=_Json, max_age=SECONDS)
    except signing.SignatureExpired:
        raise ProtocolError(INVALID_PARAMS, "This requestState is older than an hour: call without it.") from None
    except signing.BadSignature:
        raise ProtocolError(INVALID_PARAMS, "This requestState was not made here or was changed.") from None
    if held["for"] != _bond(request, session):
        raise ProtocolError(INVALID_PARAMS, "This requestState belongs to another caller or other arguments.")
    return held["state"]


def _bond(request: Request, session: Session) -> str:
    """Return a digest of who asks for what."""
    asked = {key: request.params.get(key) for key in ("name", "uri", "arguments")}
    whole = json.dumps([session.actor, request.method, asked], sort_keys=True, default=str)
    return hashlib.sha256(whole.encode()).hexdigest()
