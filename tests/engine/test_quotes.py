"""Quotes: which dated price may be used for what (design 4.6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import CommitmentTerms, Os, Price, PriceBook, PriceModel
from advisor.engine.quotes import Quote, Quotes
from tests.engine.conftest import Ask
from tests.factories import AS_OF, option_of

T4 = "Standard_NC4as_T4_v3"  # 4 vCPUs


def row(
    price: float,
    os: Os = "linux",
    model: PriceModel = "payg",
    age: int = 30,
    source: str = "a",
    region: str = "westeurope",
    size: str = T4,
) -> Price:
    return Price(
        size=size,
        region=region,
        os=os,
        price_model=model,
        hourly_price=price,
        as_of=AS_OF - timedelta(days=age),
        source=source,
    )


def quotes(catalogue: Catalogue, book: PriceBook, *rows: Price) -> Quotes:
    """A book with nothing but `rows`, its terms those that are shipped."""
    return Quotes(replace(book, prices={(p.size, p.region, p.os, p.price_model): p for p in rows}), catalogue)


def ask_for(found: Quotes, os: Os = "linux", model: PriceModel = "payg", day: date = AS_OF) -> Quote | None:
    return found.quote(T4, "westeurope", os, model, day)


# Age


def test_a_price_of_the_last_twelve_months_is_used(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.5, age=365)))
    assert quote is not None and (quote.compute, quote.hourly, quote.estimated) == (0.5, 0.5, False)


def test_an_older_price_is_history(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quotes(catalogue, price_book, row(0.5, age=366))
    assert ask_for(found) is None
    last = found.last_known(T4, "westeurope", "linux")
    assert last is not None and last.compute == 0.5


def test_a_missing_price_is_none_and_not_zero(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert ask_for(quotes(catalogue, price_book, row(0.5, region="eastus"))) is None


def test_listed_means_a_price_of_the_last_six_months(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert quotes(catalogue, price_book, row(0.5, age=183)).is_listed(T4, "westeurope")
    assert not quotes(catalogue, price_book, row(0.5, age=184)).is_listed(T4, "westeurope")


# Windows licence: the difference of two rows, or 0.046 per vCPU, never both


def test_the_licence_is_the_difference_of_two_rows_of_one_source_and_day(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.5), row(0.8, "windows")), "windows")
    assert quote is not None
    assert (quote.compute, quote.licence, quote.hourly) == (0.5, pytest.approx(0.3), pytest.approx(0.8))


@pytest.mark.parametrize("other", [row(0.8, "windows", source="b"), row(0.8, "windows", age=31)])
def test_rows_of_two_sources_or_days_give_no_difference(
    catalogue: Catalogue, price_book: PriceBook, other: Price
) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.5), other), "windows")
    assert quote is not None
    assert (quote.compute, quote.licence) == (0.5, pytest.approx(4 * 0.046))  # 0.184


def test_a_windows_row_alone_holds_the_licence_already(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.784, "windows")), "windows")
    assert quote is not None
    assert (quote.compute, quote.licence) == (pytest.approx(0.6), pytest.approx(0.184))
    assert quote.hourly == pytest.approx(0.784)


def test_linux_pays_no_licence(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.5), row(0.8, "windows")))
    assert quote is not None and quote.licence == 0.0


def test_no_linux_row_prices_no_linux_machine(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert ask_for(quotes(catalogue, price_book, row(0.8, "windows"))) is None


def test_unknown_vcpus_leave_the_licence_unknown(catalogue: Catalogue, price_book: PriceBook) -> None:
    size = replace(catalogue.sizes[T4], vcpus=None)
    blind = replace(catalogue, sizes={**catalogue.sizes, T4: size})
    quote = ask_for(quotes(blind, price_book, row(0.5)), "windows")
    assert quote is not None and quote.licence is None and quote.hourly is None


# Commitments


def test_a_commitment_with_a_row_of_its_own(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(0.5), row(0.21, model="ri_3y")), model="ri_3y")
    assert quote is not None and (quote.compute, quote.estimated) == (0.21, False)


def test_a_commitment_without_a_row_is_estimated_by_the_smaller_discount(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    # NCasT4_v3, 1-year savings plan: 24.5 to 32.4 % were observed
    quote = ask_for(quotes(catalogue, price_book, row(1.0)), model="sp_1y")
    assert quote is not None
    assert (quote.compute, quote.estimated) == (pytest.approx(0.755), True)
    assert "24.5" in quote.note


def test_a_commitment_row_of_2020_is_not_used(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(1.0), row(0.1, model="ri_3y", age=2400)), model="ri_3y")
    assert quote is not None and quote.compute == pytest.approx(0.38) and quote.estimated  # 62.0 % off


def test_a_committed_windows_machine_pays_its_licence_in_full(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(1.0), row(1.2, "windows")), "windows", "ri_3y")
    assert quote is not None
    assert (quote.compute, quote.licence) == (pytest.approx(0.38), pytest.approx(0.2))


def terms(sold: bool | None, until: date | None = None) -> CommitmentTerms:
    return CommitmentTerms(
        series="NCasT4_v3",
        price_model="ri_1y",
        sold=sold,
        sold_until=until,
        discount_low=0.4,
        discount_high=0.5,
        source="test",
        as_of=AS_OF,
    )


@pytest.mark.parametrize(
    ("sold", "until", "day", "offered"),
    [
        (True, None, AS_OF, True),
        (False, None, AS_OF, False),
        (None, None, AS_OF, False),  # nobody says so, and no row prices it
        (False, date(2026, 6, 1), date(2026, 6, 1), True),  # its last day
        (False, date(2026, 6, 1), date(2026, 6, 2), False),
    ],
)
def test_a_commitment_is_offered_only_while_it_is_sold(
    catalogue: Catalogue, price_book: PriceBook, sold: bool | None, until: date | None, day: date, offered: bool
) -> None:
    book = replace(price_book, commitments={("NCasT4_v3", "ri_1y"): terms(sold, until)})
    assert (ask_for(quotes(catalogue, book, row(1.0)), model="ri_1y", day=day) is not None) is offered


def test_u56_each_option_shows_its_price_models_side_by_side(ask: Ask) -> None:
    t4 = option_of(ask("NC6", 2, "polandcentral", workload="training"), "NC4as_T4_v3")
    shown = {price.price_model: price.hourly_price for price in t4.prices}
    assert shown == {"payg": 0.656, "ri_1y": 0.386986, "ri_3y": 0.249277, "sp_1y": 0.49554, "sp_3y": 0.3627}


def test_a_commitment_that_outlives_its_size_is_not_offered(ask: Ask) -> None:
    # NV48s_v3 in uaenorth ends 2027-01-31; on 2025-06-01 a year fits before that and three do not
    pool = ask("NV48s_v3", 1, "uaenorth", as_of=date(2025, 6, 1), horizon_months=12)
    models = {price.price_model for price in option_of(pool, "NV48s_v3").prices}
    assert "ri_1y" in models
    assert not models & {"ri_3y", "sp_3y"}


# Spot


def test_u52_spot_is_a_range_up_to_pay_as_you_go(catalogue: Catalogue, price_book: PriceBook) -> None:
    quote = ask_for(quotes(catalogue, price_book, row(1.0), row(0.2, model="spot")), model="spot")
    assert quote is not None and (quote.compute, quote.highest) == (0.2, 1.0)


@pytest.mark.parametrize(("price", "saves"), [(0.949, True), (0.95, False), (1.0, False)])
def test_u52_spot_near_pay_as_you_go_saves_nothing(
    catalogue: Catalogue, price_book: PriceBook, price: float, saves: bool
) -> None:
    found = quotes(catalogue, price_book, row(1.0), row(price, model="spot"))
    assert (ask_for(found, model="spot") is not None) is saves


def test_u52_spot_is_shown_only_for_work_that_may_be_interrupted(ask: Ask) -> None:
    for interruptible in (True, False):
        option = option_of(ask("NC6", 2, workload="training", interruptible=interruptible), "NC4as_T4_v3")
        assert ("spot" in {price.price_model for price in option.prices}) is interruptible
        assert option.price_model == "payg"  # never a basis by default


def test_a_size_that_cannot_be_spot_has_no_spot_price(ask: Ask) -> None:
    # ND96asr_v4 has a spot row in westeurope, and its capability says never
    pool = ask("ND40rs_v2", 2, workload="training", interruptible=True)
    assert "spot" not in {price.price_model for price in option_of(pool, "ND96asr_v4").prices}


# Currency


def test_u53_another_currency_multiplies_every_price_and_keeps_the_rate(price_book: PriceBook) -> None:
    euro = price_book.in_currency("EUR", 0.86, date(2026, 11, 27))
    assert (euro.currency, euro.printed_in, euro.rate, euro.rate_as_of) == ("EUR", "USD", 0.86, date(2026, 11, 27))
    assert euro.windows_licence_per_vcpu_hour == pytest.approx(0.86 * 0.046)
    key = (T4, "westeurope", "linux", "payg")
    assert euro.prices[key].hourly_price == pytest.approx(0.86 * price_book.prices[key].hourly_price)


# Estimates from other regions


def test_an_estimate_is_the_price_elsewhere_times_the_median_ratio(catalogue: Catalogue, price_book: PriceBook) -> None:
    here = [row(price, size=f"Standard_NC{n}as_T4_v3") for n, price in ((8, 2.0), (16, 3.0), (64, 9.0))]
    there = [row(1.0, size=f"Standard_NC{n}as_T4_v3", region="eastus") for n in (4, 8, 16, 64)]
    quote = quotes(catalogue, price_book, *here, *there).from_other_regions(T4, "westeurope", "linux", AS_OF)
    assert quote is not None
    assert (quote.compute, quote.estimated) == (3.0, True)  # 1.0 x the median of 2, 3 and 9


def test_a_retired_size_is_estimated_from_its_last_price_elsewhere(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Only fresh prices once counted, and a retired size has none: what it cost stayed unknown."""
    rows = [row(1.0, size="Standard_NC6", region="eastus", age=900)]
    rows += [row(2.0, size="Standard_NC8as_T4_v3"), row(1.0, size="Standard_NC8as_T4_v3", region="eastus")]
    quote = quotes(catalogue, price_book, *rows).from_other_regions("Standard_NC6", "westeurope", "linux", AS_OF)
    assert quote is not None and quote.compute == 2.0
