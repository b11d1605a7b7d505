"""A text column that compares by bytes on every database.

Migrations name this class, so it stays importable under this path.
"""

from typing import Any

from django.db import models


class ByteComparedCharField(models.CharField):  # type: ignore[type-arg]
    """A CharField for codes: on MariaDB too, `SKU` and `sku`, `a` and `á`, `a` and `a ` are different values."""

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        parameters: dict[str, Any] = dict(super().db_parameters(connection))
        if connection.vendor == "mysql":
            parameters["collation"] = "utf8mb4_nopad_bin" if connection.mysql_is_mariadb else "utf8mb4_0900_bin"
        return parameters
