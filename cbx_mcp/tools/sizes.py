"""Keeping answers under the size every client takes: lists lose rows, records lose whole values, nothing is cut."""

from typing import Any

from configbox.entities.listing import Listing
from configbox.properties.json_values import write_json

MAX_CHARACTERS = 40_000


def fit_list(page: Listing) -> dict[str, Any]:
    """Return a page as its answer, with as many of its rows as fit."""
    answer = _page(page, len(page.items))
    if len(write_json(answer)) <= MAX_CHARACTERS:
        return answer
    fewest, most = 0, len(page.items)
    while fewest < most:
        middle = (fewest + most + 1) // 2
        if len(write_json(_page(page, middle))) <= MAX_CHARACTERS:
            fewest = middle
        else:
            most = middle - 1
    return _page(page, fewest)


def _page(page: Listing, rows: int) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "entity": page.model.options().name,
        "items": page.items[:rows],
        "total": page.total,
        "matched": page.matched,
        "limit": page.limit,
        "offset": page.offset,
    }
    after = page.offset + rows
    if page.items and after < page.matched:
        answer["next_offset"] = after
    notes = list(page.notes)
    if rows < len(page.items):
        notes.append(f"{len(page.items) - rows} rows of this page did not fit; go on at next_offset.")
    if notes:
        answer["notes"] = notes
    return answer


def fit_record(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose record, if too large, lacks its largest values; `omitted` names them with their size."""
    record: dict[str, Any] = dict(answer["record"])
    omitted: dict[str, int] = {}
    fitted = {**answer, "record": record}
    while len(write_json(fitted)) > MAX_CHARACTERS:
        sizes = {key: len(write_json(value)) for key, value in record.items() if key not in ("id", "rev")}
        if not sizes:
            break
        largest = max(sizes, key=lambda key: sizes[key])
        omitted[largest] = sizes[largest]
        del record[largest]
        fitted = {**answer, "record": record, "omitted": omitted}
    return fitted
