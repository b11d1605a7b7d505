"""`manage.py make_operator`: the first login of a new store, with a generated password."""

import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

OPERATOR_NAME = "operator"


def password_file() -> Path:
    """Where the generated password is kept, readable by the installation's owner alone."""
    return Path(settings.VAR_DIR) / "operator-password"


class Command(BaseCommand):
    """Make the superuser `operator` unless a superuser exists; standard output is its password or nothing."""

    help = "Makes the superuser 'operator' with a generated password when the store has no superuser yet."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Print the new password alone on standard output, or say on standard error why there is none."""
        existing = User.objects.filter(is_superuser=True).order_by("pk").first()
        if existing is not None:
            self.stderr.write(f"Superuser {existing.username} exists already, so no login was made.")
            return
        if User.objects.filter(username=OPERATOR_NAME).exists():
            raise CommandError(
                f"A user named {OPERATOR_NAME} exists but is no superuser, so no login was made. "
                "Make a superuser of another name with: manage.py createsuperuser"
            )
        password = secrets.token_urlsafe(15)
        User.objects.create_superuser(OPERATOR_NAME, password=password)
        self._keep(password)
        self.stdout.write(password)

    def _keep(self, password: str) -> None:
        path = password_file()
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(password + "\n")
