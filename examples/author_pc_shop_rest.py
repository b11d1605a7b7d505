"""Authors a real shop's product through the REST API, with nothing but Python's standard library.

The store must be served (`bin/demo` does it), and the token is in the environment:

    CONFIGBOX_TOKEN="$(cat var/demo-token)" python3 examples/author_pc_shop_rest.py --url http://127.0.0.1:8000/cb-api/v1/

The exit code is 0 if everything reads back as it is in the file.
"""

import argparse
import json
import sys
from decimal import Decimal
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pc_shop_authoring import (
    ROOT,
    TOKEN_VARIABLE,
    Record,
    Step,
    Stopped,
    author_shop,
    error_words,
    given_token,
    sendable,
)

# Seconds without a sign of the store.
PATIENCE = 60


class NoRedirects(HTTPRedirectHandler):
    """Follows none: the API sends none, and another one's could lead the token to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class RestStore:
    """The store's addresses, one method for each use, and the change set that collects the writes."""

    def __init__(self, url: str, token: str) -> None:
        self.root = url.rstrip("/") + "/"
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self.opener = build_opener(NoRedirects)
        self.change_set = ""

    def ask(self, method: str, path: str, query: Record | None = None, body: Record | None = None) -> Record:
        """Send a request and return the document of its answer. Raises Stopped with the store's own words."""
        address = self.root + path + ("?" + urlencode(query, doseq=True) if query else "")
        headers, data = self.headers, None
        if body is not None:
            headers, data = headers | {"Content-Type": "application/json"}, json.dumps(body).encode()
        try:
            with self.opener.open(Request(address, data, headers, method=method), timeout=PATIENCE) as response:
                # Read this way, prices keep every digit.
                answer: Record = json.loads(response.read(), parse_float=Decimal)
                return answer
        except HTTPError as error:
            raise Stopped(f"{method} {address}: {error_words(error.code, error.read())}") from error
        except (URLError, TimeoutError, ConnectionError) as error:
            raise Stopped(f"{method} {address}: {error}. Is the store served there?") from error
        except ValueError as error:
            raise Stopped(f"{method} {address}: the answer is no JSON. Is this the address of a store?") from error

    def languages(self) -> list[str]:
        tags: list[str] = self.ask("GET", "")["data"]["languages"]
        return tags

    def describe(self, entity: str) -> Record:
        return self.ask("GET", f"{entity}/schema")

    def write(self, step: Step) -> int:
        where = {"change_set": self.change_set} if self.change_set else {}
        method, path = ("POST", step.entity) if step.id is None else ("PATCH", f"{step.entity}/{step.id}")
        answer = self.ask(method, path, where, sendable(step.fields))
        self.change_set = answer["meta"].get("change_set", self.change_set)
        number: int = answer["data"]["id"]
        return number

    def get(self, entity: str, number: int) -> Record:
        record: Record = self.ask("GET", f"{entity}/{number}")["data"]
        return record

    def ids(self, entity: str, **filters: Any) -> list[int]:
        query = {f"filter[{name}]": value for name, value in filters.items()}
        found: list[int] = []
        offset: int | None = 0
        while offset is not None:
            page = self.ask("GET", entity, query | {"limit": 200, "offset": offset})
            found += [row["id"] for row in page["data"]]
            offset = page["meta"].get("next_offset")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Author the PC shop's product through REST and verify it.")
    parser.add_argument(
        "--url",
        default="http://127.0.0.1:8000/cb-api/v1/",
        help=f"Where the API begins, %(default)s unless said; {TOKEN_VARIABLE} holds the token.",
    )
    options = parser.parse_args()
    try:
        store = RestStore(options.url, given_token())
    except Stopped as reason:
        print(reason, file=sys.stderr)
        return 1
    return author_shop(store, f"{sys.executable} {ROOT / 'manage.py'} changes undo")


if __name__ == "__main__":
    sys.exit(main())
