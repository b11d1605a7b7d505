"""A process that writes when it is told to: one JSON line in, one out. Two of them race.

In: {"at": wall clock, "operation": "create" | "update" | "delete", "arguments": […], "more": {…}}
Out: {"outcome": "done" | the error's class, "message": …, "id": …}
"""

import json
import os
import sys
import time
from typing import Any


def serve() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "configbox.settings")
    django.setup()
    from configbox.access.grants import Grant
    from configbox.entities import writing
    from configbox.entities.errors import EntityError
    from configbox.entities.view import view

    operations = {"create": writing.create, "update": writing.update, "delete": writing.delete}
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        time.sleep(max(0.0, asked["at"] - time.time()))
        try:
            with view(actor="stdio", grant=Grant.everything(), door="stdio"):
                written = operations[asked["operation"]](*asked["arguments"], **asked.get("more", {}))
            answer = {"outcome": "done", "message": "", "id": written.id}
        except EntityError as error:
            answer = {"outcome": type(error).__name__, "message": error.message, "id": None}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
