"""Invariants on every price; spreads inside a series that are real stand in a list with their reason."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import COMMITMENTS, Price, PriceBook

#: Most expensive over cheapest price per GPU inside a series, one region, system and price model, that is believed.
USUAL_SPREAD = 1.15  # InfiniBand sizes cost 10 % more
KNOWN_SPREADS = {
    "NCasT4_v3": (3.1, "one T4 comes with 4, 8 or 16 vCPUs, and the Windows licence is by vCPU"),
    "NVadsA10_v5": (1.7, "memory and vCPUs do not follow the share of the card"),
    "NC_RTXPRO6000BSE_v6": (1.9, "each share comes with two vCPU counts and half or full memory; preview sizes"),
    "NCads_A10_v4": (2.05, "one A10 comes with 8 or 16 vCPUs"),
    "NDv2": (1.85, "ND40s_v2 has the 16 GB card and no InfiniBand"),
    "NGads_V620_v1": (1.4, "NG32adms has 2.75 times the memory"),
    "NVads_V710_v5": (1.25, "NV28adms has more memory and vCPUs"),
}
#: Regions whose NC144ds price of June equals that of NC144lds and is probably 16 % low.
SUSPECT_NC144DS = {
    "australiaeast",
    "eastus",
    "eastus2",
    "germanywestcentral",
    "japaneast",
    "koreacentral",
    "southcentralus",
    "uksouth",
    "westus",
}
#: Series whose listed spot price saves nothing.
NO_SPOT_SAVING = {"ND_H200_v5", "ND_GB200_v6"}

Series = dict[tuple[str, str, str, str], list[Price]]


@pytest.fixture(scope="module")
def by_series(catalogue: Catalogue, price_book: PriceBook) -> Series:
    """Prices of one series in one region, for one system and price model."""
    groups: Series = defaultdict(list)
    for price in price_book.prices.values():
        size = catalogue.sizes.get(price.size)
        if size and size.gpus:
            groups[size.series, price.region, price.os, price.price_model].append(price)
    return groups


def test_every_price_is_of_a_known_name_and_region(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert {p.size for p in price_book.prices.values()} <= set(catalogue.sizes) | set(catalogue.listed_names)
    assert {p.region for p in price_book.prices.values()} <= set(catalogue.regions)


def test_u50_one_price_per_key(price_book: PriceBook) -> None:
    assert len(price_book.prices) == 5190  # the file has as many rows; a doubled key would have merged two
    assert all(key == (p.size, p.region, p.os, p.price_model) for key, p in price_book.prices.items())


def test_u48_prices_are_above_zero_and_not_after_the_book(price_book: PriceBook) -> None:
    assert all(price.hourly_price > 0 and price.as_of <= price_book.as_of for price in price_book.prices.values())


def test_u51_price_per_gpu_is_alike_inside_a_series(catalogue: Catalogue, by_series: Series) -> None:
    for key, prices in by_series.items():
        per_gpu = [price.hourly_price / (catalogue.sizes[price.size].gpus or 1) for price in prices]
        limit = KNOWN_SPREADS.get(key[0], (USUAL_SPREAD, ""))[0]
        assert max(per_gpu) / min(per_gpu) <= limit, key


def test_u51_every_known_spread_is_needed(catalogue: Catalogue, by_series: Series) -> None:
    wide = set()
    for key, prices in by_series.items():
        per_gpu = [price.hourly_price / (catalogue.sizes[price.size].gpus or 1) for price in prices]
        if max(per_gpu) / min(per_gpu) > USUAL_SPREAD:
            wide.add(key[0])
    assert wide == set(KNOWN_SPREADS)


def test_u51_more_gpus_never_cost_less(catalogue: Catalogue, by_series: Series) -> None:
    for key, prices in by_series.items():
        for small in prices:
            for large in prices:
                if (catalogue.sizes[small.size].gpus or 0) < (catalogue.sizes[large.size].gpus or 0):
                    assert small.hourly_price <= large.hourly_price, key


def test_suspect_prices_are_the_named_ones(price_book: PriceBook) -> None:
    def price(short: str, region: str) -> float | None:
        found = price_book.prices.get((f"Standard_{short}_xl_RTXPRO6000BSE_v6", region, "linux", "payg"))
        return found.hourly_price if found else None

    regions = {p.region for p in price_book.prices.values()}
    both = [r for r in regions if price("NC144ds", r) and price("NC144lds", r)]
    assert {r for r in both if price("NC144ds", r) == price("NC144lds", r)} == SUSPECT_NC144DS


def test_nothing_costs_more_than_pay_as_you_go(price_book: PriceBook) -> None:
    for (size, region, os, model), price in price_book.prices.items():
        payg = price_book.prices.get((size, region, os, "payg"))
        assert payg is None or price.hourly_price <= payg.hourly_price, (size, region, os, model)


def test_windows_is_never_cheaper_than_linux(price_book: PriceBook) -> None:
    for (size, region, os, model), price in price_book.prices.items():
        linux = price_book.prices.get((size, region, "linux", model))
        assert os == "linux" or linux is None or price.hourly_price >= linux.hourly_price, (size, region, model)


def test_spot_without_a_saving_is_that_of_two_series(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = set()
    for (size, region, os, model), price in price_book.prices.items():
        payg = price_book.prices.get((size, region, os, "payg"))
        if model == "spot" and payg and price.hourly_price >= 0.95 * payg.hourly_price and size in catalogue.sizes:
            found.add(catalogue.sizes[size].series)
    assert found == NO_SPOT_SAVING


def test_every_series_has_terms_for_every_commitment_and_spot(catalogue: Catalogue, price_book: PriceBook) -> None:
    series = {size.series for size in catalogue.sizes.values()}
    assert set(price_book.commitments) == {(name, model) for name in series for model in COMMITMENTS}
    assert set(price_book.spot) == series


def test_discounts_are_ordered_shares(price_book: PriceBook) -> None:
    for key, terms in price_book.commitments.items():
        if terms.discount_low is not None:
            assert terms.discount_high is not None
            assert 0 < terms.discount_low <= terms.discount_high < 0.75, key


def test_a_three_year_term_never_saves_less_than_one_year(price_book: PriceBook) -> None:
    for series in price_book.spot:
        for kind in ("ri", "sp"):
            one, three = (price_book.commitments[series, f"{kind}_{n}y"].discount_low for n in (1, 3))  # type: ignore[index]
            assert one is None or three is None or one <= three


@pytest.mark.parametrize(
    ("series", "model", "day", "sold"),
    [
        ("NP", "ri_1y", date(2026, 4, 2), True),
        ("NP", "ri_1y", date(2026, 4, 3), False),
        ("NVv3", "ri_3y", date(2025, 11, 2), True),
        ("NVv3", "ri_3y", date(2025, 11, 3), False),
        ("NC", "ri_3y", date(2026, 11, 30), False),
        ("NDv2", "ri_3y", date(2026, 11, 30), False),
        ("NDv2", "ri_1y", date(2026, 11, 30), True),
        ("ND_H100_v5", "sp_1y", date(2026, 11, 30), False),
        ("ND_MI300X_v5", "ri_1y", date(2026, 11, 30), None),
    ],
)
def test_sales_end_on_their_last_day(price_book: PriceBook, series: str, model: str, day: date, sold: object) -> None:
    assert price_book.commitments[series, model].sold_on(day) is sold  # type: ignore[index]


def test_a_discount_is_near_the_prices_it_was_read_from(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Ratio of same-source, same-day prices against the terms; half a percent for rounding."""
    for (size, region, os, model), price in price_book.prices.items():
        payg = price_book.prices.get((size, region, "linux", "payg"))
        if os == "windows" or model not in COMMITMENTS or size not in catalogue.sizes or not payg:
            continue
        terms = price_book.commitments[catalogue.sizes[size].series, model]
        if terms.discount_low is None or (price.source, price.as_of) != (payg.source, payg.as_of):
            continue
        assert terms.discount_high is not None
        saved = 1 - price.hourly_price / payg.hourly_price
        assert terms.discount_low - 0.005 <= saved <= terms.discount_high + 0.005, (size, region, model, saved)
