"""Items of the API as prices: the real ones, and every quirk that was met in them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.retail.items import Asked, RegionList, known_names, read_items
from tests.retail.items import make_item, make_reservation, make_spot, sample_items

DAY = date(2026, 12, 1)


def read(catalogue: Catalogue, *items: Any, region: str = "westeurope", currency: str = "USD") -> RegionList:
    asked = Asked(region=region, currency=currency, day=DAY, source="https://api.test", names=known_names(catalogue))
    return read_items(items, asked)


def prices(found: RegionList) -> dict[tuple[str, str, str], float]:
    """Hourly prices by size without Standard_, system and price model."""
    rows = [row.price for row in found.rows]
    return {(p.size.removeprefix("Standard_"), p.os, p.price_model): p.hourly_price for p in rows}


def test_real_items_of_one_size(catalogue: Catalogue) -> None:
    """42,066 / 8,760 h = 4.802055, 71,642 / 26,280 h = 2.726104; the other items are of other regions."""
    found = read(catalogue, *sample_items(), region="eastus2")
    size = "NC48ads_A100_v4"
    assert {key: round(price, 6) for key, price in prices(found).items()} == {
        (size, "linux", "payg"): 7.346,
        (size, "linux", "ri_1y"): 4.802055,
        (size, "linux", "ri_3y"): 2.726104,
    }
    assert not found.findings
    price = found.rows[0].price
    assert (price.as_of, price.source, found.rows[0].since) == (DAY, "https://api.test", date(2022, 6, 1))


def test_a_real_windows_price_and_its_dev_test_twin(catalogue: Catalogue) -> None:
    """4.856 is pay-as-you-go with Windows; 3.2, of the same meter and product, is a Dev/Test price and none."""
    found = read(catalogue, *sample_items(), region="westus3")
    assert prices(found) == {("NV36ads_A10_v5", "windows", "payg"): 4.856}
    assert found.left_out["dev/test"] == 1


def test_a_real_spot_price(catalogue: Catalogue) -> None:
    found = read(catalogue, *sample_items(), region="switzerlandwest")
    assert prices(found) == {("ND96ams_A100_v4", "linux", "spot"): 6.70109}


def test_low_priority_is_no_price(catalogue: Catalogue) -> None:
    found = read(catalogue, *sample_items(), region="germanywestcentral")
    assert (prices(found), found.left_out["low priority"]) == ({}, 1)


def test_a_general_purpose_size_is_of_another_series(catalogue: Catalogue) -> None:
    found = read(catalogue, *sample_items(), region="eastus")
    assert (prices(found), found.left_out["another series"], found.unknown) == ({}, 1, frozenset())


def test_savings_plans_stand_in_the_linux_item(catalogue: Catalogue) -> None:
    plans = [{"term": "3 Years", "retailPrice": 2.0}, {"term": "1 Year", "retailPrice": 3.0}, {"term": "5 Years"}]
    found = prices(read(catalogue, make_item("NC24ads_A100_v4", 4.0, savingsPlan=plans)))
    assert found == {
        ("NC24ads_A100_v4", "linux", "payg"): 4.0,
        ("NC24ads_A100_v4", "linux", "sp_3y"): 2.0,
        ("NC24ads_A100_v4", "linux", "sp_1y"): 3.0,
    }


def test_savings_plans_of_a_windows_item_are_not_read(catalogue: Catalogue) -> None:
    """Those of NC40ads H100 discount the licence as well; its product ends in Win."""
    plans = [{"term": "1 Year", "retailPrice": 6.0}]
    item = make_item("NC40ads_H100_v5", 8.82, savingsPlan=plans, productName="Virtual Machines NCadsH100v5 Series Win")
    assert prices(read(catalogue, item)) == {("NC40ads_H100_v5", "windows", "payg"): 8.82}


@pytest.mark.parametrize(
    ("product", "os"),
    [
        ("Virtual Machines NVadsA10v5 Series Windows", "windows"),
        ("Virtual Machines NCadsH100v5 Series Win", "windows"),
        ("Virtual Machines NCadsH100v5 Series Windows ", "windows"),
        ("NCads A100 v4 Series Linux", "linux"),
        ("Virtual Machines NCadsH100v5 Series", "linux"),
        ("Virtual Machines Winter Series", "linux"),
    ],
)
def test_the_system_is_told_by_the_end_of_the_product(catalogue: Catalogue, product: str, os: str) -> None:
    ((_size, found, _model),) = prices(read(catalogue, make_item("NC40ads_H100_v5", 7.0, productName=product)))
    assert found == os


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("Standard_NC6s_v3", "NC6s_v3"),
        ("Standard_NM16ads_MA35D  ", "NM16ads_MA35D"),
        ("Standard_ND96asr_A100_v4", "ND96asr_v4"),
        ("Standard_NG32adms_V620", "NG32adms_V620_v1"),
        ("Standard_NC6_Promo", "NC6_Promo"),
    ],
)
def test_names_as_the_api_writes_them(catalogue: Catalogue, written: str, size: str) -> None:
    assert {key[0] for key in prices(read(catalogue, make_item("NC6", 1.0, armSkuName=written)))} == {size}


def test_a_part_of_a_name_matches_nothing(catalogue: Catalogue) -> None:
    found = read(catalogue, make_item("NC6s_v33", 1.0), make_item("nc6s_v3", 1.0))
    assert (prices(found), found.unknown) == ({}, {"Standard_NC6s_v33", "Standard_nc6s_v3"})


def test_a_row_that_is_not_of_the_primary_region_counts(catalogue: Catalogue) -> None:
    assert prices(read(catalogue, make_item("NC6s_v3", 3.06, isPrimaryMeterRegion=False)))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"productName": "NCsv3 Dedicated Host"}, "dedicated host"),
        ({"skuName": "NVads Type3"}, "dedicated host"),
        ({"skuName": "NC6s v3 Low Priority"}, "low priority"),
        ({"serviceName": "Cloud Services"}, "no virtual machine by the hour"),
        ({"unitOfMeasure": "1 GB"}, "no virtual machine by the hour"),
        ({"armRegionName": "eastus"}, "another region"),
        ({"effectiveStartDate": "2026-12-02T00:00:00Z"}, "not in force"),
        ({"effectiveEndDate": "2026-11-30T23:59:59Z"}, "not in force"),
        ({"tierMinimumUnits": 100.0}, "another tier"),
        ({"type": "Reservation", "reservationTerm": "5 Years"}, "another term"),
        ({"type": "Reservation"}, "another term"),
        ({"type": None}, "another type"),
        ({"armSkuName": 7}, "another series"),
    ],
)
def test_what_is_no_price_is_left_out_with_its_reason(catalogue: Catalogue, change: dict[str, Any], why: str) -> None:
    found = read(catalogue, make_item("NC6s_v3", 3.06, **change))
    assert (found.rows, dict(found.left_out)) == ((), {why: 1})


@pytest.mark.parametrize("price", [float("nan"), float("inf"), -1.0, None, "3.06", True, 10**400])
def test_u48_what_is_no_price_is_an_error_that_says_where(catalogue: Catalogue, price: Any) -> None:
    (finding,) = read(catalogue, make_item("NC80adis_H100_v5", 1.0) | {"retailPrice": price}).findings
    assert (finding.code, finding.severity) == ("bad-price", "error")
    assert (finding.size, finding.region) == ("Standard_NC80adis_H100_v5", "westeurope")
    assert repr(price) in finding.message


def test_u48_zero_is_left_out_with_a_warning(catalogue: Catalogue) -> None:
    found = read(catalogue, make_item("NC6s_v3", 0.0), make_spot("NC6s_v3", 0))
    assert found.rows == ()
    assert [(finding.code, finding.severity) for finding in found.findings] == [("zero-price", "warning")] * 2


def test_a_bad_savings_plan_is_an_error_and_the_price_stays(catalogue: Catalogue) -> None:
    found = read(catalogue, make_item("NC6s_v3", 3.06, savingsPlan=[{"term": "1 Year", "retailPrice": "x"}, 3]))
    assert prices(found) == {("NC6s_v3", "linux", "payg"): 3.06}
    assert [finding.code for finding in found.findings] == ["bad-price"]


def test_u53_another_currency_than_asked_for_is_an_error(catalogue: Catalogue) -> None:
    found = read(catalogue, make_item("NC6s_v3", 3.06), make_item("NC12s_v3", 6.12), currency="EUR")
    assert found.rows == ()
    (finding,) = found.findings
    assert (finding.code, finding.severity) == ("other-currency", "error")
    assert finding.message == "prices are in USD; EUR was asked for"


def test_a_reservation_of_a_windows_product_is_left_out(catalogue: Catalogue) -> None:
    found = read(catalogue, make_reservation("NC6s_v3", 20000, productName="NCsv3 Windows"))
    assert found.rows == ()


@pytest.mark.parametrize("item", [{}, {"armSkuName": ["x"]}, make_item("NC6s_v3", 1.0) | {"savingsPlan": "none"}])
def test_no_item_breaks_the_reader(catalogue: Catalogue, item: dict[str, Any]) -> None:
    assert not read(catalogue, item).findings
