"""Tells of functions in a customization that no hook calls: a misspelt name would be silently ignored."""

from difflib import get_close_matches
from inspect import isfunction
from typing import Any

from django.core.checks import CheckMessage, Warning, register

from configbox.customization.hooks import HOOKS, customizations


@register()
def unknown_hooks(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Warn of each public function of a customization module that has no hook's name."""
    names = [hook.name for hook in HOOKS]
    found: list[CheckMessage] = []
    for module in customizations():
        for name, value in vars(module).items():
            own = isfunction(value) and value.__module__ == module.__name__
            if own and not name.startswith("_") and name not in names:
                closest = get_close_matches(name, names, n=1)
                meant = f"Did you mean {closest[0]}? " if closest else ""
                found.append(
                    Warning(
                        f"{module.__name__} defines {name}(), which no hook calls.",
                        hint=f"{meant}Hooks are {', '.join(names)}; begin the name of a private function with _.",
                        id="configbox.customization.W001",
                    )
                )
    return found
