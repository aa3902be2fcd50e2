"""The command advise with the user's own prices, discounts and currencies."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from advisor import models
from tests.profiles import sample

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "prices"
EA, EA_OLD, BY_HAND = (str(SAMPLES / name) for name in ("ea_2023-05-01.csv", "ea_old_202304.csv", "by_hand.csv"))
FLEET = "name,size,region,count,hours_per_vm,workload,os\ntrain,NC4as_T4_v3,eastus,4,730,inference,linux\n"
DAY = ("--as-of", "2026-11-30")
EUR = ("--fx", "EUR=0.8@2026-11-27")

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(tmp_path: Path) -> str:
    path = tmp_path / "fleet.csv"
    path.write_text(FLEET, encoding="utf-8")
    return str(path)


def run(*args: str) -> str:
    out = StringIO()
    call_command("advise", *args, *DAY, stdout=out)
    return out.getvalue()


def answer(*args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*args, "--json"))
    return found


def refused(*args: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        run(*args)
    return caught.value


def stay(found: dict[str, Any]) -> dict[str, Any]:
    (option,) = (o for o in found["pools"][0]["options"] if o.get("verdict") == "stay")
    return dict(option)


# A price sheet


def test_own_prices_go_before_the_lists(fleet: str) -> None:
    found = answer(fleet, "--price-sheet", EA)
    rows = {row["price_model"]: row for row in stay(found)["prices"]}
    assert stay(found)["monthly_cost"] == pytest.approx(4 * 730 * 0.4471)  # 1,305.53
    assert {model: row["source"] for model, row in rows.items() if row["source"].startswith("your")} == dict.fromkeys(
        ("payg", "ri_1y", "ri_3y", "sp_1y"), "your price sheet ea_2023-05-01.csv"
    )
    assert found["price_book"]["name"].endswith(" and your price sheet")
    sheet = found["price_sheet"]
    assert (sheet["rows_read"], sheet["priced_rows"], sheet["other_rows"], sheet["error_rows"]) == (14, 8, 4, 2)
    assert [problem["line"] for problem in sheet["problems"]] == [14, 15]


def test_the_text_says_what_was_read_of_the_sheet(fleet: str) -> None:
    text = run(fleet, "--price-sheet", EA)
    assert "ea_2023-05-01.csv: price-sheet of 2026-11-01, USD, 14 rows = 8 priced + 4 other + 2 refused" in text
    assert "at your own price" in text and "Line 15, column MeterRegion" in text


def test_u53_a_sheet_in_euro_needs_a_rate_with_its_day(fleet: str) -> None:
    error = refused(fleet, "--price-sheet", BY_HAND)
    assert error.returncode == 2 and "--fx EUR=RATE@" in str(error)
    found = answer(fleet, "--price-sheet", BY_HAND, *EUR)
    assert (found["currency"], found["price_book"]["sheet"]["currency"]) == ("USD", "EUR")
    assert "1.25 USD for one EUR" in found["price_book"]["sheet"]["note"]


def test_u53_with_the_answer_in_euro_too_nothing_is_converted_twice(fleet: str, tmp_path: Path) -> None:
    sheet = tmp_path / "euro.csv"
    sheet.write_text("size,region,price,currency,as_of\nNC4as_T4_v3,eastus,0.4,EUR,2026-11-01\n", encoding="utf-8")
    found = answer(fleet, "--price-sheet", str(sheet), "--currency", "EUR", *EUR)
    assert (found["currency"], stay(found)["hourly_price"], found["price_book"]["sheet"]["note"]) == ("EUR", 0.4, "")


@pytest.mark.parametrize(
    ("option", "said"),
    [(("--sheet-day", "2026-11-15"), "--sheet-currency"), (("--sheet-currency", "USD"), "--sheet-day")],
)
def test_what_a_sheet_does_not_say_is_asked_for(fleet: str, tmp_path: Path, option: tuple[str, str], said: str) -> None:
    sheet = tmp_path / "bare.csv"
    sheet.write_text("size,region,price\nNC4as_T4_v3,eastus,0.4\n", encoding="utf-8")
    error = refused(fleet, "--price-sheet", str(sheet), *option)
    assert error.returncode == 1 and said in str(error)
    both = ("--sheet-day", "2026-11-15", "--sheet-currency", "USD")
    assert stay(answer(fleet, "--price-sheet", str(sheet), *both))["hourly_price"] == 0.4


@pytest.mark.parametrize("name", ["missing.csv", "fleet.csv"])
def test_a_sheet_that_cannot_be_used_ends_with_one_line(fleet: str, tmp_path: Path, name: str) -> None:
    error = refused(fleet, "--price-sheet", str(tmp_path / name))
    assert error.returncode == 1 and name in str(error) and "\n" not in str(error)


def test_a_price_sheet_given_as_a_fleet_says_where_it_goes() -> None:
    error = refused(EA_OLD)
    assert error.returncode == 1 and "--price-sheet" in str(error)


def test_a_report_does_not_name_the_sheet(fleet: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    run(fleet, "--price-sheet", EA, "--html", str(path))
    html = path.read_text(encoding="utf-8")
    assert "ea_2023-05-01" not in html and "price sheet" in html
    run(fleet, "--price-sheet", EA, "--html", str(path), "--with-names")
    assert "ea_2023-05-01" in path.read_text(encoding="utf-8")


# Discounts


def test_a_discount_is_off_the_list_and_said(fleet: str) -> None:
    plain, less = answer(fleet), answer(fleet, "--discount", "ncast4_v3=10%")
    assert stay(less)["hourly_price"] == pytest.approx(0.9 * stay(plain)["hourly_price"])
    assert less["pools"][0]["baseline"]["hourly_price"] == stay(less)["hourly_price"]
    assert less["price_book"]["discounts"] == [{"series": "NCasT4_v3", "percent": 10.0, "price_models": []}]
    assert "less 10 % on NCasT4_v3" in " ".join(run(fleet, "--discount", "NCasT4_v3=10").split())


def test_a_discount_may_name_price_models(fleet: str) -> None:
    plain, less = answer(fleet), answer(fleet, "--discount", "NCasT4_v3:ri_1y,ri_3y=10")
    prices = [{row["price_model"]: row["hourly_price"] for row in stay(found)["prices"]} for found in (plain, less)]
    shares = {model: round(prices[1][model] / price, 9) for model, price in prices[0].items()}
    assert shares == {"payg": 1.0, "sp_1y": 1.0, "sp_3y": 1.0, "ri_1y": 0.9, "ri_3y": 0.9}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("NCasT9_v9=5", "no series"),
        ("NC4as_T4_v3=5", "its series is NCasT4_v3"),
        ("NCasT4_v3=0", "above 0"),
        ("NCasT4_v3=100", "below 100"),
        ("NCasT4_v3", "SERIES[:MODEL,..]=PERCENT"),
        ("NCasT4_v3=much", "is not a number"),
        ("NCasT4_v3:payg,cash=5", "'cash' is no price model"),
    ],
)
def test_a_discount_that_cannot_be_used_is_a_wrong_argument(fleet: str, rule: str, said: str) -> None:
    error = refused(fleet, "--discount", rule)
    assert said in str(error)
    assert getattr(error, "returncode", 2) in (1, 2)


# Currencies

RATES = {"EUR": 0.86, "GBP": 0.75, "KRW": 1400.0, "JPY": 150.0, "CHF": 0.8, "BRL": 5.4}


@pytest.mark.parametrize(("code", "rate"), sample(RATES.items(), 3))
def test_u59_every_export_has_the_same_figures_in_any_currency(
    fleet: str, tmp_path: Path, code: str, rate: float
) -> None:
    """A figure in CODE is that in US dollars x the rate, in JSON, table, report and text alike."""
    files = {name: tmp_path / name for name in ("options.csv", "report.html")}
    money = ("--currency", code, "--fx", f"{code}={rate}@2026-11-27")
    exports = ("--csv", str(files["options.csv"]), "--html", str(files["report.html"]))
    dollars, found = answer(fleet), answer(fleet, *money, *exports)
    assert (found["currency"], found["price_book"]["rate"]) == (code, rate)
    assert found["price_book"]["rate_as_of"] == "2026-11-27"
    for name in ("baseline_monthly_cost", "recommended_monthly_cost", "baseline_tco", "recommended_tco"):
        assert found["totals"][name] == pytest.approx(rate * dollars["totals"][name])
    with files["options.csv"].open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert {row["currency"] for row in table} == {code}
    assert float(table[0]["monthly_cost_then"]) == pytest.approx(found["pools"][0]["options"][0]["monthly_cost"])
    html, text = files["report.html"].read_text(encoding="utf-8"), run(fleet, *money)
    monthly = f"{round(found['totals']['recommended_monthly_cost']):,}"
    assert f"{code} {monthly} a month" in text and "USD" not in text.replace("for one USD", "")
    assert code in html and monthly in html  # its list of assumptions has their own unit, US dollars


def test_u53_a_native_book_counts_without_conversion(fleet: str) -> None:
    native_book("retail-eur", "EUR", 0.3)
    found = answer(fleet, "--price-book", "retail-eur", *EUR)
    assert (found["currency"], found["price_book"]["name"]) == ("EUR", "retail-eur")
    assert "rate" not in found["price_book"]
    assert (found["price_book"]["usd_rate"], found["price_book"]["usd_rate_as_of"]) == (0.8, "2026-11-27")
    assert stay(found)["hourly_price"] == 0.3


def test_u53_a_native_book_goes_before_a_converted_one(fleet: str) -> None:
    """The rate is stated for the assumed amounts; the prices of the list that is made in EUR are not converted."""
    dollars = answer(fleet)["price_book"]["name"]
    assert answer(fleet, "--currency", "EUR", *EUR)["price_book"]["name"] == dollars
    native_book("retail-eur", "EUR", 0.3)
    found = answer(fleet, "--currency", "EUR", *EUR)
    assert (found["price_book"]["name"], stay(found)["hourly_price"]) == ("retail-eur", 0.3)
    assert "retail-eur" in run(fleet, "--currency", "EUR", *EUR)
    converted = answer(fleet, "--price-book", dollars, "--currency", "EUR", *EUR)
    assert (converted["price_book"]["name"], converted["price_book"]["rate"]) == (dollars, 0.8)


def test_u53_a_native_book_needs_the_price_of_a_dollar_for_assumed_amounts(fleet: str) -> None:
    native_book("retail-eur", "EUR", 0.3)
    for wanted in (("--price-book", "retail-eur"), ("--currency", "EUR")):
        error = refused(fleet, *wanted)
        assert error.returncode == 2 and "--fx EUR=RATE@" in str(error)


def test_u53_a_native_book_is_converted_over_the_dollar(fleet: str) -> None:
    native_book("retail-eur", "EUR", 0.3)
    found = answer(fleet, "--price-book", "retail-eur", "--currency", "KRW", *EUR, "--fx", "KRW=1400@2026-11-26")
    assert stay(found)["hourly_price"] == pytest.approx(525.0)  # 0.30 / 0.8 x 1,400
    assert found["price_book"]["rate"] == pytest.approx(1750.0)
    assert found["price_book"]["rate_as_of"] == "2026-11-26"


@pytest.mark.parametrize("argument", ["--currency=EURO", "--fx=USD=1@2026-01-01", "--fx=EUR=0@2026-01-01"])
def test_u53_a_currency_that_cannot_be_used_is_a_wrong_argument(fleet: str, argument: str) -> None:
    refused(fleet, argument)


def native_book(name: str, currency: str, price: float) -> None:
    """A small price list in a currency of its own, of the same day as the built-in one."""
    built_in = models.StoredPriceBook.objects.get(built_in=True)
    built_in.pk, built_in.name, built_in.currency, built_in.built_in = None, name, currency, False
    built_in.save()
    models.StoredPrice.objects.create(
        book=name,
        size="Standard_NC4as_T4_v3",
        region="eastus",
        os="linux",
        price_model="payg",
        hourly_price=price,
        as_of="2026-11-30",
        source="a list in euro",
    )
