"""Azure's price sheets: what a row's price per hour is, worked out by hand, and which rows are none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tests.engine.sheets.conftest import ROW, SAMPLES, Read, meters

Hourly = Callable[..., dict[str, float]]
EA, EA_OLD, MCA = (SAMPLES / name for name in ("ea_2023-05-01.csv", "ea_old_202304.csv", "mca_2023-05-01.csv"))

# The samples


def test_an_ea_sheet(read: Read) -> None:
    sheet = read(EA)
    t4 = ("Standard_NC4as_T4_v3", "eastus")
    assert (sheet.format, sheet.usable, sheet.currency, sheet.as_of) == ("price-sheet", True, "USD", date(2026, 11, 1))
    assert {key: round(price.hourly_price, 9) for key, price in sheet.prices.items()} == {
        (*t4, "linux", "payg"): 0.4471,  # 44.71 for 100 hours
        (*t4, "windows", "payg"): 0.6311,  # 63.11 for 100 hours
        (*t4, "linux", "sp_1y"): 0.34,
        (*t4, "linux", "ri_1y"): 0.3,  # 2,628 for 8,760 hours
        (*t4, "linux", "ri_3y"): 0.2,  # 5,256 for 26,280 hours
        (*t4, "linux", "spot"): 0.099,
        ("Standard_NC48ads_A100_v4", "westeurope", "linux", "payg"): 6.6,
        ("Standard_NC6_Promo", "eastus", "linux", "payg"): 0.396,  # 3.96 for 10 hours, of the Promo product
    }


def test_the_rows_of_an_ea_sheet_add_up(read: Read) -> None:
    sheet = read(EA)
    assert (sheet.rows_read, sheet.priced_rows, sheet.other_rows, sheet.error_rows) == (14, 8, 4, 2)
    assert sheet.others == {"no_vm": 2, "no_gpu": 1, "low_priority": 1}
    assert [(problem.kind, problem.line, problem.column, problem.value) for problem in sheet.problems] == [
        ("unknown_size", 14, "MeterName", "ND96isflH100v5"),
        ("unknown_region", 15, "MeterRegion", "Zone 1"),
    ]
    assert sheet.problems[0].suggestions[0] == "Standard_ND96isf_H100_v5"


def test_each_price_names_the_sheet_and_its_day(read: Read) -> None:
    prices = read(EA).prices.values()
    assert {(price.source, price.as_of) for price in prices} == {
        ("your price sheet ea_2023-05-01.csv", date(2026, 11, 1))
    }


def test_an_older_ea_sheet_with_its_title_above(read: Read) -> None:
    sheet = read(EA_OLD)
    v100 = ("Standard_NC6s_v3", "westeurope")
    assert (sheet.currency, sheet.as_of) == ("EUR", date(2023, 4, 1))  # "billing period - 202304"
    assert {key: round(price.hourly_price, 9) for key, price in sheet.prices.items()} == {
        (*v100, "linux", "payg"): 3.125,  # 31.25 for 10 hours; 28.10 is dev/test
        (*v100, "windows", "payg"): 3.366,  # 33.66 for 10 hours; 31.25 is dev/test
        (*v100, "linux", "sp_1y"): 2.34,
    }
    assert sheet.others == {"dev_test": 2, "no_gpu": 1}


def test_an_mca_sheet(read: Read) -> None:
    sheet = read(MCA)
    a10 = ("Standard_NV36ads_A10_v5", "koreacentral")  # KRCENTRAL and KR Central
    assert (sheet.currency, sheet.as_of) == ("USD", date(2026, 11, 1))  # bills are in EUR, prices in USD
    assert {key: round(price.hourly_price, 9) for key, price in sheet.prices.items()} == {
        (*a10, "linux", "payg"): 2.88,
        (*a10, "windows", "payg"): 4.536,  # 2.88 beside it is DevTestConsumption
        (*a10, "linux", "sp_3y"): 1.8,
        (*a10, "linux", "ri_3y"): 1.4,  # 36,792 for 26,280 hours
    }
    assert sheet.others == {"dev_test": 1, "other_term": 1}  # 5 years


# Blocks of hours, terms, kinds of price


@pytest.mark.parametrize(
    ("unit", "hours"),
    [
        ("1 Hour", 1),
        ("1 Hours", 1),
        ("10 Hours", 10),
        ("100 Hour", 100),
        ("1000 Hours", 1000),
        ("1,000 Hours", 1000),
        ("1/Hour", 1),
        ("100 /Hour", 100),
        ("Hour", 1),
        ("1 hora", 1),
        ("10 Stunden", 10),
        ("1 小时", 1),
        ("100\u00a0heures", 100),
    ],
)
def test_a_price_is_that_of_its_block_of_hours(hourly: Hourly, unit: str, hours: int) -> None:
    assert hourly({"UnitOfMeasure": unit, "UnitPrice": "42"}) == {"payg": pytest.approx(42 / hours)}


@pytest.mark.parametrize("unit", ["1 GB", "1 Month", "0 Hours", "1.5 Hours", "Hours per year", "9999999 Hours", ""])
def test_a_unit_that_is_no_number_of_hours_costs_its_row(read: Read, unit: str) -> None:
    sheet = read(meters({"UnitOfMeasure": unit}, {}))
    assert (sheet.priced_rows, sheet.error_rows) == (1, 1)
    assert (sheet.problems[0].line, sheet.problems[0].column) == (2, "UnitOfMeasure")


@pytest.mark.parametrize(
    ("term", "model", "price"),
    [
        ("1 Year", "ri_1y", 8760 / 8760),
        ("P1Y", "ri_1y", 1.0),
        ("12 months", "ri_1y", 1.0),
        ("3 Years", "ri_3y", 8760 / 26280),
        ("P3Y", "ri_3y", 1 / 3),
        ("Three Years", "ri_3y", 1 / 3),
    ],
)
def test_a_reservation_is_the_price_of_its_whole_term(hourly: Hourly, term: str, model: str, price: float) -> None:
    row = {"priceType": "ReservedInstance", "Term": term, "UnitPrice": "8760", "UnitOfMeasure": "1 Hour"}
    assert hourly(row) == {model: pytest.approx(price)}


def test_the_block_of_a_reservation_is_none_of_its_price(hourly: Hourly) -> None:
    row = {"priceType": "Reservation", "Term": "1 Year", "UnitPrice": "4380", "UnitOfMeasure": "100 Hours"}
    assert hourly(row) == {"ri_1y": 0.5}


@pytest.mark.parametrize("kind", ["SavingsPlan", "Savings Plan", "savings plan"])
def test_a_savings_plan_is_priced_by_the_block(hourly: Hourly, kind: str) -> None:
    assert hourly({"priceType": kind, "Term": "P3Y", "UnitPrice": "31", "UnitOfMeasure": "100 Hours"}) == {
        "sp_3y": pytest.approx(0.31)
    }


@pytest.mark.parametrize("term", ["", "soon", "0 Years"])
def test_a_commitment_without_a_term_costs_its_row(read: Read, term: str) -> None:
    sheet = read(meters({"priceType": "SavingsPlan", "Term": term}, {}))
    assert (sheet.priced_rows, sheet.error_rows) == (1, 1)
    assert sheet.problems[0].column == "Term"


def test_an_unknown_kind_of_price_costs_its_row(read: Read) -> None:
    sheet = read(meters({"priceType": "Barter"}, {}))
    assert (sheet.error_rows, sheet.problems[0].kind, sheet.problems[0].value) == (1, "bad_price_type", "Barter")


def test_an_empty_kind_of_price_is_consumption(hourly: Hourly) -> None:
    assert hourly({"priceType": ""}) == {"payg": 0.5}


# Which size and system


@pytest.mark.parametrize(
    ("meter", "size"),
    [
        ("NC16asT4 v3", "NC16as_T4_v3"),
        ("NC24ads_A100_v4", "NC24ads_A100_v4"),
        ("NC40adsH100v5", "NC40ads_H100_v5"),
        ("ND96asr A100 v4", "ND96asr_v4"),
        ("NG8adsV620", "NG8ads_V620_v1"),
        ("NC128dsxlRTX6Kv6", "NC128ds_xl_RTXPRO6000BSE_v6"),
        ("NC6s v3 - Free", "NC6s_v3"),
    ],
)
def test_the_size_of_a_meter(read: Read, meter: str, size: str) -> None:
    assert [key[0] for key in read(meters({"MeterName": meter})).prices] == [f"Standard_{size}"]


@pytest.mark.parametrize(
    "product",
    ["NCSv3 Series Windows", "NC H100 v5 Srs Win", "Virtual Machines NC Series Windows - NC6 - US East"],
)
def test_windows_stands_at_the_end_of_a_product(read: Read, product: str) -> None:
    assert [key[2] for key in read(meters({"MeterSubCategory": product})).prices] == ["windows"]


@pytest.mark.parametrize("product", ["NCads A100 v4 Series Linux", "Winter Series", "NCSv3 Series"])
def test_every_other_product_is_linux(read: Read, product: str) -> None:
    assert [key[2] for key in read(meters({"MeterSubCategory": product})).prices] == ["linux"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"MeterCategory": "Cloud Services"}, "no_vm"),
        ({"MeterName": "D4s v5"}, "no_gpu"),
        ({"MeterName": "D2 v2/DS2 v2"}, "no_gpu"),
        ({"MeterName": ""}, "no_gpu"),
        ({"MeterName": "NP10s"}, "not_gpu"),
        ({"MeterName": "NC4as T4 v3 Low Priority"}, "low_priority"),
        ({"MeterName": "NC6 - Expired"}, "expired"),
        ({"MeterSubCategory": "NCasT4 v3 Series Dedicated Host"}, "dedicated"),
        ({"MeterSubCategory": "NCasT4 v3 Series Dev/Test"}, "dev_test"),
        ({"priceType": "DevTestConsumption"}, "dev_test"),
        ({"priceType": "ReservedInstance", "Term": "5 Years"}, "other_term"),
        ({"EffectiveEndDate": "2026-10-31"}, "not_in_force"),
    ],
)
def test_a_row_that_is_no_price_of_a_gpu_machine_is_another_row(read: Read, change: dict[str, str], why: str) -> None:
    sheet = read(meters(change, {}))
    assert (sheet.priced_rows, sheet.other_rows, sheet.error_rows, dict(sheet.others)) == (1, 1, 0, {why: 1})


def test_dev_test_by_its_offer_is_never_pay_as_you_go(read: Read) -> None:
    header = (*ROW, "OfferID")
    dear = {"OfferID": "MS-AZR-0017P", "UnitPrice": "0.5"}
    for offer in ("MS-AZR-0148P", "MS-AZR-0023P"):
        sheet = read(meters(dear, {"OfferID": offer, "UnitPrice": "0.9"}, header=header))
        assert [price.hourly_price for price in sheet.prices.values()] == [0.5]
        assert sheet.others == {"dev_test": 1}


def test_a_graduated_price_counts_from_its_first_unit_on(read: Read) -> None:
    header = (*ROW, "TierMinimumUnits")
    rows = ({"TierMinimumUnits": "0"}, {"TierMinimumUnits": "1000", "UnitPrice": "0.4"})
    sheet = read(meters(*rows, header=header))
    assert [price.hourly_price for price in sheet.prices.values()] == [0.5]
    assert sheet.others == {"tier": 1}


def test_a_reservation_may_name_its_region_in_the_product_only(read: Read) -> None:
    row = {
        "MeterName": "NC6s v3",
        "MeterSubCategory": "Reservation-Base VM",
        "MeterRegion": "",
        "priceType": "ReservedInstance",
        "Term": "1 Year",
        "UnitPrice": "17520",
        "Product": "Reserved VM Instance, Standard_NC6s_v3, EU West, 1 Year",
    }
    sheet = read(meters(row, header=(*ROW, "Product")))
    assert {key: price.hourly_price for key, price in sheet.prices.items()} == {
        ("Standard_NC6s_v3", "westeurope", "linux", "ri_1y"): 2.0  # 17,520 for 8,760 hours
    }


@pytest.mark.parametrize(
    ("price", "kind"),
    [("0", "zero_price"), ("0.000", "zero_price"), ("-1", "out_of_range"), ("n/a", "bad_number"), ("", "missing_price"),
     ("NaN", "bad_number"), ("inf", "bad_number"), ("1e999", "bad_number")],
)  # fmt: skip
def test_a_price_that_is_none_costs_its_row(read: Read, price: str, kind: str) -> None:
    sheet = read(meters({"UnitPrice": price}, {"MeterName": "NC8as T4 v3"}))
    assert (sheet.priced_rows, sheet.error_rows) == (1, 1)
    assert (sheet.problems[0].kind, sheet.problems[0].line, sheet.problems[0].column) == (kind, 2, "UnitPrice")


def test_a_price_in_scientific_notation(hourly: Hourly) -> None:
    assert hourly({"UnitPrice": "4.471E+01", "UnitOfMeasure": "100 Hours"}) == {"payg": pytest.approx(0.4471)}


def test_decimal_commas_in_a_sheet_with_semicolons(read: Read) -> None:
    text = meters({"UnitPrice": "44.71", "UnitOfMeasure": "100 Hours"}).replace(",", ";").replace("44.71", "44,71")
    assert [price.hourly_price for price in read(text).prices.values()] == [pytest.approx(0.4471)]


def test_the_columns_of_a_saved_retail_answer(read: Read) -> None:
    header = "currencyCode,retailPrice,armRegionName,effectiveStartDate,meterName,productName,serviceName,type,"
    header += "unitOfMeasure,reservationTerm"
    rows = (
        "USD,7.346,eastus2,2022-06-01T00:00:00Z,NC48ads_A100_v4,NCads A100 v4 Series Linux,Virtual Machines,"
        "Consumption,1 Hour,\n"
        "USD,42066.0,eastus2,2022-06-01T00:00:00Z,NC48ads_A100_v4,NCads A100 v4 Series Linux,Virtual Machines,"
        "Reservation,1 Hour,1 Year\n"
    )
    found = {key[3]: round(price.hourly_price, 3) for key, price in read(f"{header}\n{rows}").prices.items()}
    assert found == {"payg": 7.346, "ri_1y": 4.802}  # 42,066 / 8,760
