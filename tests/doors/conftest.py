"""The small shop of the pipeline's tests, for what must be the same on every door."""

from tests.entities.conftest import author, files_of_the_test, shop

__all__ = ["author", "files_of_the_test", "shop"]
