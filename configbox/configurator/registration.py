"""What this room adds to every write of the catalog."""

from configbox.catalog.models import Answer, Question
from configbox.configurator.kept_while_named import (
    answer_moved_while_named,
    moved_away,
    type_changed_while_named,
    unpublished_while_named,
)
from configbox.configurator.named_by_rules import rules_naming
from configbox.configurator.rule_references import calculations_of_the_product, rule_faults
from configbox.entities.extensions import WriteCheck, register_check, register_reference_scanner
from configbox.properties.entity import properties
from configbox.properties.references import CalculationReference


def register() -> None:
    """Make the pipeline ask this room about questions, answers and pages."""
    register_check(WriteCheck("question", ("rules", "page_id"), rule_faults))
    register_check(WriteCheck("answer", ("rules", "question_id"), rule_faults))
    for model in (Question, Answer):
        keys = tuple(each.key for each in properties(model).values() if isinstance(each, CalculationReference))
        moves = "page_id" if model is Question else "question_id"
        register_check(WriteCheck(model.options().name, (*keys, moves), calculations_of_the_product))
    register_check(WriteCheck("question", ("published",), unpublished_while_named))
    register_check(WriteCheck("question", ("question_type",), type_changed_while_named))
    register_check(WriteCheck("question", ("page_id",), moved_away))
    register_check(WriteCheck("page", ("product_id",), moved_away))
    register_check(WriteCheck("answer", ("question_id",), answer_moved_while_named))
    register_reference_scanner(rules_naming)
