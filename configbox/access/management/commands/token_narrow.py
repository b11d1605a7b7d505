"""`manage.py token_narrow`: takes scopes away from a token."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from configbox.access.grants import ScopeRefused
from configbox.access.management.chosen_token import chosen_token
from configbox.access.management.scope_options import USAGE_ERROR, add_scope_options, grant_asked_for
from configbox.access.tokens import grant_of, narrow


class Command(BaseCommand):
    help = "Leaves a token the scopes that are named and takes the others away. A token is never given more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", metavar="ID", help="The token's id, as token_list shows it.")
        add_scope_options(parser, default="none, so name what it keeps")

    def handle(self, *args: Any, **options: Any) -> None:
        keeps = grant_asked_for(options["scope"], options["preset"])
        token = chosen_token(options["id"])
        if token.revoked is not None:
            raise CommandError(f"{token.label} was revoked: it opens nothing that could be taken away.")
        if keeps is None:
            raise CommandError(
                f"Say with --scope or --preset what {token.label} keeps of {grant_of(token).describe()}; "
                f"to take everything away, use: manage.py token_revoke {token.pk}",
                returncode=USAGE_ERROR,
            )
        try:
            narrow(token, keeps, by="command")
        except ScopeRefused as refused:
            raise CommandError(
                f"{refused.message} Nothing changed; manage.py token_mint makes a token that holds more.",
                returncode=USAGE_ERROR,
            ) from None
        self.stdout.write(f"Narrowed {token.label}: it holds {keeps.describe()} from now on.")
