"""One write, whole or not at all: its transaction, the race it may lose, and what is said when the database fails."""

import logging
import secrets
from collections.abc import Callable
from typing import TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from configbox.entities.errors import EntityError, StorageFailed

logger = logging.getLogger("configbox.entities")

Answer = TypeVar("Answer")
ATTEMPTS = 4
# MariaDB: deadlock found, lock wait timeout. The transaction was rolled back by the server.
RETRIED = (1213, 1205)


def whole(
    subject: object, work: Callable[[], Answer], *, lost: Callable[[], EntityError | None] = lambda: None
) -> Answer:
    """Run one write in a transaction and return its answer.

    A deadlock is tried again where nothing surrounds the write. When a competing row was there first, `lost` is
    asked for the error that names it; where it finds none, the write is decided again. Anything else the
    database says becomes StorageFailed.
    """
    attempt = 0
    while True:
        attempt += 1
        try:
            with transaction.atomic():
                return work()
        except IntegrityError as error:
            with transaction.atomic():
                found = lost()
            if found is not None:
                raise found from error
            if attempt >= ATTEMPTS or connection.in_atomic_block:
                raise failed(subject, error) from error
        except OperationalError as error:
            if error.args and error.args[0] in RETRIED and attempt < ATTEMPTS and not connection.in_atomic_block:
                continue
            raise failed(subject, error) from error
        except DatabaseError as error:
            raise failed(subject, error) from error


def failed(subject: object, error: Exception) -> StorageFailed:
    """Log a database fault under a new identifier and return the error that gives it."""
    identifier = secrets.token_hex(5)
    logger.error("Storing %s failed, identifier %s", subject, identifier, exc_info=error)
    return StorageFailed(subject, identifier)
