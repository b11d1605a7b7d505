"""The options --scope and --preset, which every command that grants something takes alike."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Final

from django.core.management.base import CommandError

from configbox.access.grants import Grant, ScopeRefused, parse_scopes
from configbox.access.scopes import PRESETS

USAGE_ERROR: Final = 2


def add_scope_options(parser: ArgumentParser, default: str) -> None:
    """Add --preset and --scope; `default` says in a word or two what neither of them grants."""
    parser.add_argument(
        "--preset",
        action="append",
        default=[],
        help=f"A named set of scopes: {', '.join(PRESETS)}. Repeat to add more; adds to --scope.",
    )
    parser.add_argument(
        "--scope",
        action="append",
        default=[],
        help=f"A scope such as catalog:write, or several with commas; repeat to add more. Default: {default}.",
    )


def grant_asked_for(scopes: Iterable[str], presets: Iterable[str]) -> Grant | None:
    """Return the grant that the values of --scope and --preset name together, None where neither was given.

    Raises CommandError with exit code 2 that names every bad one.
    """
    names, presets = [name for listed in scopes for name in listed.split(",")], list(presets)
    if not names and not presets:
        return None
    try:
        return parse_scopes(names, presets)
    except ScopeRefused as refused:
        raise CommandError(refused.message, returncode=USAGE_ERROR) from None
