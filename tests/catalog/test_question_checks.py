"""What a question refuses across its fields, and what fills itself."""

from typing import Any

import pytest

from configbox.catalog.models import Page, Product, Question
from configbox.engine.question_types import QUESTION_TYPES
from configbox.entities.deciding import initial_image
from configbox.properties.conditions import RecordValues
from configbox.properties.entity import properties

TAGS = ["de-DE", "en-GB"]
NUMERIC = {"question_type": "textbox", "validate": True, "input_restriction": "decimal"}
FIXED = {"set_min_value": "static", "set_max_value": "static"}
DATES = {"calendar_validation_type_min": "days", "calendar_validation_type_max": "days"}


def _values(**changed: Any) -> RecordValues:
    return RecordValues(Question, initial_image(Question, TAGS) | changed, None, TAGS, "en-GB")


def _faults(**changed: Any) -> list[tuple[str, str]]:
    values = _values(**changed)
    return [(issue.field, issue.message) for rule in Question.options().checks for issue in rule.run(values)]


def test_a_new_question_has_no_fault() -> None:
    assert _faults() == []


def test_limits_that_leave_nothing_between_them_are_refused() -> None:
    assert _faults(**NUMERIC, **FIXED, minval=5, maxval=3) == [
        ("maxval", "Field Maximum must be at least the minimum 5, got 3.")
    ]
    assert _faults(**NUMERIC, **FIXED, minval=3, maxval=3) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"set_max_value": "none"},
        {"set_min_value": "calculated"},
        {"validate": False},
        {"input_restriction": "plaintext"},
        {"question_type": "checkbox"},
    ],
)
def test_limits_that_do_not_apply_are_not_judged(changed: dict[str, Any]) -> None:
    assert _faults(**(NUMERIC | FIXED | {"minval": 5, "maxval": 3} | changed)) == []


def test_dates_in_the_wrong_order_are_refused() -> None:
    wrong = {"calendar_days_min": 10, "calendar_days_max": 2}
    assert _faults(question_type="calendar", **DATES, **wrong) == [
        ("calendar_days_max", "Field Latest date in days must be at least the earliest 10, got 2.")
    ]
    assert _faults(question_type="textbox", **DATES, **wrong) == []


NUMBER = 'a number such as 12.5, with a point, got "{}".'
WHOLE = 'a whole number, got "{}".'
COLOR = 'a colour such as #336699, got "{}".'
RAL = 'a RAL Classic colour such as RAL 7016, got "{}".'


@pytest.mark.parametrize(
    ("kind", "restriction", "value", "expected"),
    [
        ("slider", "plaintext", "18,50", NUMBER),
        ("slider", "plaintext", "18.50", None),
        ("textbox", "plaintext", "anything", None),
        ("textbox", "decimal", "1e3", NUMBER),
        ("textbox", "decimal", "-0.5", None),
        ("textbox", "integer", "2.5", WHOLE),
        ("textbox", "integer", "x", WHOLE),
        ("textbox", "integer", "2.0", None),
        ("choices", "integer", "٣", WHOLE),
        ("colorpicker", "plaintext", "#12345", COLOR),
        ("colorpicker", "plaintext", "336699", COLOR),
        ("colorpicker", "plaintext", "#abc", None),
        ("ralcolorpicker", "plaintext", "RAL7016", RAL),
        ("ralcolorpicker", "plaintext", "RAL 0016", RAL),
        ("ralcolorpicker", "plaintext", "RAL 7016", None),
    ],
)
def test_a_preset_value_is_one_a_shopper_could_enter(
    kind: str, restriction: str, value: str, expected: str | None
) -> None:
    found = _faults(
        question_type=kind, prefill_on_init=True, validate=True, input_restriction=restriction, default_value=value
    )
    if expected is None:
        assert found == []
    else:
        assert found == [("default_value", "Field Preset value must be " + expected.format(value))]


def test_a_preset_value_that_does_not_apply_is_not_judged() -> None:
    assert _faults(question_type="slider", prefill_on_init=False, default_value="x") == []
    assert _faults(question_type="checkbox", prefill_on_init=True, default_value="x") == []


def test_how_many_answers_each_stock_type_takes() -> None:
    assert {key: each.answers for key, each in QUESTION_TYPES.items() if each.takes_answers} == {
        "checkbox": (1, 1),
        "images": (1, None),
        "radiobuttons": (2, None),
        "dropdown": (2, None),
    }
    assert len(QUESTION_TYPES) == 12


@pytest.mark.parametrize(
    ("changed", "touched", "creating", "expected"),
    [
        ({"title_en_GB": "Width", "title_de_DE": "Breite"}, set(), True, {"internal_name": "Width"}),
        ({"title_de_DE": "Breite"}, set(), True, {"internal_name": "Breite"}),
        ({"title_en_GB": "W" * 300}, set(), True, {"internal_name": "W" * 255}),
        ({"title_en_GB": "Width", "internal_name": "w1"}, set(), True, {}),
        ({"title_en_GB": "Width"}, {"title_en_GB"}, False, {}),
        ({"title_en_GB": "Width"}, {"internal_name"}, False, {"internal_name": "Width"}),
    ],
)
def test_an_empty_internal_name_is_the_title(
    changed: dict[str, Any], touched: set[str], creating: bool, expected: dict[str, str]
) -> None:
    assert properties(Question)["internal_name"].fill(_values(**changed), touched, creating) == expected


@pytest.mark.django_db
def test_a_new_question_goes_last_on_its_page() -> None:
    product = Product.objects.create()
    first, second = Page.objects.create(product=product, ordering=10), Page.objects.create(product=product, ordering=20)
    ordering = properties(Question)["ordering"]
    assert ordering.fill(_values(page_id=first.pk), set(), True) == {"ordering": 10}
    Question.objects.create(page=first, ordering=37)
    assert ordering.fill(_values(page_id=first.pk), set(), True) == {"ordering": 47}
    assert ordering.fill(_values(page_id=second.pk), set(), True) == {"ordering": 10}
    assert ordering.fill(_values(page_id=first.pk, ordering=5), set(), True) == {}
    assert ordering.fill(_values(page_id=first.pk), {"page_id"}, False) == {}


@pytest.mark.django_db
def test_the_first_page_is_the_first_published_one() -> None:
    empty, hidden, shown = (Product.objects.create() for _ in range(3))
    Page.objects.create(product=hidden, ordering=10, published=False)
    Page.objects.create(product=shown, ordering=10, published=False)
    Page.objects.create(product=shown, ordering=30)
    wanted = Page.objects.create(product=shown, ordering=20)
    assert Product.first_pages([empty, hidden, shown]) == {shown.pk: wanted.pk}
    assert Product.configurable([empty, hidden, shown]) == {empty.pk: False, hidden.pk: False, shown.pk: True}
