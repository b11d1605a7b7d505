"""What a product consists of, read through the tools and freed of ids, so that products of two stores compare."""

from typing import Any

from tests.mcp.stdio_client import StdioClient


def product_content(store: Any, sku: str) -> list[dict[str, Any]]:
    """Return the product's record and every one below it, in their order; each id is replaced by its place there."""
    # Nobody reads the log here; a full pipe of it would hold the server up.
    quiet = {**store.env, "LOG_LEVEL": "WARNING"}
    with StdioClient("--in-process", settings="configbox.settings", env=quiet) as client:
        reader = _Reader(client)
        [product] = reader.ids("product", sku=sku)
        records = [reader.get("product", product)]
        for page in reader.ids("page", product_id=product):
            records.append(reader.get("page", page))
            for question in reader.ids("question", page_id=page):
                records.append(reader.get("question", question))
                records += [reader.get("answer", answer) for answer in reader.ids("answer", question_id=question)]
    return [_freed(record, reader.places) for record in records]


class _Reader:
    def __init__(self, client: StdioClient) -> None:
        self.client = client
        self.places: dict[tuple[str, int], str] = {}

    def ids(self, entity: str, **filters: Any) -> list[int]:
        arguments = {"entity": entity, "filters": filters, "limit": 200}
        answer = self.client.call("cbx_list_entities", arguments)["structuredContent"]
        assert "next_offset" not in answer
        return [item["id"] for item in answer["items"]]

    def get(self, entity: str, number: int) -> dict[str, Any]:
        self.places[entity, number] = f"{entity} {len(self.places)}"
        record = self.client.call("cbx_get_entity", {"entity": entity, "id": number})["structuredContent"]["record"]
        assert record.pop("id") == number
        record.pop("rev")
        return {"entity": self.places[entity, number], **record}


def _freed(value: Any, places: dict[tuple[str, int], str], name: str = "") -> Any:
    """Replace ids by places: in references, and in rules, where `value` is an answer's id."""
    entity = {"value": "answer", "first_page_id": "page"}.get(name, name.removesuffix("_id"))
    if isinstance(value, int) and not isinstance(value, bool):
        return places.get((entity, value), value)
    if isinstance(value, list):
        return [_freed(each, places, name) for each in value]
    if isinstance(value, dict):
        return {key: _freed(each, places, key) for key, each in value.items()}
    return value
