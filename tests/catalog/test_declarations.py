"""What the entities declare, held against a table written by hand."""

import json
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.questioner import NonInteractiveMigrationQuestioner
from django.db.migrations.state import ProjectState

from configbox.entities.registry import entities
from configbox.properties import checks
from configbox.properties.entity import properties
from configbox.properties.prop import Prop
from configbox.properties.schema import listing_properties, required_keys, unsupported_fields
from configbox.properties.translated import Translated
from tests.catalog.domain_fields import FIELDS

TAGS = ["en-GB"]
SNAPSHOT = Path(__file__).parent.parent / "snapshots" / "text_numbers.json"

# Entity: keys a create must send (texts in one language), list columns in their order, what tools cannot represent.
TABLE = {
    "product": (
        {"title_en_GB"},
        ["title_en_GB", "sku", "baseprice", "baseprice_recurring", "published", "product_listing_ids"],
        {"prod_image", "baseimage", "shapediver_model_data", "pages", "product_detail_panes"},
    ),
    "page": (
        {"title_en_GB", "product_id"},
        ["ordering", "title_en_GB", "product_id", "published"],
        {"questions"},
    ),
    "question": (
        {"title_en_GB", "page_id"},
        ["ordering", "title_en_GB", "internal_name", "question_type", "page_id", "rules", "published"],
        {"answers", "shapediver_parameter_id", "el_image"},
    ),
    "answer": (
        {"title_en_GB", "question_id"},
        [
            "question_id",
            "ordering",
            "title_en_GB",
            "sku",
            "price",
            "price_recurring",
            "rules",
            "available",
            "calcmodel",
            "default",
            "published",
        ],
        {"option_image", "option_picker_image", "visualization_image", "shapediver_choice_value"},
    ),
    "product-list": (
        {"title_en_GB"},
        ["title_en_GB", "layoutname", "published"],
        {"product_assignments"},
    ),
    "product-list-assignment": (
        {"product_id", "listing_id"},
        ["ordering", "product_id", "listing_id"],
        set(),
    ),
    "calculation": ({"name", "product_id"}, ["name", "product_id", "type"], set()),
    "product-detail-pane": (
        {"heading_en_GB", "product_id"},
        ["ordering", "heading_en_GB"],
        {"heading_icon_filename"},
    ),
    "example": (
        {"title_en_GB", "product_id"},
        ["ordering", "title_en_GB", "product_id", "published"],
        set(),
    ),
    "settings": ({"active_languages"}, ["language_tag", "active_languages"], {"defaultprodimage"}),
    "store": ({"shopname", "country_id"}, ["shopname"], {"shoplogo"}),
    "currency": (
        {"title_en_GB", "symbol", "code"},
        ["title_en_GB", "multiplicator", "symbol", "code", "default", "base", "published"],
        set(),
    ),
    "tax-class": ({"title", "default_tax_rate"}, ["title", "default_tax_rate", "id_external"], set()),
    "country": (
        {"country_name", "country_2_code", "country_3_code"},
        ["country_name", "country_3_code", "country_2_code", "vat_free", "in_eu_vat_area", "ordering", "published"],
        set(),
    ),
}


def test_the_tables_name_every_entity() -> None:
    assert set(TABLE) == set(FIELDS) == set(entities())


@pytest.mark.parametrize("name", FIELDS)
def test_an_entity_has_exactly_the_fields_of_the_table(name: str) -> None:
    declared = properties(entities()[name]).values()
    assert sorted(each.name if each.translated else each.key for each in declared) == FIELDS[name]


@pytest.mark.parametrize("name", TABLE)
def test_an_entity_declares_what_the_table_says(name: str) -> None:
    model = entities()[name]
    required, columns, unsupported = TABLE[name]
    assert set(required_keys(model, TAGS)) == required
    assert [key for each in listing_properties(model) for key in each.keys(TAGS)] == columns
    assert set(unsupported_fields(model)) == unsupported


@pytest.mark.parametrize(
    ("entity", "key", "default"),
    [
        ("product", "published", True),
        ("product", "enable_reviews", 2),
        ("product", "pm_regular_expand_categories", 3),
        ("product", "show_buy_button", True),
        ("question", "question_type", "textbox"),
        ("question", "behavior_on_inconsistency", "deselect"),
        ("question", "upload_extensions", "png, gif, jpg, jpeg"),
        ("answer", "display_while_disabled", "like_question"),
        ("answer", "visualization_stacking", 1),
        ("calculation", "type", "matrix"),
        ("settings", "labelexpiry", 28),
        ("settings", "weightunits", "kg"),
        ("settings", "ga_behavior_offline_psps", "conversion_when_paid"),
    ],
)
def test_a_new_record_starts_with_the_declared_default(entity: str, key: str, default: object) -> None:
    assert properties(entities()[entity])[key].initial() == default


def test_text_numbers_are_never_reused() -> None:
    """A number once given to a text stays with it: the strings table knows texts by number alone."""
    committed: dict[str, int] = json.loads(SNAPSHOT.read_text())
    present = {
        f"{name}.{each.name}": each.number
        for name, model in entities().items()
        for each in properties(model).values()
        if isinstance(each, Translated)
    }
    new = {name: number for name, number in present.items() if name not in committed}
    assert {name: committed[name] for name in present if name in committed} == {
        name: number for name, number in present.items() if name in committed
    }
    assert not set(new.values()) & set(committed.values())
    assert new == {}, f"Add to {SNAPSHOT.name}: {new}"


def test_migrations_import_nothing_that_may_move() -> None:
    ours = [config.path for config in apps.get_app_configs() if config.name.startswith("configbox.")]
    found = set()
    for folder in ours:
        for path in Path(folder, "migrations").glob("0*.py"):
            for line in path.read_text().splitlines():
                if line.startswith(("import ", "from ")):
                    found.add(line.split()[1])
    assert {name for name in found if name.split(".")[0] != "django"} == {"configbox.languages.columns"}


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_words_and_choices_make_no_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    question = entities()["question"]
    for each in properties(question).values():
        monkeypatch.setattr(each, "prop", Prop(label="Changed", tooltip="Changed"))
        monkeypatch.setattr(each, "verbose_name", "Changed")
        monkeypatch.setattr(each, "help_text", "Changed")
        if hasattr(each, "options"):
            monkeypatch.setattr(each, "options", (("other", "Other"),))
    loader = MigrationLoader(None)
    detector = MigrationAutodetector(
        loader.project_state(), ProjectState.from_apps(apps), NonInteractiveMigrationQuestioner()
    )
    assert detector.changes(graph=loader.graph) == {}


def _ids_with(monkeypatch: pytest.MonkeyPatch, entity: str, name: str, prop: Prop) -> set[str | None]:
    monkeypatch.setattr(properties(entities()[entity])[name], "prop", prop)
    return {each.id for each in checks.check_properties()}


def test_declarations_are_sound() -> None:
    assert checks.check_properties() == []


def test_a_wrong_name_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ids_with(monkeypatch, "page", "css_classes", Prop(label="x", applies_when={"colour": 1})) == {
        "configbox.E001"
    }


def test_a_path_through_no_reference_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ids_with(monkeypatch, "page", "css_classes", Prop(label="x", applies_when={"title.sku": 1})) == {
        "configbox.E001"
    }


def test_a_check_that_reads_no_property_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(properties(entities()["question"]), "minval")
    assert [(each.id, each.msg) for each in checks.check_properties()] == [
        ("configbox.E005", "Question: a check reads 'minval', which is no property.")
    ]


def test_a_sensitive_column_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    prop = Prop(label="x", sensitive=True, listing=999)
    assert _ids_with(monkeypatch, "settings", "product_key", prop) == {"configbox.E002"}


def test_an_unknown_platform_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ids_with(monkeypatch, "page", "css_classes", Prop(label="x", platforms=("typo3",))) == {"configbox.E003"}


def test_a_text_number_given_twice_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    title = properties(entities()["page"])["title"]
    monkeypatch.setattr(title, "number", 1)
    assert {each.id for each in checks.check_properties()} == {"configbox.E004"}


def test_two_columns_in_one_place_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _ids_with(monkeypatch, "page", "css_classes", Prop(label="x", listing=10)) == {"configbox.E006"}
