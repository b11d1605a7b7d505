"""The small shop of the pipeline's tests, and a caller of the REST API who may do everything."""

import pytest

from configbox.access.grants import Grant
from tests.api.rest_door import RestDoor
from tests.entities.conftest import author, files_of_the_test, shop

__all__ = ["author", "files_of_the_test", "shop"]


@pytest.fixture
def door(db: None) -> RestDoor:
    return RestDoor(Grant.everything())
