"""Reads the Authorization header, on every door alike."""

import re
from typing import Any, Final

from django.views.decorators.debug import sensitive_variables

from configbox.access.tokens import Bearer, TokenRefused, authenticate

# What a 401 tells the client to send; there is no authorization server to be pointed at.
CHALLENGE: Final = 'Bearer realm="configbox"'
# RFC 9110: the scheme in any case, one or more blanks, one credential (RFC 6750: b64token).
_HEADER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/=-]+)", re.IGNORECASE)


@sensitive_variables()
def bearer_of(meta: dict[str, Any]) -> Bearer:
    """Return who sent a request, by its WSGI environment (`request.META`). Raises TokenRefused."""
    header = meta.get("HTTP_AUTHORIZATION")
    if header is None:
        raise TokenRefused(
            "This address needs a token: send the header Authorization: Bearer cbx_..., "
            "made with manage.py token_mint. A token in the address is not read."
        )
    match = _HEADER.fullmatch(header.strip(" \t"))
    if match is None:
        raise TokenRefused("This token is not valid.")
    return authenticate(match[1])


def challenge(meta: dict[str, Any]) -> str:
    """Return the WWW-Authenticate header of a 401: with an error where a credential was sent (RFC 6750, 3.1)."""
    return f'{CHALLENGE}, error="invalid_token"' if "HTTP_AUTHORIZATION" in meta else CHALLENGE
