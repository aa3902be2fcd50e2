"""The user's own prices before the list's: which price counts, where it says it comes from, and in which currency."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_from_json import advice_from_json
from advisor.engine.advice_json import advice_json
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.currencies import ExchangeRate, UnknownRate
from advisor.engine.prices import Os, Price, PriceBook, PriceModel
from advisor.engine.quotes import Quote, Quotes
from advisor.engine.redact import redact
from advisor.engine.sheets import PriceSheet
from tests.factories import AS_OF, make_reading, make_request, make_row, option_of

T4 = "Standard_NC4as_T4_v3"  # 4 vCPUs: 4 x 0.046 = 0.184 for Windows
FILE = "contoso-secret.csv"


def row(price: float, os: Os = "linux", model: PriceModel = "payg", *, age: int = 30, source: str = "list") -> Price:
    return Price(
        size=T4,
        region="westeurope",
        os=os,
        price_model=model,
        hourly_price=price,
        as_of=AS_OF - timedelta(days=age),
        source=source,
    )


def own(price: float, os: Os = "linux", model: PriceModel = "payg", *, age: int = 30) -> Price:
    return row(price, os, model, age=age, source=f"your price sheet {FILE}")


def sheet_with(*prices: Price, currency: str = "USD") -> PriceSheet:
    return PriceSheet(
        file=FILE,
        format="price-sheet",
        usable=True,
        currency=currency,
        as_of=AS_OF - timedelta(days=30),
        rows_read=len(prices),
        priced_rows=len(prices),
        prices={(p.size, p.region, p.os, p.price_model): p for p in prices},
    )


def quotes(catalogue: Catalogue, book: PriceBook, listed: list[Price], mine: list[Price]) -> Quotes:
    """A list of nothing but `listed`, and a sheet of `mine` before it."""
    plain = replace(book, prices={(p.size, p.region, p.os, p.price_model): p for p in listed})
    return Quotes(plain.with_sheet(sheet_with(*mine)), catalogue)


def ask_for(found: Quotes, os: Os = "linux", model: PriceModel = "payg") -> Quote:
    quote = found.quote(T4, "westeurope", os, model, AS_OF)
    assert quote is not None
    return quote


def test_an_own_price_goes_before_the_lists(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5)], [own(0.42)]))
    assert (quote.compute, quote.source, quote.own, quote.estimated) == (0.42, f"your price sheet {FILE}", True, False)


def test_everything_else_stays_with_its_own_source(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5), row(0.2, model="ri_3y")], [own(0.42)]), model="ri_3y")
    assert (quote.compute, quote.source, quote.own) == (0.2, "list", False)


def test_the_books_name_says_that_own_prices_are_in_it(price_book: PriceBook) -> None:
    book = price_book.with_sheet(sheet_with(own(0.42)))
    assert book.name == f"{price_book.name} and your price sheet"
    assert book.prices == price_book.prices


def test_an_own_price_older_than_twelve_months_is_history(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quotes(catalogue, price_book, [row(0.5)], [own(0.42, age=366)])
    assert ask_for(found).compute == 0.5
    last = found.last_known(T4, "westeurope", "linux")
    assert last is not None and last.compute == 0.42  # what the user used to pay


def test_own_windows_and_linux_rows_give_the_licence(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5)], [own(0.42), own(0.6, "windows")]), "windows")
    assert (quote.compute, quote.licence) == (0.42, pytest.approx(0.18))  # 0.60 - 0.42


def test_an_own_windows_row_alone_goes_before_the_lists_linux_row(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5)], [own(0.6, "windows")]), "windows")
    assert (quote.compute, quote.licence, quote.hourly) == (pytest.approx(0.416), pytest.approx(0.184), 0.6)


def test_an_own_linux_row_with_a_listed_windows_row_gives_no_difference(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5), row(0.9, "windows")], [own(0.42)]), "windows")
    assert (quote.compute, quote.licence) == (0.42, pytest.approx(0.184))


def test_an_own_windows_row_below_its_licence_is_not_believed(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, [row(0.5)], [own(0.1, "windows")]), "windows")
    assert (quote.compute, quote.source) == (0.5, "list")


def test_a_commitment_is_estimated_from_the_list_and_not_from_own_prices(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    """What was observed is a share of the list price: 62.0 % off 1.00 for three years, whatever is paid by the hour."""
    quote = ask_for(quotes(catalogue, price_book, [row(1.0)], [own(0.8)]), model="ri_3y")
    assert (quote.compute, quote.estimated, quote.own) == (pytest.approx(0.38), True, False)


def test_without_a_list_price_a_commitment_is_estimated_from_the_own_one(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    quote = ask_for(quotes(catalogue, price_book, [], [own(0.8)]), model="ri_3y")
    assert (quote.compute, quote.estimated) == (pytest.approx(0.304), True)  # 0.8 x 0.38


def test_an_own_price_is_evidence_that_the_size_is_listed(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert quotes(catalogue, price_book, [], [own(0.42)]).is_listed(T4, "westeurope")
    assert not quotes(catalogue, price_book, [], [own(0.42, age=184)]).is_listed(T4, "westeurope")


# Currency


def test_u53_a_sheet_in_another_currency_needs_a_stated_rate(price_book: PriceBook) -> None:
    with pytest.raises(UnknownRate, match="in EUR and the price book in USD") as error:
        price_book.with_sheet(sheet_with(own(0.43), currency="EUR"))
    assert error.value.currency == "EUR"


def test_u53_a_sheet_in_another_currency_is_converted_over_the_dollar(price_book: PriceBook) -> None:
    rates = [ExchangeRate(currency="EUR", rate=0.86, as_of=date(2026, 11, 27))]
    book = price_book.with_sheet(sheet_with(own(0.43), currency="EUR"), rates)
    (price,) = book.own.values()
    assert price.hourly_price == pytest.approx(0.5)  # 0.43 EUR / 0.86 EUR for one USD
    assert book.currency == "USD" and "1.16279 USD for one EUR" in book.own_note and "2026-11-27" in book.own_note


def test_u53_a_dollar_sheet_beside_a_converted_list_takes_the_lists_rate(price_book: PriceBook) -> None:
    euro = price_book.in_currency("EUR", 0.86, date(2026, 11, 27))
    (price,) = euro.with_sheet(sheet_with(own(0.5))).own.values()
    assert price.hourly_price == pytest.approx(0.43)


def test_u53_a_sheet_in_the_currency_asked_for_is_not_converted(price_book: PriceBook) -> None:
    book = price_book.in_currency("EUR", 0.86, date(2026, 11, 27)).with_sheet(sheet_with(own(0.43), currency="EUR"))
    assert ([price.hourly_price for price in book.own.values()], book.own_note) == ([0.43], "")


def test_u53_two_foreign_currencies_meet_over_the_dollar(price_book: PriceBook) -> None:
    won = price_book.in_currency("KRW", 1400.0, date(2026, 11, 27))
    sheet = sheet_with(own(0.43), currency="EUR")
    with pytest.raises(UnknownRate) as error:
        won.with_sheet(sheet)
    assert error.value.currency == "EUR"
    (price,) = won.with_sheet(sheet, [ExchangeRate(currency="EUR", rate=0.86, as_of=AS_OF)]).own.values()
    assert price.hourly_price == pytest.approx(700.0)  # 0.43 / 0.86 x 1,400


@pytest.mark.parametrize(
    ("book_in", "stated", "rate"),
    [("USD", None, 1.0), ("EUR", None, None), ("EUR", 0.86, 0.86), ("KRW", 1400.0, 1400.0)],
)
def test_u53_what_a_dollar_costs_is_known_or_asked_for(
    price_book: PriceBook, book_in: str, stated: float | None, rate: float | None
) -> None:
    native = replace(price_book, currency=book_in)
    told = ExchangeRate(currency=book_in, rate=stated, as_of=AS_OF) if stated else None
    assert native.with_usd_rate(told).usd_rate == rate


def test_u53_a_converted_book_knows_its_dollar(price_book: PriceBook) -> None:
    assert price_book.in_currency("EUR", 0.86, AS_OF).usd_rate == 0.86


def test_u53_a_rate_of_another_currency_says_nothing_of_the_books(price_book: PriceBook) -> None:
    native = replace(price_book, currency="EUR")
    assert native.with_usd_rate(ExchangeRate(currency="KRW", rate=1400.0, as_of=AS_OF)).usd_rate is None


def test_u53_in_a_native_list_dollars_are_converted_at_the_stated_rate(
    catalogue: Catalogue, price_book: PriceBook, world: World
) -> None:
    """The user's cost in dollars x 0.86, an engineer's hour of USD 95 likewise; list prices as they are."""
    rate = ExchangeRate(currency="EUR", rate=0.86, as_of=date(2026, 11, 27))
    native = world.with_quotes(Quotes(replace(price_book, currency="EUR").with_usd_rate(rate), catalogue))
    reading = make_reading(make_row("NC6", 2, cost=1000.0, currency="USD", workload="training"))
    (dollars,), (euros,) = (advise([reading], w, make_request(top=0)).pools for w in (world, native))
    assert euros.baseline.monthly_cost == pytest.approx(860.0)
    before, after = (option_of(pool, "NC4as_T4_v3") for pool in (dollars, euros))
    assert after.tco.components["migration_labour"] == pytest.approx(0.86 * before.tco.components["migration_labour"])
    assert after.hourly_price == before.hourly_price


def test_u53_a_native_list_without_the_price_of_a_dollar_is_an_error_that_names_it(
    catalogue: Catalogue, price_book: PriceBook, world: World
) -> None:
    native = world.with_quotes(Quotes(replace(price_book, currency="EUR"), catalogue))
    with pytest.raises(UnknownRate, match="prices are in EUR") as error:
        advise([make_reading(make_row("NC6"))], native, make_request())
    assert error.value.currency == "EUR"


# The answer


@pytest.fixture(scope="module")
def own_world(catalogue: Catalogue, price_book: PriceBook, world: World) -> World:
    return world.with_quotes(Quotes(price_book.with_sheet(sheet_with(own(0.42), own(0.1, model="ri_3y"))), catalogue))


def test_options_baseline_and_price_rows_agree_on_the_own_price(own_world: World) -> None:
    reading = make_reading(make_row("NC4as_T4_v3", 2, hours=730, workload="inference"))
    (pool,) = advise([reading], own_world, make_request(top=0)).pools
    stay = option_of(pool, "NC4as_T4_v3")
    by_model = {price.price_model: price for price in stay.prices}
    assert (pool.baseline.hourly_price, stay.hourly_price, by_model["payg"].hourly_price) == (0.42, 0.42, 0.42)
    assert pool.baseline.monthly_cost == pytest.approx(2 * 730 * 0.42)  # 613.20
    assert by_model["ri_3y"].hourly_price == 0.1
    assert pool.baseline.evidence is not None
    assert (pool.baseline.kind, pool.baseline.evidence.kind) == ("list", "user")


def test_u56_pay_as_you_go_one_and_three_years_stand_side_by_side(own_world: World) -> None:
    (pool,) = advise([make_reading(make_row("NC4as_T4_v3", 2))], own_world, make_request(top=0)).pools
    shown = {row.price_model: row.source.split()[0] for row in option_of(pool, "NC4as_T4_v3").prices}
    assert set(shown) >= {"payg", "ri_1y", "ri_3y"}
    assert (shown["payg"], shown["ri_3y"]) == ("your", "your") and shown["ri_1y"] != "your"


def test_u55_a_size_that_nobody_prices_stays_out_of_the_totals(own_world: World) -> None:
    rows = (make_row("NC4as_T4_v3", 2, hours=730), make_row("NC24s_v3", 1, "chinanorth3", hours=730))
    advice = advise([make_reading(*rows)], own_world, make_request())
    assert advice.totals.unpriced_pools == 1
    assert advice.totals.baseline_monthly_cost == pytest.approx(613.2)  # the priced pool alone, not plus 0


def test_the_answer_says_that_own_prices_were_used(own_world: World) -> None:
    book = advise([make_reading(make_row("NC6", 1))], own_world, make_request()).price_book
    assert book["sheet"] == {"file": FILE, "currency": "USD", "as_of": "2026-10-31", "prices": 2, "note": ""}


def test_a_shared_answer_does_not_name_the_sheets_file(own_world: World) -> None:
    rows = (make_row("NC4as_T4_v3", 2, hours=730), make_row("NC6", 2))
    advice = advise([make_reading(*rows)], own_world, make_request())
    assert FILE in json.dumps(advice_json(advice))
    nameless = advice_json(redact(advice, with_names=False))
    assert FILE not in json.dumps(nameless)
    assert nameless["price_book"]["sheet"]["prices"] == 2
    assert "the maker's own price sheet" in json.dumps(nameless)
    assert FILE in json.dumps(advice_json(redact(advice, with_names=True)))


def test_the_answers_json_comes_back(own_world: World) -> None:
    document = advice_json(advise([make_reading(make_row("NC4as_T4_v3", 2))], own_world, make_request()))
    assert advice_json(advice_from_json(document)) == document
