"""`manage.py token_revoke`: ends a token for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from configbox.access.management.chosen_token import chosen_token
from configbox.access.tokens import revoke


class Command(BaseCommand):
    help = "Ends a token for good: every request with it is refused from now on, in every process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", metavar="ID", help="The token's id, as token_list shows it.")

    def handle(self, *args: Any, **options: Any) -> None:
        token = chosen_token(options["id"])
        if revoke(token, by="command"):
            self.stdout.write(f"Revoked {token.label}: it opens nothing from now on.")
        else:
            self.stdout.write(f"{token.label} was revoked before; nothing changed.")
