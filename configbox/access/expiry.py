"""Reads until when a token is to be valid: a number of days, a day, a moment, or never."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.utils import timezone

from configbox.access.tokens import LIFETIME, TokenInvalid

NEVER: Final = "never"
DEFAULT: Final = f"{LIFETIME.days}d"
# Databases and clocks of every zone still hold what is before this year.
LAST_YEAR: Final = 9998
MAX_DAYS_DIGITS: Final = 7
FORMS: Final = "90d (days from now), 2027-01-01 (through that day), 2027-01-01T18:00+01:00 or never"
_DAYS: Final = re.compile(r"([0-9]+)d")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:.+")


def read_expiry(text: str) -> datetime | None:
    """Return the moment from which a token is refused, None for `never`.

    A day counts in the store's TIME_ZONE: the token is valid through that day. Raises TokenInvalid for what cannot be
    read, is over, or lies beyond the calendar.
    """
    if text == NEVER:
        return None
    if match := _DAYS.fullmatch(text):
        return _after_days(match[1])
    if _DAY.fullmatch(text):
        return _end_of(text)
    if _MOMENT.fullmatch(text):
        return _moment(text)
    raise TokenInvalid(f"The expiry {text!a} cannot be read; valid are {FORMS}.")


def _after_days(digits: str) -> datetime:
    count = digits.lstrip("0")
    if not count:
        raise TokenInvalid(f"A token of {digits[:MAX_DAYS_DIGITS]}d would be over at once; valid are {FORMS}.")
    now = timezone.now()
    if len(count) > MAX_DAYS_DIGITS or int(count) > (datetime(LAST_YEAR, 12, 31, tzinfo=UTC) - now).days:
        raise _too_late(f"{count[:MAX_DAYS_DIGITS]}{'...' if len(count) > MAX_DAYS_DIGITS else ''}d")
    return now + timedelta(days=int(count))


def _end_of(text: str) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise TokenInvalid(f"{text} is no day of the calendar; valid are {FORMS}.") from None
    if day.year > LAST_YEAR:
        raise _too_late(text)
    zone = timezone.get_default_timezone()
    end = datetime.combine(day + timedelta(days=1), time(), tzinfo=zone)
    if end <= timezone.now():
        raise TokenInvalid(f"The day {text} is over in the time zone {zone}; valid are {FORMS}.")
    return end


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise TokenInvalid(f"{text!a} is no moment of the calendar; valid are {FORMS}.") from None
    if moment.tzinfo is None:
        raise TokenInvalid(f"The moment {text} needs an offset, such as {text}Z or {text}+01:00.")
    if moment.year > LAST_YEAR:
        raise _too_late(text)
    if moment <= timezone.now():
        raise TokenInvalid(f"The moment {text} is over; valid are {FORMS}.")
    return moment


def _too_late(text: str) -> TokenInvalid:
    return TokenInvalid(
        f"A token can expire in the year {LAST_YEAR} at the latest, asked for was {text}. "
        f"For a token that does not expire, say {NEVER}."
    )
