"""Finds the token that a command names by its id."""

import re
from typing import Final

from django.core.management.base import CommandError

from configbox.access.models import Token
from configbox.access.tokens import MAX_ID

MAX_IDS_SHOWN: Final = 50


def chosen_token(text: str) -> Token:
    """Return the token with this id. Raises CommandError with the ids that there are."""
    number = int(text) if re.fullmatch("[0-9]{1,10}", text) else 0
    token = Token.objects.filter(pk=number).first() if 0 < number <= MAX_ID else None
    if token is None:
        raise CommandError(f"There is no token {text[:20]!a}. {_known()}")
    return token


def _known() -> str:
    ids = [str(each) for each in Token.objects.values_list("pk", flat=True)[: MAX_IDS_SHOWN + 1]]
    if not ids:
        return "There are none yet: manage.py token_mint makes one."
    more = ", ..." if len(ids) > MAX_IDS_SHOWN else ""
    return f"The ids are {', '.join(ids[:MAX_IDS_SHOWN])}{more}; manage.py token_list says which is which."
