"""Prices checked against each other; every figure is worked out in the comment or the test's name."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import Os, Price, PriceKey, PriceModel
from advisor.engine.retail.checks import check_gpus, check_levels, check_order, check_proportions

REGIONS = ("eastus", "westeurope", "northeurope", "japaneast")


def book(*rows: tuple[str, str, PriceModel, float], os: Os = "linux") -> dict[PriceKey, Price]:
    """Prices by key; sizes without Standard_."""
    prices = [
        Price(
            size=f"Standard_{size}",
            region=region,
            os=os,
            price_model=model,
            hourly_price=price,
            as_of=date(2026, 12, 1),
            source="api",
        )
        for size, region, model, price in rows
    ]
    return {(p.size, p.region, p.os, p.price_model): p for p in prices}


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("ri_3y", "ri_1y"),
        ("ri_1y", "payg"),
        ("ri_3y", "payg"),
        ("sp_3y", "sp_1y"),
        ("sp_1y", "payg"),
        ("sp_3y", "payg"),
    ],
)
def test_a_longer_term_that_costs_more_is_an_error(lower: PriceModel, higher: PriceModel) -> None:
    (finding,) = check_order(book(("NC6s_v3", "eastus", lower, 3.1), ("NC6s_v3", "eastus", higher, 3.0)))
    assert (finding.severity, finding.size, finding.region) == ("error", "Standard_NC6s_v3", "eastus")
    assert "3.1" in finding.message
    assert "3" in finding.message


def test_terms_in_order_and_equal_prices_are_no_finding() -> None:
    prices = book(
        ("NC6s_v3", "eastus", "payg", 3.0),
        ("NC6s_v3", "eastus", "ri_1y", 3.0),
        ("NC6s_v3", "eastus", "ri_3y", 2.0),
        ("NC6s_v3", "westeurope", "ri_1y", 1.0),
    )
    assert list(check_order(prices)) == []


def test_spot_above_pay_as_you_go_and_windows_below_linux_are_warnings() -> None:
    prices = book(("NC6s_v3", "eastus", "payg", 3.0), ("NC6s_v3", "eastus", "spot", 3.1))
    prices |= book(("NC6s_v3", "eastus", "payg", 2.9), os="windows")
    found = {finding.code: finding.severity for finding in check_levels(prices)}
    assert found == {"spot-above": "warning", "windows-below": "warning"}


def test_spot_at_pay_as_you_go_is_no_finding() -> None:
    """H200 and GB200 are listed so."""
    prices = book(("ND96isr_H200_v5", "eastus", "payg", 84.8), ("ND96isr_H200_v5", "eastus", "spot", 84.8))
    assert list(check_levels(prices)) == []


def series(wrong: float, model: PriceModel = "payg") -> dict[PriceKey, Price]:
    """NCv3 in four regions at 3, 6 and 12, times 1 to 1.3 by region; in japaneast NC12s_v3 costs `wrong`."""
    rows = []
    for number, region in enumerate(REGIONS):
        for size, price in (("NC6s_v3", 3.0), ("NC12s_v3", 6.0), ("NC24s_v3", 12.0)):
            rows.append((size, region, model, price * (1 + number / 10)))
    return book(*rows) | book(("NC12s_v3", "japaneast", model, wrong))


def test_u51_a_size_out_of_proportion_in_one_region_is_named(catalogue: Catalogue) -> None:
    """6 x 1.3 = 7.8 is usual; 6.5 is 17 % below it, beside both others; each of these is off beside one only."""
    (finding,) = check_proportions(series(6.5), catalogue)
    assert (finding.severity, finding.size, finding.region) == ("warning", "Standard_NC12s_v3", "japaneast")
    assert "17% below its usual proportion to 2 other sizes of NCv3" in finding.message


def test_u51_nine_percent_is_believed(catalogue: Catalogue) -> None:
    assert list(check_proportions(series(7.8 * 0.91), catalogue)) == []


def test_a_region_that_is_dearer_as_a_whole_is_no_finding(catalogue: Catalogue) -> None:
    assert list(check_proportions(series(7.8), catalogue)) == []


def test_spot_has_no_proportions(catalogue: Catalogue) -> None:
    assert list(check_proportions(series(5.0, "spot"), catalogue)) == []


def test_two_regions_are_too_few_to_tell_what_is_usual(catalogue: Catalogue) -> None:
    prices = {key: price for key, price in series(6.5).items() if key[1] in ("eastus", "japaneast")}
    assert list(check_proportions(prices, catalogue)) == []


def test_u51_eight_gpus_below_four_are_named(catalogue: Catalogue) -> None:
    prices = book(
        ("NC24ads_A100_v4", "eastus", "spot", 1.5),
        ("NC48ads_A100_v4", "eastus", "spot", 1.4),
        ("NC96ads_A100_v4", "westeurope", "spot", 1.0),
    )
    (finding,) = check_gpus(prices, catalogue)
    assert (finding.severity, finding.size, finding.region) == ("warning", "Standard_NC48ads_A100_v4", "eastus")
    assert "1.4 is below 1.5 of Standard_NC24ads_A100_v4" in finding.message
