"""A price list made by hand."""

from __future__ import annotations

from datetime import date

import pytest

from tests.engine.sheets.conftest import SAMPLES, Read


def test_the_sample(read: Read) -> None:
    sheet = read(SAMPLES / "by_hand.csv")
    t4, a100 = ("Standard_NC4as_T4_v3", "westeurope"), ("Standard_NC24ads_A100_v4", "westeurope")
    assert (sheet.format, sheet.currency, sheet.as_of) == ("price-list", "EUR", date(2026, 11, 15))
    assert {key: price.hourly_price for key, price in sheet.prices.items()} == {
        (*t4, "linux", "payg"): 0.52,
        (*t4, "linux", "ri_3y"): 0.21,
        (*a100, "linux", "payg"): 3.1,
        (*a100, "windows", "payg"): 4.05,
    }
    assert (sheet.rows_read, sheet.priced_rows, sheet.other_rows, sheet.error_rows) == (10, 4, 1, 5)
    assert [(problem.line, problem.kind) for problem in sheet.problems] == [
        (6, "unknown_size"),
        (7, "unknown_region"),
        (8, "zero_price"),
        (9, "missing_price"),
        (10, "other_currency"),
    ]
    assert sheet.problems[1].suggestions[0] == "westeurope"


def test_the_least_a_list_needs(read: Read) -> None:
    sheet = read("size,region,hourly_price\nNC6s_v3,eastus,2.75\n", currency="USD", as_of=date(2026, 11, 1))
    assert list(sheet.prices) == [("Standard_NC6s_v3", "eastus", "linux", "payg")]
    assert {problem.kind for problem in sheet.problems} == {"assumed_os", "assumed_price_model"}


@pytest.mark.parametrize("name", ["price", "Hourly Price", "price per hour", "Stundenpreis", "시간당 가격", "rate"])
def test_names_of_the_price_column(read: Read, name: str) -> None:
    sheet = read(f"size,region,{name}\nNC6s_v3,eastus,2.75\n", currency="USD", as_of=date(2026, 11, 1))
    assert [price.hourly_price for price in sheet.prices.values()] == [2.75]


@pytest.mark.parametrize(
    ("words", "model"),
    [
        ("Pay as you go", "payg"),
        ("spot", "spot"),
        ("Reserved 1 year", "ri_1y"),
        ("ri_3y", "ri_3y"),
        ("1y savings plan", "sp_1y"),
    ],
)
def test_words_of_price_models(read: Read, words: str, model: str) -> None:
    text = f"size,region,os,price_model,price,currency,as_of\nNC6s_v3,eastus,Linux,{words},2,USD,2026-11-01\n"
    assert [key[3] for key in read(text).prices] == [model]


@pytest.mark.parametrize(("column", "cell"), [("os", "BeOS"), ("price_model", "free"), ("as_of", "soon")])
def test_a_cell_that_is_not_understood_costs_its_row(read: Read, column: str, cell: str) -> None:
    row = {"size": "NC6s_v3", "region": "eastus", "os": "Linux", "price_model": "payg", "price": "2", "currency": "USD"}
    row["as_of"] = "2026-11-01"
    lines = [",".join(cells.values()) for cells in (row | {column: cell}, row)]
    sheet = read("\n".join([",".join(row), *lines]))
    assert (sheet.priced_rows, sheet.error_rows) == (1, 1)
    assert (sheet.problems[0].line, sheet.problems[0].column, sheet.problems[0].value) == (2, column, cell)


def test_each_row_may_have_a_day_of_its_own(read: Read) -> None:
    text = "size,region,price,currency,as_of\nNC6s_v3,eastus,2,USD,2026-11-01\nNC12s_v3,eastus,4,USD,2026-09-01\n"
    sheet = read(text)
    assert sheet.as_of == date(2026, 11, 1)
    assert [price.as_of for price in sheet.prices.values()] == [date(2026, 11, 1), date(2026, 9, 1)]


def test_a_size_called_spot_has_a_spot_price(read: Read) -> None:
    text = "size,region,price,currency,as_of\nNC6s v3 Spot,eastus,0.6,USD,2026-11-01\n"
    assert [key[3] for key in read(text).prices] == ["spot"]


def test_an_amount_may_carry_its_currency_sign(read: Read) -> None:
    text = 'size,region,price,currency,as_of\nNC6s_v3,eastus,"$ 2.75",USD,2026-11-01\n'
    assert [price.hourly_price for price in read(text).prices.values()] == [2.75]
