"""One price per key by a stated rule; one currency; one day."""

from __future__ import annotations

from datetime import date

import pytest

from tests.engine.sheets.conftest import ROW, Read, meters

NO_DAY = tuple(name for name in ROW if not name.startswith("Effective"))


def prices(sheet: object) -> list[float]:
    return [price.hourly_price for price in sheet.prices.values()]  # type: ignore[attr-defined]


def test_u50_of_two_prices_of_one_day_the_highest_counts(read: Read) -> None:
    """An EA sheet of today has no offer column: production and dev/test of a meter stand as two rows."""
    sheet = read(meters({"UnitPrice": "0.4"}, {"UnitPrice": "0.5"}, {"UnitPrice": "0.3"}))
    assert prices(sheet) == [0.5]
    assert (sheet.priced_rows, dict(sheet.others)) == (1, {"superseded": 2})
    (said,) = sheet.problems
    assert (said.kind, said.severity, said.rows) == ("several_prices", "warning", 2)
    assert "line 2 and line 3" in said.message  # the first that does not count, and the one that does
    assert "0.4 and 0.5 an hour" in said.message and "the highest" in said.message


def test_u50_of_two_days_the_newer_counts(read: Read) -> None:
    old = {"EffectiveStartDate": "2026-10-01", "EffectiveEndDate": "", "UnitPrice": "0.9"}
    assert prices(read(meters(old, {}))) == [0.5]


def test_u50_the_same_price_twice_is_no_problem(read: Read) -> None:
    sheet = read(meters({}, {"UnitPrice": "50", "UnitOfMeasure": "100 Hours"}))
    assert (prices(sheet), dict(sheet.others), sheet.problems) == ([0.5], {"repeated": 1}, ())


def test_u53_two_currencies_are_never_mixed(read: Read) -> None:
    rows = ({}, {"MeterName": "NC8as T4 v3"}, {"MeterName": "NC16as T4 v3", "CurrencyCode": "EUR"})
    sheet = read(meters(*rows))
    assert (sheet.currency, sheet.priced_rows, sheet.error_rows) == ("USD", 2, 1)
    assert (sheet.problems[0].kind, sheet.problems[0].line, sheet.problems[0].value) == ("other_currency", 4, "EUR")


@pytest.mark.parametrize("code", ["US$", "dollars", "12"])
def test_u53_what_is_no_currency_code_costs_its_row(read: Read, code: str) -> None:
    sheet = read(meters({"CurrencyCode": code}, {}))
    assert (sheet.priced_rows, sheet.error_rows, sheet.problems[0].column) == (1, 1, "CurrencyCode")


def test_u53_without_a_currency_it_is_asked_for(read: Read) -> None:
    header = tuple(name for name in ROW if name != "CurrencyCode")
    asked = read(meters({}, header=header))
    assert (asked.usable, asked.needs, asked.currency) == (False, ("currency",), None)
    told = read(meters({}, header=header), currency="EUR")
    assert (told.usable, told.needs, told.currency) == (True, (), "EUR")


def test_what_is_said_does_not_overrule_the_sheet(read: Read) -> None:
    sheet = read(meters({}), currency="EUR", as_of=date(2020, 1, 1))
    assert (sheet.currency, sheet.as_of) == ("USD", date(2026, 11, 1))


def test_without_a_day_it_is_asked_for(read: Read) -> None:
    asked = read(meters({}, header=NO_DAY))
    assert (asked.usable, asked.needs, asked.as_of) == (False, ("as_of",), None)
    told = read(meters({}, header=NO_DAY), as_of=date(2026, 11, 15))
    assert (told.usable, told.as_of) == (True, date(2026, 11, 15))


def test_the_billing_period_above_an_older_sheet_is_its_day(read: Read) -> None:
    above = "Price Sheet Report for billing period - 202610\n\n"
    assert read(meters({}, header=NO_DAY, above=above)).as_of == date(2026, 10, 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-01T00:00:00Z", date(2026, 11, 1)),
        ("2026-11-01 00:00:00", date(2026, 11, 1)),
        ("11/01/2026", date(2026, 11, 1)),  # EA and MCA: month first, whatever the locale
        ("01.11.2026", date(2026, 11, 1)),
        ("202611", date(2026, 11, 1)),
        ("45292", date(2024, 1, 1)),  # as Excel counts days
    ],
)
def test_days_as_sheets_write_them(read: Read, text: str, day: date) -> None:
    assert read(meters({"EffectiveStartDate": text, "EffectiveEndDate": ""})).as_of == day


@pytest.mark.parametrize("text", ["soon", "2026-13-01", "31/31/2026", "0000-00-00"])
def test_a_day_that_is_none_costs_its_row(read: Read, text: str) -> None:
    sheet = read(meters({"EffectiveStartDate": text}, {}))
    assert (sheet.priced_rows, sheet.error_rows, sheet.problems[0].kind) == (1, 1, "bad_date")


def test_a_commitment_too_cheap_to_be_true_is_refused(read: Read) -> None:
    """500 for a year is 0.057 an hour, 11 % of 0.5; 400 is 0.046, 9 %: rather the price of a month."""
    for total, priced in (("500", 2), ("400", 1)):
        sheet = read(meters({}, {"priceType": "ReservedInstance", "Term": "P1Y", "UnitPrice": total}))
        assert (sheet.priced_rows, sheet.error_rows) == (priced, 2 - priced)
    assert (sheet.problems[0].kind, sheet.problems[0].line) == ("implausible_price", 3)


def test_a_commitment_dearer_than_none_is_used_and_said(read: Read) -> None:
    sheet = read(meters({}, {"priceType": "SavingsPlan", "Term": "P1Y", "UnitPrice": "0.6"}))
    assert (sheet.priced_rows, sheet.problems[0].kind, sheet.problems[0].severity) == (2, "dear_commitment", "warning")
