"""Days of a usage file: how people and programs write them, and the period that they cover.

`08/09/2023` does not say whether it is in August or in September, so days are kept as written until the whole file is
read: then the other days, and those of its billing period, decide for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta
from typing import NamedTuple

from advisor.engine.readers.reading import Period
from advisor.engine.readers.text import BLANKS

_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?", re.ASCII)
_COMPACT = re.compile(r"(20\d{2})(\d{2})(\d{2})(?:\.0)?", re.ASCII)
_TWO_WAYS = re.compile(r"(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4})(?:[T ].*)?", re.ASCII)
_SERIAL = re.compile(r"(\d{5})(?:\.\d+)?", re.ASCII)
_SERIAL_START = date(1899, 12, 30)  # day 0 of a spreadsheet's dates
MONTHS_MAX = 12


class Day(NamedTuple):
    """A day as written: `first` and `second` are month and day, where `sure`, else one of the two orders."""

    year: int
    first: int
    second: int
    sure: bool
    dotted: bool = False  # 14.08.2023: whoever writes points writes the day first


def read_day(text: str) -> Day | None:
    """The day that `text` names, its time dropped; None when it names none.

    >>> read_day("2024-09-01T00:00Z")
    Day(year=2024, first=9, second=1, sure=True, dotted=False)
    """
    plain = text.strip(BLANKS)[:40]
    if found := _ISO.fullmatch(plain) or _COMPACT.fullmatch(plain):
        day = Day(int(found[1]), int(found[2]), int(found[3]), sure=True)
        return day if _date(day.year, day.first, day.second) else None
    if found := _TWO_WAYS.fullmatch(plain):
        day = Day(int(found[4]), int(found[1]), int(found[3]), sure=False, dotted=found[2] == ".")
        return day if _date(day.year, day.first, day.second) or _date(day.year, day.second, day.first) else None
    if found := _SERIAL.fullmatch(plain):
        moment = _SERIAL_START + timedelta(days=int(found[1]))
        return Day(moment.year, moment.month, moment.day, sure=True)
    return None


def day_first(days: Collection[Day]) -> bool:
    """True where the days are written day before month: by points, else by the days that have only one reading.

    Exports of Azure write the month first whatever the user's language, so that is taken where no day decides.
    """
    open_days = [day for day in days if not day.sure]
    if any(day.dotted for day in open_days):
        return True
    day_before = sum(day.first > MONTHS_MAX for day in open_days)
    return day_before > sum(day.second > MONTHS_MAX for day in open_days)


def to_date(day: Day, first_is_day: bool) -> date | None:
    """The date of `day` in the file's order; in the other one where only that is a date."""
    orders = [(day.first, day.second)] if day.sure else [(day.first, day.second), (day.second, day.first)]
    if first_is_day and not day.sure:
        orders.reverse()
    return next((found for month, number in orders if (found := _date(day.year, month, number))), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def period_of(
    used: Collection[Day], starts: Collection[Day], ends: Collection[Day], *, open_end: bool
) -> Period | None:
    """The billing period of the file, else its first to last usage day; None where it has neither.

    Whole days, 24 hours each. `open_end`: the last day of the billing period is the first one after it, as in FOCUS.
    """
    first_is_day = day_first([*used, *starts, *ends])
    first = min(_dates(starts, first_is_day), default=None)
    last = max(_dates(ends, first_is_day), default=None)
    if last is not None and open_end:
        last -= timedelta(days=1)
    if first is None or last is None or last < first:
        days = _dates(used, first_is_day)
        if not days:
            return None
        first, last = min(days), max(days)
    return Period(start=first, end=last, hours=24.0 * ((last - first).days + 1))


def usage_span(used: Collection[Day], others: Collection[Day]) -> tuple[date, date] | None:
    """First and last usage day, None where no row has one; `others` help to tell month from day."""
    days = _dates(used, day_first([*used, *others]))
    return (min(days), max(days)) if days else None


def _dates(days: Collection[Day], first_is_day: bool) -> list[date]:
    return [found for day in days if (found := to_date(day, first_is_day))]
