"""Is a list whole? Judged by what the last book has."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import Price, PriceBook, PriceKey
from advisor.engine.retail.completeness import check_complete, completeness, expected_keys
from advisor.engine.retail.findings import Finding

DAY = date(2026, 12, 1)


def read(book: PriceBook, region: str, *gone: str) -> dict[PriceKey, Price]:
    """What a whole list of the region would give, less the sizes `gone`, without Standard_."""
    return {
        key: price
        for key, price in book.prices.items()
        if key[1] == region and key[0].removeprefix("Standard_") not in gone
    }


def check(
    catalogue: Catalogue, book: PriceBook, prices: dict[PriceKey, Price], *leave_out: str, region: str = "westeurope"
) -> list[Finding]:
    return list(check_complete(completeness(prices, [region], book, catalogue, DAY, leave_out)))


def sizes_of(catalogue: Catalogue, book: PriceBook) -> set[str]:
    return {key[0] for key in expected_keys(book, catalogue, DAY)["westeurope"]}


def test_a_whole_list_has_no_finding(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert check(catalogue, price_book, read(price_book, "westeurope")) == []


def test_a_lost_region_is_an_error(catalogue: Catalogue, price_book: PriceBook) -> None:
    errors = [f for f in check(catalogue, price_book, {}) if f.severity == "error"]
    assert [(f.code, f.region) for f in errors] == [("short-list", "westeurope")]
    assert "0 of the " in errors[0].message
    assert "prices that retail-2026-11-30 has" in errors[0].message


def test_a_region_that_never_had_prices_is_not_missed(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert check(catalogue, price_book, {}, region="chinanorth3") == []


def test_one_size_gone_is_a_warning(catalogue: Catalogue, price_book: PriceBook) -> None:
    (finding,) = check(catalogue, price_book, read(price_book, "westeurope", "NC24ads_A100_v4"))
    assert (finding.severity, finding.code, finding.size) == (
        "warning",
        "listed-no-longer",
        "Standard_NC24ads_A100_v4",
    )
    assert finding.message == "listed no longer in westeurope; the last prices stay, with their days"


def test_more_than_a_tenth_gone_is_an_error(catalogue: Catalogue, price_book: PriceBook) -> None:
    half = sorted(sizes_of(catalogue, price_book))[::2]
    found = check(catalogue, price_book, read(price_book, "westeurope", *(n.removeprefix("Standard_") for n in half)))
    assert [f.code for f in found if f.severity == "error"] == ["short-list"]
    assert len([f for f in found if f.severity == "warning"]) == len(half)


def test_what_was_left_out_on_purpose_is_not_missed(catalogue: Catalogue, price_book: PriceBook) -> None:
    prices = read(price_book, "westeurope", "NC24ads_A100_v4")
    assert check(catalogue, price_book, prices, "Standard_NC24ads_A100_v4") == []


def test_a_missing_price_of_a_size_that_is_still_listed_is_named(catalogue: Catalogue, price_book: PriceBook) -> None:
    prices = read(price_book, "westeurope")
    del prices["Standard_NC24ads_A100_v4", "westeurope", "linux", "payg"]
    (finding,) = check(catalogue, price_book, prices)
    assert finding.size == "Standard_NC24ads_A100_v4"
    assert finding.message.startswith("linux pay-as-you-go listed no longer in westeurope")


def test_retired_sizes_and_old_rows_are_not_expected(catalogue: Catalogue, price_book: PriceBook) -> None:
    """NC6, NC6s_v3 and NV12s_v3 are retired, NCv3 in Jio India West and NVv3 in UAE North only in 2027; NP retires in
    2027; NC6_Promo and NC8lds stand in the book with prices of 2026, the one retired, the other without a page."""
    expected = expected_keys(price_book, catalogue, DAY)
    longer = ("jioindiawest", "uaenorth")
    names = {k[0].removeprefix("Standard_") for region, keys in expected.items() if region not in longer for k in keys}
    assert not names & {"NC6", "NC6s_v3", "NC6_Promo", "NV12s_v3", "NC8lds_xl_RTXPRO6000BSE_v6"}
    assert {"NC4as_T4_v3", "NP10s", "NV36ads_A10_v5"} <= names
    assert all(
        (price_book.as_of - price_book.prices[key].as_of).days <= 183 for keys in expected.values() for key in keys
    )


def test_windows_commitments_are_not_expected(catalogue: Catalogue, price_book: PriceBook) -> None:
    """The API lists none; the book has some from another source."""
    keys = [key for keys in expected_keys(price_book, catalogue, DAY).values() for key in keys]
    assert not [key for key in keys if key[2] == "windows" and key[3] not in ("payg", "spot")]


def test_rows_read_on_the_day_of_the_last_book_are_what_counts(catalogue: Catalogue, price_book: PriceBook) -> None:
    """A row that the last refresh already did not find is not missed again."""
    key: PriceKey = ("Standard_NC24ads_A100_v4", "westeurope", "linux", "payg")
    prices = {k: replace(p, as_of=price_book.as_of) for k, p in price_book.prices.items() if k[1] == "westeurope"}
    last = replace(price_book, prices=prices | {key: replace(prices[key], as_of=date(2026, 11, 1))})
    expected = expected_keys(last, catalogue, DAY)["westeurope"]
    assert key not in expected
    assert ("Standard_NC24ads_A100_v4", "westeurope", "windows", "payg") in expected
