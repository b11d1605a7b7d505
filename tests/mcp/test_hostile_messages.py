"""Thousands of hostile messages on each door: an answer or silence as the rules say, never a crash, memory flat."""

import logging
import time

import pytest

from cbx_mcp.protocol.dispatch import handle_message
from cbx_mcp.protocol.methods import methods
from cbx_mcp.protocol.session import Session
from cbx_mcp.tools.registry import TOOL_MODULES, gather
from configbox.access.grants import Grant
from configbox.properties.json_values import write_json
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.mcp.hostile_messages import HostileMessages, check_answer

pytestmark = pytest.mark.django_db


def stream(seed, **more):
    listed = handle_message(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', session())
    return HostileMessages(seed, list(methods()), listed["result"]["tools"], {}, **more)


def session():
    return Session(Grant.everything(), gather(TOOL_MODULES), instructions=lambda: "")


def test_probe(shop):
    import collections
    messages = stream(1)
    t = time.perf_counter()
    raws = [messages.message() for _ in range(10000)]
    print("gen", time.perf_counter() - t)
    from tests.mcp.hostile_messages import expected
    t = time.perf_counter()
    c = collections.Counter()
    for r in raws:
        e = expected(r)
        c[(e.is_silence, e.code, e.id is None)] += 1
    print("expected", time.perf_counter() - t, c)
    logging.disable(logging.CRITICAL)
    s = session()
    t = time.perf_counter()
    answers = []
    slow = []
    for r in raws:
        t1 = time.perf_counter()
        a = handle_message(r, s)
        slow.append((time.perf_counter() - t1, r[:150]))
        answers.append(None if a is None else write_json(a).encode())
    print("handle", time.perf_counter() - t)
    slow.sort(reverse=True)
    for x in slow[:10]: print(x)
    print(sum(1 for x in slow if x[0] > 0.002), sum(x[0] for x in slow if x[0] > 0.002))
    bad = 0
    t = time.perf_counter()
    for r, a in zip(raws, answers):
        try: check_answer(r, a)
        except AssertionError as e:
            bad += 1
            if bad < 15: print("BAD", str(e)[:600])
    print("check", time.perf_counter() - t, "bad", bad)
    logging.disable(logging.NOTSET)
