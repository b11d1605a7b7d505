"""`manage.py load_demo`: the demo store, repeatable."""

from typing import Any

from django.core.management.base import BaseCommand

from configbox.operations.demo import load_demo


class Command(BaseCommand):
    help = "Load the demo store. What is there already stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in load_demo():
            self.stdout.write(line)
