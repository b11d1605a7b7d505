"""The stock question types: what each asks for, as data. A store's own types are added beside them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class QuestionType:
    """One kind of question. `answers` is how many answers it needs (least, most); None where it takes none.

    `default_value` says what a preset value must be: text, number, color, ral or "" where there is none.
    """

    key: str
    label: str
    answers: tuple[int, int | None] | None = None
    default_value: str = ""

    @property
    def takes_answers(self) -> bool:
        return self.answers is not None


_STOCK = (
    QuestionType("textbox", "Text box", default_value="text"),
    QuestionType("textarea", "Text area", default_value="text"),
    QuestionType("slider", "Slider", default_value="number"),
    QuestionType("choices", "Choices", default_value="text"),
    QuestionType("checkbox", "Check box", answers=(1, 1)),
    QuestionType("radiobuttons", "Radio buttons", answers=(2, None)),
    QuestionType("dropdown", "Dropdown", answers=(2, None)),
    QuestionType("images", "Images", answers=(1, None)),
    QuestionType("calendar", "Calendar"),
    QuestionType("colorpicker", "Color picker", default_value="color"),
    QuestionType("ralcolorpicker", "RAL color picker", default_value="ral"),
    QuestionType("upload", "File upload"),
)

QUESTION_TYPES = {each.key: each for each in _STOCK}
