"""A new book: what is read, what stays of the last one, where terms and licence come from."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook, PriceKey
from advisor.engine.quotes import Quotes
from advisor.engine.retail.refresh import Ask, Refreshed, refresh
from tests.retail.items import items_of, live_prices, make_item, make_reservation, make_spot

DAY = date(2026, 12, 1)
ASK = Ask(name="azure-usd-2026-12-01", day=DAY, currency="USD", source="https://api.test")
A100: PriceKey = ("Standard_NC24ads_A100_v4", "westeurope", "linux", "payg")


@pytest.fixture(scope="module")
def whole(catalogue: Catalogue, price_book: PriceBook) -> Refreshed:
    """The built-in book read again, all regions, from a list that holds just its prices."""
    lists = {region: items_of(live_prices(price_book, region)) for region in catalogue.regions}
    return refresh(lists, ASK, catalogue, price_book, price_book)


def of(catalogue: Catalogue, book: PriceBook, *items: Any, ask: Ask = ASK, last: PriceBook | None = None) -> Refreshed:
    return refresh({"westeurope": items}, ask, catalogue, book, last)


def codes(found: Refreshed) -> list[str]:
    return [finding.code for finding in found.findings]


def test_the_same_prices_read_again_are_no_change_and_no_error(whole: Refreshed) -> None:
    changes = whole.changes
    assert changes is not None
    assert (changes.changed, changes.added, changes.gone, whole.errors) == ((), (), (), ())
    assert {finding.code for finding in whole.warnings} <= {"proportion", "listed-no-longer"}


def test_price_invariants_hold_over_a_refreshed_book(whole: Refreshed, price_book: PriceBook) -> None:
    """What was read keeps its price to 1e-9; all is dated; terms are in order (checked once more here, by hand)."""
    prices = whole.book.prices
    for (size, region, os, model), price in prices.items():
        assert price.hourly_price > 0
        assert price.as_of <= DAY
        assert price.hourly_price == pytest.approx(price_book.prices[size, region, os, model].hourly_price, rel=1e-9)
        payg = prices.get((size, region, os, "payg"))
        assert payg is None or model == "payg" or price.hourly_price <= payg.hourly_price * 1.0005
    assert sum(price.as_of == DAY for price in prices.values()) == whole.read
    assert whole.read > 3000


def test_what_is_read_has_the_day_and_address_of_reading(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = of(catalogue, price_book, make_item("NC24ads_A100_v4", 4.0), last=price_book)
    price = found.book.prices[A100]
    assert (price.hourly_price, price.as_of, price.source) == (4.0, DAY, "https://api.test")
    assert (found.book.name, found.book.as_of, found.read, found.regions) == ("azure-usd-2026-12-01", DAY, 1, 1)


def test_what_is_not_listed_keeps_its_price_and_day(catalogue: Catalogue, price_book: PriceBook) -> None:
    """History prices what ran before; a row that vanishes for some days keeps its last good price."""
    found = of(catalogue, price_book, make_item("NC24ads_A100_v4", 4.0), last=price_book)
    for key in (
        ("Standard_NC6", "westeurope", "linux", "payg"),
        ("Standard_NC24ads_A100_v4", "westeurope", "windows", "payg"),
        ("Standard_NC24ads_A100_v4", "westeurope", "linux", "sp_1y"),
        ("Standard_NC24ads_A100_v4", "eastus", "linux", "sp_1y"),
    ):
        assert found.book.prices[key] == price_book.prices[key]  # type: ignore[index]


def test_terms_and_licence_are_those_of_the_built_in_book(catalogue: Catalogue, price_book: PriceBook) -> None:
    book = of(catalogue, price_book, make_item("NC24ads_A100_v4", 4.0), last=price_book).book
    assert (book.commitments, book.spot) == (price_book.commitments, price_book.spot)
    assert book.windows_licence_per_vcpu_hour == 0.046


def test_a_refreshed_book_prices_options(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Windows minus Linux of one source and day: 5.504 - 4.4 = 1.104, 24 vCPU at 0.046; 1 year 35,040 / 8,760 = 4.0."""
    items = [
        make_item("NC24ads_A100_v4", 4.4),
        make_item("NC24ads_A100_v4", 5.504, os="windows"),
        make_reservation("NC24ads_A100_v4", 35040.0),
        make_spot("NC24ads_A100_v4", 1.1),
    ]
    quotes = Quotes(of(catalogue, price_book, *items, last=price_book).book, catalogue)
    windows = quotes.quote("Standard_NC24ads_A100_v4", "westeurope", "windows", "ri_1y", DAY)
    assert windows is not None
    assert windows.compute == pytest.approx(4.0)
    assert windows.licence == pytest.approx(1.104)
    assert not windows.estimated
    spot = quotes.quote("Standard_NC24ads_A100_v4", "westeurope", "linux", "spot", DAY)
    assert spot is not None
    assert (spot.compute, spot.highest) == (1.1, 4.4)
    assert quotes.last_known("Standard_NC6", "westeurope", "linux") is not None


def test_u53_a_first_book_in_another_currency_has_its_own_licence(catalogue: Catalogue, price_book: PriceBook) -> None:
    """(4.46 - 3.5) / 24 = 0.04 and (8.84 - 7.0) / 40 = 0.046; the median of two is their mean, 0.043."""
    ask = replace(ASK, name="azure-eur-2026-12-01", currency="EUR")
    items = [
        make_item("NC24ads_A100_v4", 3.5),
        make_item("NC24ads_A100_v4", 4.46, os="windows"),
        make_item("NC40ads_H100_v5", 7.0),
        make_item("NC40ads_H100_v5", 8.84, productName="Virtual Machines NCadsH100v5 Series Win"),
    ]
    found = of(catalogue, price_book, *(item | {"currencyCode": "EUR"} for item in items), ask=ask)
    assert (found.book.currency, found.changes, found.errors) == ("EUR", None, ())
    assert len(found.book.prices) == 4  # nothing of the dollar book
    assert found.book.windows_licence_per_vcpu_hour == pytest.approx(0.043)
    assert "2 pairs" in found.book.windows_licence_source


def test_u53_without_a_pair_the_licence_in_another_currency_is_an_error(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    ask = replace(ASK, currency="EUR")
    assert codes(of(catalogue, price_book, make_item("NC24ads_A100_v4", 3.5, currencyCode="EUR"), ask=ask)) == [
        "no-licence"
    ]


def test_a_name_that_the_catalogue_does_not_know_is_one_warning(catalogue: Catalogue, price_book: PriceBook) -> None:
    lists = {region: [make_item("NC999_v9", 1.0, region)] for region in ("eastus", "westeurope")}
    found = refresh(lists, ASK, catalogue, price_book, None)
    (finding,) = found.findings
    assert (finding.code, finding.severity, finding.size) == ("unknown-name", "warning", "Standard_NC999_v9")
    assert "eastus, westeurope" in finding.message


def test_a_size_left_out_is_not_read_and_its_errors_do_not_count(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Also under another of its names."""
    ask = replace(ASK, leave_out=frozenset({"Standard_ND96asr_v4"}))
    items = [make_item("ND96asr_A100_v4", float("nan")), *items_of(live_prices(price_book, "westeurope"))]
    assert not of(catalogue, price_book, *items, ask=ask, last=price_book).errors
    assert of(catalogue, price_book, *items, last=price_book).errors


def test_a_price_out_of_proportion_to_other_regions_is_a_warning(catalogue: Catalogue, price_book: PriceBook) -> None:
    """One region is read alone: its sizes are seen beside those of the book."""
    items = items_of(live_prices(price_book, "westeurope"))
    for item in items:
        if item["armSkuName"] == "Standard_NC48ads_A100_v4" and item["type"] == "Consumption":
            item["retailPrice"] *= 0.8
    found = of(catalogue, price_book, *items, last=price_book)
    doubted = {(f.size, f.region) for f in found.warnings if f.code == "proportion"}
    assert ("Standard_NC48ads_A100_v4", "westeurope") in doubted
    assert {region for _size, region in doubted} == {"westeurope"}
