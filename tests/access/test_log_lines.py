"""Lines of the log: whatever somebody wrote into an address or a message, no token's secret is in them."""

import logging
import sys

from configbox.access.log_lines import TokenMaskingFormatter

SECRET = "AbCdEf0123_-secret-secret-secret"


def line(message, *args, exc_info=None):
    record = logging.LogRecord("django.request", logging.WARNING, "here.py", 1, message, args, exc_info)
    return TokenMaskingFormatter("{levelname} {message}", style="{").format(record)


def test_the_secret_of_a_token_is_replaced_and_its_id_stays():
    assert line("Not Found: %s", f"/cb-api/v1/product/cbx_12_{SECRET}") == (
        "WARNING Not Found: /cb-api/v1/product/cbx_12_***"
    )
    assert line(f"?access_token=cbx_3_{SECRET}&x=cbx_4_{SECRET}") == "WARNING ?access_token=cbx_3_***&x=cbx_4_***"


def test_names_that_only_look_alike_stay():
    assert line("tool=cbx_get_entity caller=token #3") == "WARNING tool=cbx_get_entity caller=token #3"


def test_a_traceback_is_masked_too():
    try:
        raise ValueError(f"cbx_12_{SECRET}")
    except ValueError:
        text = line("failed", exc_info=sys.exc_info())
    assert SECRET not in text
    assert "ValueError: cbx_12_***" in text


def test_the_stores_own_handler_writes_such_lines(settings):
    formatter = settings.LOGGING["formatters"][settings.LOGGING["handlers"]["stderr"]["formatter"]]
    assert formatter["class"] == f"{TokenMaskingFormatter.__module__}.{TokenMaskingFormatter.__qualname__}"
