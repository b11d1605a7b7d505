"""`manage.py make_demo_token`: the token with which an assistant reaches the demo store over HTTP."""

from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from configbox.access.grants import parse_scopes
from configbox.access.tokens import LIFETIME, TokenRefused, find, mint

DEMO_NAME: Final = "demo"
DEMO_PRESET: Final = "author"


def token_file() -> Path:
    """Where the demo's token is kept, readable by the installation's owner alone."""
    return Path(settings.VAR_DIR) / "demo-token"


class Command(BaseCommand):
    """Mint the token `demo` into its file unless the file exists; standard output stays empty."""

    help = "Makes a token for the demo with the preset author and keeps it in the var folder, unless it is there."

    @sensitive_variables("text")
    def handle(self, *args: Any, **options: Any) -> None:
        path = token_file()
        if path.exists():
            self._check(path)
            return
        grant = parse_scopes([], [DEMO_PRESET])
        # A file that cannot be written takes the token back: nobody would ever have seen it.
        with transaction.atomic():
            token, text = mint(DEMO_NAME, grant, created_by="command", expires=timezone.now() + LIFETIME)
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(text + "\n")
        self.stderr.write(f"Made {token.label}: {grant.describe()}; kept in {path}.")

    def _check(self, path: Path) -> None:
        try:
            token = find(path.read_text().strip())
        except TokenRefused as refused:
            self.stderr.write(
                f"{refused.message} It is kept in {path}: delete that file, and the next run makes another."
            )
        else:
            self.stderr.write(f"{token.label} is kept in {path}.")
