"""`manage.py changes`: list change sets, show one, undo one, redo one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from configbox.access.grants import Grant
from configbox.entities import history
from configbox.entities.errors import EntityError
from configbox.entities.view import view
from configbox.properties.json_values import write_json


class Command(BaseCommand):
    help = "List change sets, show what one changed, undo one, or redo one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        listed = actions.add_parser("list", help="The latest change sets, newest first.")
        listed.add_argument("--limit", type=int, default=50)
        for action, text in (
            ("show", "Every change of one set."),
            ("undo", "Take back every change of one set."),
            ("redo", "Make every change of an undone set again."),
        ):
            one = actions.add_parser(action, help=text)
            one.add_argument("change_set", metavar="SET", help="The set's handle, as `changes list` prints it.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with view(actor="command", grant=Grant.everything(), door="command"):
                self.act(**options)
        except EntityError as error:
            raise CommandError(error.message) from error

    def act(self, action: str, change_set: str = "", limit: int = 50, **options: Any) -> None:
        if action == "list":
            for each in history.change_sets(limit):
                created = each["created"].isoformat(timespec="seconds")
                line = (
                    f"{each['change_set']}  {each['state']:8} {each['changes']:4} changes  {created}  {each['actor']}"
                )
                self.stdout.write(f"{line}  {each['title']}".rstrip())
        elif action == "show":
            for each in history.changes_of(change_set):
                what = f"{each['operation']} {each['entity']} {each['id']} {each['title']}"
                self.stdout.write(
                    f"{what}\n  before {write_json(each['before'])}\n  after  {write_json(each['after'])}"
                )
        else:
            done = history.undo(change_set) if action == "undo" else history.redo(change_set)
            verb = "Undone" if action == "undo" else "Done again"
            self.stdout.write(f"{verb}: {done.changes} changes of {done.handle}.")
            for issue in done.warnings:
                self.stderr.write(f"{issue.message} [{issue.field}]")
