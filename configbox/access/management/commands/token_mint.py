"""`manage.py token_mint`: makes a token; standard output is the token alone, and never again."""

import re
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from configbox.access.expiry import DEFAULT, FORMS, read_expiry
from configbox.access.grants import Grant
from configbox.access.management.scope_options import USAGE_ERROR, add_scope_options, grant_asked_for
from configbox.access.models import Token
from configbox.access.scopes import FLOOR, STOREFRONT_SCOPES
from configbox.access.tokens import MAX_ID, MAX_NAME, TokenInvalid, grant_of, mint


class Command(BaseCommand):
    help = (
        "Makes a token for a program or an assistant. Standard output is the token alone: it is stored nowhere and "
        "cannot be shown again. All else goes to standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help=f"What it is for, up to {MAX_NAME} characters; logs show it.")
        add_scope_options(parser, default=f"{FLOOR} alone")
        parser.add_argument(
            "--expires",
            default=DEFAULT,
            metavar="WHEN",
            help=f"One of: {FORMS}. Days are days of the store's TIME_ZONE. Default: {DEFAULT}.",
        )
        parser.add_argument(
            "--customer",
            metavar="ID",
            help=f"The customer it acts for; only and always with storefront scopes ({', '.join(STOREFRONT_SCOPES)}).",
        )

    @sensitive_variables("text")
    def handle(self, *args: Any, **options: Any) -> None:
        asked = grant_asked_for(options["scope"], options["preset"])
        try:
            # Output that cannot be written takes the token back: nobody would ever have seen it.
            with transaction.atomic():
                token, text = mint(
                    options["name"],
                    asked or Grant.nothing(),
                    created_by="command",
                    expires=read_expiry(options["expires"]),
                    customer=_customer(options["customer"]),
                )
                self.stdout.write(text)
                self.stdout.flush()
        except TokenInvalid as error:
            raise CommandError(error.message, returncode=USAGE_ERROR) from None
        self._explain(token, asked)

    def _explain(self, token: Token, asked: Grant | None) -> None:
        until = f"expires {token.expires.isoformat(timespec='seconds')}" if token.expires else "never expires"
        whose = f", for customer {token.customer}" if token.customer else ""
        self.stderr.write(f"Made {token.label}{whose}: {grant_of(token).describe()}; {until}.")
        if asked is None:
            self.stderr.write(f"No --scope and no --preset was given, so it holds {FLOOR} alone.")
        self.stderr.write(
            "It is shown this once: keep it where only its user reads it, and send it as the header "
            f"Authorization: Bearer TOKEN. To end it: manage.py token_revoke {token.pk}"
        )


def _customer(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,10}", text):
        raise TokenInvalid(f"A customer's id must be a whole number from 1 to {MAX_ID}, got {text[:20]!a}.")
    return int(text)
