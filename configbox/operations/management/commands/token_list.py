"""`manage.py token_list`: every token with what it opens and until when; never a secret or its hash."""

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from configbox.access.models import Token
from configbox.access.tokens import grant_of, state_of
from configbox.properties.json_values import write_json


class Command(BaseCommand):
    help = "Lists the tokens: id, name, scopes, customer, when made and by whom, expiry, last use, state."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="One JSON object per line in place of the table.")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        listed = [_described(token, now) for token in Token.objects.all()]
        if options["json"]:
            for each in listed:
                self.stdout.write(write_json(each))
        elif listed:
            self._write_table([[_shown(value) for value in each.values()] for each in listed], list(listed[0]))
        else:
            self.stderr.write("There are no tokens; manage.py token_mint makes one.")

    def _write_table(self, rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
        lines = [[head.replace("_", " ") for head in heads], *rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())


def _described(token: Token, now: datetime) -> dict[str, Any]:
    """Return what may be said of a token, in the order of the table's columns."""
    return {
        "id": token.pk,
        "name": token.name,
        "scopes": grant_of(token).describe().split(", "),
        "customer": token.customer,
        "created": _local(token.created),
        "created_by": token.created_by,
        "expires": _local(token.expires),
        "last_used": _local(token.last_used),
        "state": state_of(token, now),
    }


def _local(moment: datetime | None) -> datetime | None:
    """Return a moment in the store's time zone: the one in which days of expiry are read."""
    return moment and timezone.localtime(moment, timezone.get_default_timezone()).replace(microsecond=0)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ",".join(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)
