"""Tokens for tests of the doors: a good one, a customer's, and some that open nothing any more."""

from datetime import timedelta

from django.utils import timezone

from configbox.access import tokens
from configbox.access.grants import Grant, parse_scopes


def minted() -> tuple[str, str, list[str]]:
    """Return a token that may do everything, one of a customer, and two that open nothing any more."""
    later = timezone.now() + timedelta(hours=1)
    _, good = tokens.mint("good", Grant.everything(), created_by="test", expires=later)
    shopper_grant = parse_scopes(["storefront:write"])
    _, shopper = tokens.mint("shopper", shopper_grant, created_by="test", expires=later, customer=1)
    revoked, text = tokens.mint("revoked", Grant.everything(), created_by="test", expires=later)
    tokens.revoke(revoked, by="test")
    expired, late = tokens.mint("expired", Grant.everything(), created_by="test", expires=later)
    expired.expires = timezone.now() - timedelta(seconds=1)
    expired.save()
    return good, shopper, [text, late]
