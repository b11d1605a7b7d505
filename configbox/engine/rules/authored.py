"""From the authored form of a rule to the stored one, refusing what could not mean what its author meant."""

from configbox.engine.rules.conditions import BY_HEAD, encode_friendly, encode_generic
from configbox.engine.rules.errors import RuleError, shown
from configbox.engine.rules.scalars import is_storable
from configbox.engine.rules.tokens import MARKS, MAX_DEPTH, NEGATION, combinator, read_tokens, write_json

ROOT = "rules"
# Rules are evaluated and shown by the hundred; one that takes seconds would stop them all.
MAX_CONDITIONS = 1000
_KINDS = {"all": "and", "any": "or"}
_HEADS = (*_KINDS, "not", *BY_HEAD, "raw")
_FORMS = (
    '{"all": [...]}, {"any": [...]}, {"not": rule}, {"question": id, "operator": "==", "value": answer id}, '
    '{"calculation": id, ...}, {"customerGroup": "custom_1", ...} or {"condition": "TypeName", ...}'
)


def encode(rule: object, present: str = "") -> str:
    """Return the stored text of an authored rule; "" for None, which means that there is no rule.

    `present` is the text stored now: a `{"raw": ...}` that repeats it is accepted whatever it holds. Raises RuleError,
    whose message names the place of the fault, for everything that is not the authored form.
    """
    if rule is None:
        return ""
    if isinstance(rule, dict) and "raw" in rule and "condition" not in rule:
        return _raw_text(rule, present)
    if isinstance(rule, dict) and "not" in rule and "condition" not in rule:
        _check_alone(rule, "not", ROOT)
        return write_json([NEGATION, *_bounded(_sequence(rule["not"], f"{ROOT}.not", 2))])
    return write_json(_bounded(_sequence(rule, ROOT, 1)))


def _bounded(tokens: list[object]) -> list[object]:
    """Return the tokens. Raises RuleError where they hold more conditions than anybody could mean."""
    count = 0
    waiting: list[object] = list(tokens)
    while waiting:
        token = waiting.pop()
        if isinstance(token, list):
            waiting.extend(token)
        elif isinstance(token, dict) and token.get("type") not in MARKS:
            count += 1
    if count > MAX_CONDITIONS:
        raise RuleError(ROOT, f"{ROOT} has {count} conditions, but a rule may have at most {MAX_CONDITIONS}.")
    return tokens


def _sequence(rule: object, place: str, depth: int) -> list[object]:
    """Return the tokens of a rule as they stand in a list of their own."""
    if depth > MAX_DEPTH:
        raise RuleError(ROOT, f"{ROOT} is nested deeper than {MAX_DEPTH} levels. Use fewer levels of all and any.")
    if not isinstance(rule, dict) or not rule:
        raise RuleError(place, f"{place} is {shown(rule)}, which is no rule. Use {_FORMS}; null at the top: no rule.")
    if "condition" in rule:
        return [encode_generic(rule, place, depth)]
    head = _head(rule, place)
    if head in BY_HEAD:
        return [encode_friendly(rule, head, place)]
    if head == "not":
        raise RuleError(
            f"{place}.not",
            f'{place} has "not" inside the rule, but only the whole rule can be inverted. Rewrite the condition with '
            'the opposite operator, such as != for ==, or put "not" at the top.',
        )
    if head == "raw":
        raise RuleError(
            f"{place}.raw", f'{place} has "raw" inside the rule. It stands only at the top, exactly as it was read.'
        )
    return _group(rule, head, place, depth)


def _head(rule: dict[str, object], place: str) -> str:
    heads = [head for head in _HEADS if head in rule]
    if not heads:
        keys = ", ".join(shown(key) for key in list(rule)[:5])
        raise RuleError(place, f"{place} has the keys {keys}, which make no rule. Use {_FORMS}.")
    if len(heads) > 1:
        found = " and ".join(f'"{head}"' for head in heads)
        raise RuleError(place, f'{place} mixes {found}. Use one of them, and nest the others under "all" or "any".')
    return heads[0]


def _group(rule: dict[str, object], head: str, place: str, depth: int) -> list[object]:
    _check_alone(rule, head, place)
    members = rule[head]
    at = f"{place}.{head}"
    if not isinstance(members, list) or not members:
        raise RuleError(
            at,
            f"{at} is {shown(members)}, but should be a list of at least one rule. For no rule at all, write null "
            "instead of the whole rule.",
        )
    sequences = [_sequence(member, f"{at}[{index}]", depth + 1) for index, member in enumerate(members)]
    if len(sequences) == 1:
        return sequences[0]
    tokens: list[object] = []
    for sequence in sequences:
        if tokens:
            tokens.append(combinator(_KINDS[head]))
        tokens.append(sequence if len(sequence) > 1 else sequence[0])
    return tokens


def _check_alone(rule: dict[str, object], head: str, place: str, also: str | None = None) -> None:
    for key in rule:
        if key not in (head, also):
            raise RuleError(place, f'{place} has the key {shown(key)} beside "{head}". Leave it out or nest it inside.')


def _raw_text(rule: dict[str, object], present: str) -> str:
    at = f"{ROOT}.raw"
    _check_alone(rule, "raw", ROOT, also="reason")
    text, reason = rule["raw"], rule.get("reason")
    if not isinstance(text, str) or not (reason is None or isinstance(reason, str)):
        fault = reason if isinstance(text, str) else text
        raise RuleError(at, f"{ROOT} has {shown(fault)} under raw or reason, but both should be text as it was read.")
    if present and text == present:
        return text
    try:
        if not is_storable(text):
            raise RuleError(at, "It holds a NUL character or half of a surrogate pair.")
        tokens = _bounded(read_tokens(text))
        _check_token_list(tokens)
    except RuleError as error:
        raise RuleError(
            at, f"{at} is accepted only as it was read. {error.message} Send it back unchanged, or write {_FORMS}."
        ) from None
    return text


def _check_token_list(tokens: list[object]) -> None:
    if not tokens:
        raise RuleError(ROOT, "It holds an empty list, which has no meaning.")
    for token in tokens:
        if isinstance(token, list):
            _check_token_list(token)
        elif not isinstance(token, dict) or not isinstance(token.get("type"), str) or not token["type"]:
            raise RuleError(ROOT, f'It holds {shown(token)} where a condition with a "type" or a list should stand.')
