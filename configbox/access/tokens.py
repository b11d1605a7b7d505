"""Making, checking, narrowing and revoking tokens. Nothing here is kept in memory: each request asks the database."""

import hashlib
import hmac
import logging
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from configbox.access.audit import write_decision
from configbox.access.grants import Grant, ScopeRefused, grant_includes
from configbox.access.models import Token
from configbox.access.scopes import GRANTABLE, STOREFRONT_SCOPES

logger = logging.getLogger("configbox.access")

LIFETIME: Final = timedelta(days=90)
MAX_NAME: Final = 60
# How often the moment of the last use is written at most.
USE_INTERVAL: Final = timedelta(minutes=1)
MAX_ID: Final = 2**31 - 1
State = Literal["active", "expired", "revoked"]
_TOKEN: Final = re.compile(r"cbx_([1-9][0-9]{0,9})_([A-Za-z0-9_-]{20,100})")


class TokenRefused(Exception):
    """A credential that opens nothing; the message says why, and names nothing that its bearer may not know."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class TokenInvalid(ValueError):
    """A token that cannot be made or changed as asked; the message says what is wrong and what is valid."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Bearer:
    """Who came in with a token: how logs and changes call them, what they hold, and for which customer they act."""

    label: str
    grant: Grant
    customer: int | None = None


@sensitive_variables("secret")
def mint(
    name: str, grant: Grant, *, created_by: str, expires: datetime | None, customer: int | None = None
) -> tuple[Token, str]:
    """Make a token and return it with its text, which is known at this moment only.

    `expires` is a moment with a zone, None for never. Raises TokenInvalid for a name or a binding that cannot be.
    """
    if not 0 < len(name) <= MAX_NAME or not name.isprintable() or name != name.strip():
        raise TokenInvalid(
            f"A token's name must have 1 to {MAX_NAME} printable characters and no blank at its ends, got {name!a}."
        )
    if grant.storefront and customer is None:
        raise TokenInvalid("A token with storefront scopes acts for one customer: say which, by id.")
    if customer is not None and not grant.storefront:
        raise TokenInvalid(
            f"A token acts for a customer only with storefront scopes ({', '.join(STOREFRONT_SCOPES)}); "
            f"asked for were {grant.describe()}."
        )
    if customer is not None and not 0 < customer <= MAX_ID:
        raise TokenInvalid(f"A customer's id must be a whole number from 1 to {MAX_ID}, got {customer}.")
    if expires is not None and expires <= timezone.now():
        raise TokenInvalid(f"A token must expire in the future, got {expires.isoformat()}.")
    secret = secrets.token_urlsafe(32)
    token = Token.objects.create(
        name=name,
        digest=_digest(secret),
        scopes=_listed(grant),
        customer=customer,
        created_by=created_by,
        expires=expires,
    )
    write_decision("token", f"mint {token.label}", created_by, grant, "ok")
    return token, f"cbx_{token.pk}_{secret}"


@sensitive_variables()
def authenticate(text: str) -> Bearer:
    """Return who bears the token `text`, and note its use. Raises TokenRefused."""
    token = find(text)
    _note_use(token, timezone.now())
    return Bearer(token.label, grant_of(token), token.customer)


@sensitive_variables()
def find(text: str) -> Token:
    """Return the valid token of this text without noting a use.

    Raises TokenRefused; malformed, unknown and wrong ones are told alike.
    """
    match = _TOKEN.fullmatch(text)
    number, secret = (int(match[1]), match[2]) if match else (0, text)
    token = Token.objects.filter(pk=number).first() if 0 < number <= MAX_ID else None
    # The comparison takes place for an unknown id too, so that its duration tells nothing.
    is_right = hmac.compare_digest(_digest(secret), token.digest if token else "0" * 64)
    if token is None or not is_right:
        raise TokenRefused("This token is not valid.")
    state = state_of(token, timezone.now())
    if state == "revoked":
        raise TokenRefused("This token was revoked.")
    if state == "expired" and token.expires is not None:
        raise TokenRefused(f"This token expired at {token.expires.isoformat()}.")
    return token


def state_of(token: Token, now: datetime) -> State:
    """Say whether a token opens anything at this moment; a revoked one stays revoked when it expires."""
    if token.revoked is not None:
        return "revoked"
    return "expired" if token.expires is not None and token.expires <= now else "active"


def grant_of(token: Token) -> Grant:
    """Return what a token holds. A stored scope that no longer exists opens nothing."""
    held = frozenset(token.scopes.split())
    valid = STOREFRONT_SCOPES if token.customer is not None else GRANTABLE
    if foreign := held.difference(valid):
        logger.warning("%s holds scopes that do not exist here: %s", token.label, ascii(", ".join(sorted(foreign))))
    return Grant(held.intersection(valid), storefront=token.customer is not None)


@transaction.atomic
def narrow(token: Token, grant: Grant, *, by: str) -> None:
    """Take scopes away from a token. Raises ScopeRefused for any that it does not hold: a token never grows."""
    # Read again under a lock: two who narrow at once must not give back what the other took.
    stored = Token.objects.select_for_update().get(pk=token.pk)
    held = grant_of(stored)
    more = sorted(scope for scope in grant.scopes if not grant_includes(held, scope))
    if more or grant.storefront != held.storefront:
        raise ScopeRefused(
            more, f"{stored.label} holds {held.describe()} and cannot be given {', '.join(more) or grant.describe()}."
        )
    stored.scopes = token.scopes = _listed(grant)
    stored.save(update_fields=["scopes"])
    write_decision("token", f"narrow {stored.label}", by, grant, "ok")


def revoke(token: Token, *, by: str) -> bool:
    """Revoke a token for good; return False where it was revoked before."""
    changed = Token.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())
    if changed:
        write_decision("token", f"revoke {token.label}", by, grant_of(token), "ok")
    return bool(changed)


def _note_use(token: Token, now: datetime) -> None:
    if token.last_used is not None and now - token.last_used < USE_INTERVAL:
        return
    stale = Q(last_used=None) | Q(last_used__lte=now - USE_INTERVAL)
    try:
        Token.objects.filter(stale, pk=token.pk).update(last_used=now)
    except OperationalError as error:
        # Somebody else holds the database for long; whoever only reads must not fail for the sake of a note.
        logger.warning("The use of %s could not be noted: %s", token.label, type(error).__name__)


def _listed(grant: Grant) -> str:
    return " ".join(sorted(grant.scopes))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
