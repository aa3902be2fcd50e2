"""Cells of a price sheet, per distinct text: prices, blocks of hours, terms, kinds of price, days."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Literal

import numpy as np

from advisor.engine.catalogue import squash
from advisor.engine.prices import PriceModel
from advisor.engine.readers.fields import Fault, Parsed, Parser, Value, cost, number
from advisor.engine.readers.numbers import DecimalMark
from advisor.engine.readers.text import BLANKS

Kind = Literal["consumption", "reservation", "savings_plan", "dev_test"]
#: Hours of a term, by which the whole price of a reservation is divided.
TERM_HOURS = {1: 8760.0, 3: 26280.0}
COMMITTED: dict[tuple[Kind, int], PriceModel] = {
    ("reservation", 1): "ri_1y",
    ("reservation", 3): "ri_3y",
    ("savings_plan", 1): "sp_1y",
    ("savings_plan", 3): "sp_3y",
}
_KINDS: dict[str, Kind] = {
    "": "consumption",
    "consumption": "consumption",
    "ondemand": "consumption",
    "payasyougo": "consumption",
    "savingsplan": "savings_plan",
    "reservation": "reservation",
    "reservedinstance": "reservation",
    "devtestconsumption": "dev_test",
    "devtest": "dev_test",
}
_TERMS = re.compile(r"p?(\d+|one|three|five)(y|yr|yrs|year|years|m|month|months)")
_NUMBERS = {"one": 1, "three": 3, "five": 5}
_HOUR_WORDS = "hours?|hrs?|h|horas?|stunden?|std|heures?|ore|ora|uren|uur|godzin[ay]?|小时|時間|시간"
_UNIT = re.compile(rf"(?P<block>\d{{1,3}}(?:[.,\s]\d{{3}})+|\d+)?\s*/?\s*(?:{_HOUR_WORDS})", re.IGNORECASE)
BLOCK_MAX = 1_000_000.0
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_US = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?: .*)?")  # EA and MCA write MM/DD/YYYY whatever the locale
_DOTS = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?: .*)?")
_MONTH = re.compile(r"(\d{4})-?(\d{2})")
_SERIAL = re.compile(r"[3-6]\d{4}(?:\.\d+)?")  # a day as Excel counts them: 45292 is 2024-01-01
_EXCEL_EPOCH = date(1899, 12, 30)


def price(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    """An amount of money above 0; 0 is refused: a price of 0 is no price."""
    parsed = cost(texts, mark)
    for place, value in enumerate(parsed.values):
        if value == 0:
            parsed.values[place] = None
            parsed.faults[place] = Fault("zero_price", "a price above 0; 0 is no price")
    return parsed


#: The lowest quantity from which a price holds: 0 for all but graduated prices.
tier = number(0, 1e15, "a quantity, 0 or more")


def _parser(read: Callable[[str], Value], kind: str, allowed: str) -> Parser:
    """A parser of texts that `read` answers with None where they cannot be read; an empty text has no value."""
    fault = Fault(kind, allowed)

    def parse(texts: Sequence[str], _mark: DecimalMark) -> Parsed:
        plain = [text.strip(BLANKS)[:60] for text in texts]
        values = [read(text) if text else None for text in plain]
        faults = {place: fault for place, text in enumerate(plain) if text and values[place] is None}
        return Parsed(values, faults)

    return parse


def hours_of_unit(text: str) -> float | None:
    """The hours of a block such as `100 Hours`; None for what is no number of hours.

    >>> hours_of_unit("100 Hours"), hours_of_unit("1/Hour"), hours_of_unit("1 GB")
    (100.0, 1.0, None)
    """
    found = _UNIT.fullmatch(text)
    if found is None:
        return None
    block = float(re.sub(r"\D", "", found["block"] or "1"))
    return block if 0 < block <= BLOCK_MAX else None


def years_of_term(text: str) -> float | None:
    """Years of a term such as `P3Y`, `3 Years` or `36 months`; None for what is no term."""
    found = _TERMS.fullmatch(squash(text))
    if found is None:
        return None
    many = _NUMBERS.get(found[1]) or int(found[1])
    years = many / 12 if found[2].startswith("m") else float(many)
    return years if years > 0 else None


def kind_of_price(text: str) -> str | None:
    """What a row prices: consumption, a reservation, a savings plan, or dev/test consumption."""
    return _KINDS.get(squash(text))


def day_number(text: str) -> float | None:
    """The ordinal of a day written in ISO 8601, as MM/DD/YYYY, as DD.MM.YYYY, as a month, or as Excel's number."""
    try:
        if found := _ISO.fullmatch(text):
            return float(date(int(found[1]), int(found[2]), int(found[3])).toordinal())
        if found := _US.fullmatch(text):
            return float(date(int(found[3]), int(found[1]), int(found[2])).toordinal())
        if found := _DOTS.fullmatch(text):
            return float(date(int(found[3]), int(found[2]), int(found[1])).toordinal())
        if found := _MONTH.fullmatch(text):
            return float(date(int(found[1]), int(found[2]), 1).toordinal())
        if _SERIAL.fullmatch(text):
            return float((_EXCEL_EPOCH + timedelta(days=int(float(text)))).toordinal())
    except ValueError:
        pass
    return None


unit = _parser(hours_of_unit, "bad_unit", "a number of hours, such as 1 Hour or 100 Hours")
term = _parser(years_of_term, "bad_term", "1 Year, 3 Years, P1Y or P3Y")
day = _parser(day_number, "bad_date", "a day such as 2026-11-01")


def price_kind(texts: Sequence[str], mark: DecimalMark) -> Parsed:
    """The kind of each price; an empty text is consumption, as in sheets older than the column."""
    parsed = _parser(kind_of_price, "bad_price_type", "Consumption, SavingsPlan, ReservedInstance or DevTest")(
        texts, mark
    )
    parsed.values = [
        "consumption" if not text.strip(BLANKS) else value for text, value in zip(texts, parsed.values, strict=True)
    ]
    return parsed


def numbers_of(parsed: Parsed, codes: np.ndarray) -> np.ndarray:
    """The value of each row as a number, NaN where it has none."""
    values = [np.nan if value is None else float(value) for value in parsed.values] or [np.nan]
    return np.asarray(np.array(values)[codes])
