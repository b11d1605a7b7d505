"""What every test of the pipeline stands on: a view that may do everything, the small shop, a folder for files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from configbox.access.grants import Grant
from configbox.entities.view import View, view
from tests.entities.shop import Shop, make_shop


@pytest.fixture(autouse=True)
def files_of_the_test(settings: Any, tmp_path: Path) -> None:
    """Keep uploads out of the store under var/."""
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def author(db: None) -> Iterator[View]:
    """Open a view that may do everything."""
    with view(actor="stdio", grant=Grant.everything(), door="stdio") as opened:
        yield opened


@pytest.fixture
def shop(author: View) -> Shop:
    """Write the small shop and return its ids."""
    return make_shop()
