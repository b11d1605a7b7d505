"""The demo store: a real product, a small one with every question type, written through the entity layer."""

from typing import Any

from django.db import transaction

from configbox.access.grants import Grant
from configbox.catalog.models import Product
from configbox.engine.question_types import QUESTION_TYPES
from configbox.entities import listing, reading, writing
from configbox.entities.changes import new_session
from configbox.entities.view import view
from configbox.languages.tags import flat_key
from configbox.operations.pc_product import SKU as PC_SKU
from configbox.operations.pc_product import Step, authoring_steps
from configbox.operations.pc_shop import read_shop

TYPES_SKU = "DEMO-QUESTION-TYPES"
LANGUAGE = "de-DE"


def load_demo() -> list[str]:
    """Load what is missing of the demo store, as one change set, and return a line about each part."""
    with view(actor="command", grant=Grant.everything(), door="command", session=new_session("Demo store")):
        return [_languages(), _part(PC_SKU, _pc_product), _part(TYPES_SKU, _every_question_type)]


def _languages() -> str:
    settings = reading.get("settings", 1)
    active = settings["active_languages"]
    if LANGUAGE in active:
        return f"Language {LANGUAGE} is active already."
    writing.update("settings", 1, {"active_languages": [*active, LANGUAGE]})
    return f"Language {LANGUAGE} is active."


def _part(sku: str, load: Any) -> str:
    if Product.objects.filter(sku=sku).exists():
        return f"Product {sku} is there already."
    with transaction.atomic():
        load()
    return f"Product {sku} is loaded."


def _tags() -> list[str]:
    tags: list[str] = reading.get("settings", 1, only=["active_languages"])["active_languages"]
    return tags


def _write(step: Step) -> int:
    if step.id is None:
        return writing.create(step.entity, step.fields).id
    return writing.update(step.entity, step.id, step.fields).id


def _pc_product() -> None:
    steps = authoring_steps(read_shop(), _tags())
    try:
        step = next(steps)
        while True:
            step = steps.send(_write(step))
    except StopIteration:
        return


# What the small product asks, in German too where the languages differ; what each type needs besides its title.
EXAMPLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "textbox": (
        "Width",
        "Breite",
        {"validate": True, "input_restriction": "decimal", "set_min_value": "static", "minval": 20},
    ),
    "textarea": ("Engraving", "Gravur", {}),
    "slider": ("Depth", "Tiefe", {"slider_steps": 5, "prefill_on_init": True, "default_value": "30"}),
    "choices": ("Delivery time", "Lieferzeit", {"choices": "1 week\n2 weeks\ncustom"}),
    "checkbox": ("Gift wrapping", "Geschenkverpackung", {}),
    "radiobuttons": ("Surface", "Oberfläche", {"required": True}),
    "dropdown": ("Handle", "Griff", {}),
    "images": ("Pattern", "Muster", {}),
    "calendar": ("Delivery day", "Liefertag", {"calendar_validation_type_min": "days", "calendar_days_min": 3}),
    "colorpicker": ("Colour", "Farbe", {"prefill_on_init": True, "default_value": "#336699"}),
    "ralcolorpicker": ("RAL colour", "RAL-Farbe", {}),
    "upload": ("Own picture", "Eigenes Bild", {}),
}
ANSWERS: dict[str, list[tuple[str, str, str]]] = {
    "checkbox": [("Yes, please", "Ja, bitte", "4.90")],
    "radiobuttons": [("Oiled", "Geölt", "0"), ("Painted", "Lackiert", "25.00")],
    "dropdown": [("Knob", "Knopf", "0"), ("Bar handle", "Griffleiste", "12.50")],
    "images": [("Plain", "Glatt", "0"), ("Waves", "Wellen", "18.00")],
}


def _every_question_type() -> None:
    tags = _tags()
    product = writing.create(
        "product", {"sku": TYPES_SKU, "baseprice": "120.00"} | _texts(tags, "Box made to measure", "Kiste nach Maß")
    ).id
    page = writing.create("page", {"product_id": product} | _texts(tags, "Every question type", "Jede Frageart")).id
    for kind in QUESTION_TYPES:
        title, german, fields = EXAMPLES[kind]
        question = writing.create(
            "question", {"page_id": page, "question_type": kind} | fields | _texts(tags, title, german)
        ).id
        for text, translated, price in ANSWERS.get(kind, []):
            writing.create("answer", {"question_id": question, "price": price} | _texts(tags, text, translated))
    lists = listing.list_records("product-list", limit=1)
    if lists.total == 0:
        shown = writing.create("product-list", _texts(tags, "All products", "Alle Produkte")).id
        for each in Product.objects.filter(sku__in=[PC_SKU, TYPES_SKU]).order_by("pk"):
            writing.update("product", each.pk, {"product_listing_ids": [shown]})


def _texts(tags: list[str], text: str, german: str) -> dict[str, str]:
    return {flat_key("title", tag): german if tag.startswith("de") else text for tag in tags}
