"""The small shop, seen by an operator who is logged in."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.entities.conftest import author, files_of_the_test, shop

__all__ = ["author", "files_of_the_test", "shop"]


@pytest.fixture
def operator(db: None) -> Client:
    """Return a browser in which a superuser is logged in."""
    return _logged_in(is_superuser=True)


@pytest.fixture
def helper(db: None) -> Client:
    """Return a browser in which staff without any grant is logged in."""
    return _logged_in(is_superuser=False)


def _logged_in(**flags: Any) -> Client:
    user = User.objects.create(username="somebody", is_staff=True, **flags)
    client = Client()
    client.force_login(user)
    return client
