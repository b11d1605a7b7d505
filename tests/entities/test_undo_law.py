"""The undo law: sets undone in reverse and redone in order pass through the same states, ids and texts included."""

import contextlib

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from configbox.entities import history
from configbox.entities.errors import Conflict
from tests.conftest import LONG_SWEEPS
from tests.entities.dumps import Dump, records
from tests.entities.gestures import make_one
from tests.entities.rollback import rolled_back
from tests.entities.shop import Shop

pytestmark = pytest.mark.thorough

SENSITIVE = ("maxmind_license_key", "product_key")
SETS = 6
WRITES_PER_SET = 3
EXAMPLES = settings(max_examples=1000 if LONG_SWEEPS else 25)


def state() -> Dump:
    return records(without=SENSITIVE)


def make_sets(data: st.DataObject, shop: Shop) -> tuple[list[str], list[Dump]]:
    """Write a random series of sets; return their handles and the states before, between and after them."""
    handles: list[str] = []
    states = [state()]
    for _ in range(data.draw(st.integers(3, SETS), label="sets")):
        into: str | None = None
        for _ in range(data.draw(st.integers(1, WRITES_PER_SET), label="writes")):
            into = make_one(data, shop, into) or into
        if into is None:
            assert state() == states[-1]
        else:
            handles.append(into)
            states.append(state())
    event(f"{len(handles)} sets")
    return handles, states


@pytest.mark.timeout(3600)
@EXAMPLES
@given(data=st.data())
def test_sets_undone_and_redone_pass_through_the_same_states(data: st.DataObject, shop: Shop) -> None:
    with rolled_back():
        handles, states = make_sets(data, shop)
        for _ in range(2):
            for place in reversed(range(len(handles))):
                history.undo(handles[place])
                assert state() == states[place]
            for place, handle in enumerate(handles):
                history.redo(handle)
                assert state() == states[place + 1]


@pytest.mark.timeout(3600)
@EXAMPLES
@given(data=st.data())
def test_a_set_undone_at_any_time_is_redone_or_refused_whole(data: st.DataObject, shop: Shop) -> None:
    """Out of order, an undo either meets a later set and changes nothing, or a redo takes exactly it back."""
    with rolled_back():
        handles, states = make_sets(data, shop)
        for handle in data.draw(st.permutations(handles), label="order"):
            before = state()
            try:
                history.undo(handle)
            except Conflict:
                assert state() == before
                continue
            between = state()
            history.redo(handle)
            assert state() == before
            history.undo(handle)
            assert state() == between
        # What was refused for a later set's sake is possible by now, or met something else; nothing is half done.
        for handle in reversed(handles):
            with contextlib.suppress(Conflict):
                history.undo(handle)
        if all(each["state"] == "undone" for each in history.change_sets(len(handles)) if handles):
            assert state() == states[0]
