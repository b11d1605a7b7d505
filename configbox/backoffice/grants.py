"""What an operator's login may do."""

from typing import Any

from configbox.access.grants import Grant


def grant_of(user: Any) -> Grant:
    """Return the grant of a login: a superuser holds everything, any other staff the floor alone."""
    return Grant.everything() if user.is_active and user.is_superuser else Grant.nothing()
