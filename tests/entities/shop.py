"""A small shop that every test of the pipeline may write to: one record at least of each entity, two languages."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image as Picture

from configbox.entities import writing
from configbox.entities.images import Image, image_of
from configbox.entities.registry import entities, model_of
from configbox.languages.active import active_tags
from configbox.properties.files import Upload

TAGS = ["en-GB", "de-DE"]


@dataclass(frozen=True)
class Shop:
    """Ids of the records. `product` has the pages, `other_product` is empty."""

    product: int
    other_product: int
    page: int
    second_page: int
    width: int
    colour: int
    material: int
    red: int
    blue: int
    oak: int
    area: int
    price_per_metre: int
    foreign_calculation: int
    shown: int
    hidden: int
    assignment: int
    pane: int
    example: int
    dollar: int
    tax_class: int


def texts(text: str, german: str = "", name: str = "title") -> dict[str, str]:
    """Return one text in both languages, by its flat keys."""
    return {f"{name}_en_GB": text, f"{name}_de_DE": german or f"{text} (deutsch)"}


def create(entity: str, fields: Mapping[str, Any], **more: Any) -> int:
    """Make a record and return its id."""
    return writing.create(entity, fields, **more).id


def make_shop() -> Shop:
    """Activate German and write the shop through the pipeline. Use inside a view."""
    writing.update("settings", 1, {"active_languages": TAGS})
    tax_class = create("tax-class", {"title": "Reduced rate", "default_tax_rate": 7})
    dollar = create("currency", {"code": "USD", "symbol": "$", "multiplicator": "1.08"} | texts("Dollar"))
    shown = create("product-list", texts("All products", "Alle Produkte"))
    hidden = create("product-list", texts("Hidden", "Versteckt"))
    product = create("product", {"baseprice": "841.90", "sku": "DOOR"} | texts("Door", "Tür"))
    other_product = create("product", texts("Window", "Fenster"))
    page = create("page", {"product_id": product} | texts("Size", "Größe"))
    second_page = create("page", {"product_id": product} | texts("Look", "Aussehen"))
    area = create("calculation", {"name": "Area", "product_id": product, "type": "matrix"})
    per_metre = create("calculation", {"name": "Price per metre", "product_id": product, "type": "formula"})
    foreign = create("calculation", {"name": "Panes", "product_id": other_product, "type": "code"})
    width = create("question", {"page_id": page, "question_type": "textbox"} | texts("Width", "Breite"))
    colour = create("question", {"page_id": second_page, "question_type": "dropdown"} | texts("Colour", "Farbe"))
    material = create("question", {"page_id": second_page, "question_type": "radiobuttons"} | texts("Material"))
    red = create("answer", {"question_id": colour, "price": "10.50"} | texts("Red", "Rot"))
    blue = create("answer", {"question_id": colour} | texts("Blue", "Blau"))
    oak = create("answer", {"question_id": material} | texts("Oak", "Eiche"))
    assignment = create("product-list-assignment", {"product_id": product, "listing_id": shown})
    pane = create("product-detail-pane", {"product_id": product} | texts("Care", "Pflege", "heading"))
    example = create("example", {"product_id": product} | texts("Cellar door", "Kellertür"))
    return Shop(
        product, other_product, page, second_page, width, colour, material, red, blue, oak, area, per_metre, foreign,
        shown, hidden, assignment, pane, example, dollar, tax_class,
    )  # fmt: skip


def records_of(shop: Shop) -> dict[str, int]:
    """Return, by entity, the record that a test of every entity writes to."""
    return {
        "answer": shop.blue,
        "calculation": shop.area,
        "country": 1,
        "currency": shop.dollar,
        "example": shop.example,
        "page": shop.page,
        "product": shop.product,
        "product-detail-pane": shop.pane,
        "product-list": shop.shown,
        "product-list-assignment": shop.assignment,
        "question": shop.width,
        "settings": 1,
        "store": 1,
        "tax-class": shop.tax_class,
    }


def image(entity: str, pk: int) -> Image:
    """Return the image of a record as it stands in the database, texts of every language included."""
    return image_of(model_of(entity).objects.get(pk=pk), active_tags())


def png(shade: int = 0) -> Upload:
    """Return a small picture; each shade has a content of its own."""
    content = io.BytesIO()
    Picture.new("L", (2, 2), shade).save(content, "PNG")
    return Upload(f"shade {shade}.png", content.getvalue())


ENTITY_NAMES = sorted(entities())
