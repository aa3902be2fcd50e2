"""The prices of a fleet: its own price sheet, discounts, currency; what the answer then counts with; and who may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor import models, store_prices
from advisor.models import StoredFleet, StoredPriceSheet
from tests.pages import Page
from tests.web.fleets import uploaded
from tests.web.test_advise_prices import native_book

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "prices"
FLEET = "name,size,region,count,hours_per_vm,workload,os\ntrain,NC4as_T4_v3,eastus,4,730,inference,linux\n"
DAY = "?as_of=2026-11-30"
EURO_LIST = "size,region,hourly_price,currency,as_of\nNC4as_T4_v3,eastus,0.40,EUR,2026-11-01\n"

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(client: Client) -> StoredFleet:
    return uploaded(client, ("fleet.csv", FLEET))


def address(fleet: StoredFleet) -> str:
    return reverse("fleet-prices", args=[fleet.pk])


def give(client: Client, fleet: StoredFleet, content: Path | str | bytes, name: str = "sheet.csv", **more: str) -> Any:
    """Hand in a price sheet as a file."""
    if isinstance(content, Path):
        name, content = content.name, content.read_bytes()
    raw = content.encode() if isinstance(content, str) else content
    return client.post(address(fleet), {"do": "sheet", "file": SimpleUploadedFile(name, raw)} | more)


def discounts(*rows: tuple[str, str, list[str]]) -> dict[str, Any]:
    values: dict[str, Any] = {"do": "discounts", "d-TOTAL_FORMS": str(len(rows)), "d-INITIAL_FORMS": "0"}
    for place, (series, percent, models_) in enumerate(rows):
        values |= {f"d-{place}-series": series, f"d-{place}-percent": percent, f"d-{place}-models": models_}
    return values


def money(currency: str = "", *rates: tuple[str, str, str], book: str = "") -> dict[str, str]:
    values = {"do": "money", "in_currency": currency, "book": book}
    values |= {"r-TOTAL_FORMS": str(len(rates)), "r-INITIAL_FORMS": "0"}
    for place, (code, rate, day) in enumerate(rates):
        values |= {f"r-{place}-code": code, f"r-{place}-rate": rate, f"r-{place}-day": day}
    return values


def answer(client: Client, fleet: StoredFleet) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("answer-json", args=[fleet.pk]) + DAY).json()
    return found


def stay(found: dict[str, Any]) -> dict[str, Any]:
    (option,) = (o for o in found["pools"][0]["options"] if o.get("verdict") == "stay")
    return dict(option)


# A price sheet


def test_a_sheet_is_read_kept_and_shown(client: Client, fleet: StoredFleet) -> None:
    response = give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    assertRedirects(response, address(fleet) + "#sheet", status_code=303)
    page = Page(client.get(address(fleet)).content)
    assert "8 of your own prices go first, then the list." in page.text
    assert "14 = 8 priced + 4 other + 2 refused, none lost" in page.text.replace("Rows read ", "")
    assert "Line 15, column MeterRegion: “Zone 1” is no Azure region that is known here." in page.text
    assert "Low priority, a kind of Azure Batch that is no price of a VM" in page.text
    own, listed = 0.4471, 0.526
    row = next(
        cells for cells in page.rows["sheet-h"] if cells[:4] == ["NC4as_T4_v3", "eastus", "Linux", "Pay as you go"]
    )
    assert row[4:] == ["0.447", "0.526", f"\u2212{100 * (1 - own / listed):.1f} %"]  # 15.0 % below the list


def test_every_answer_counts_with_the_sheet(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    found = answer(client, fleet)
    monthly = 4 * 730 * 0.4471  # 1,305.53
    assert stay(found)["monthly_cost"] == pytest.approx(monthly)
    assert found["pools"][0]["baseline"]["monthly_cost"] == pytest.approx(monthly)
    assert found["price_book"]["sheet"]["file"] == "ea_2023-05-01.csv"
    pool = found["pools"][0]["id"]
    for name, args in (("answer", [fleet.pk]), ("pool", [fleet.pk, pool])):
        assertContains(client.get(reverse(name, args=args) + DAY), "1,306")
    table = client.get(reverse("answer-csv", args=[fleet.pk]) + DAY).content.decode()
    assert str(stay(found)["monthly_cost"])[:8] in table


def test_the_answer_says_what_its_prices_are_and_where_to_change_them(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    response = client.get(reverse("answer", args=[fleet.pk]) + DAY)
    assertContains(response, "8 own prices of 2026-11-01 first (price sheet ea_2023-05-01.csv)")
    assertContains(response, f'href="{address(fleet)}"')


def test_a_sheet_that_is_removed_counts_no_more(client: Client, fleet: StoredFleet) -> None:
    before = answer(client, fleet)
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    assert answer(client, fleet)["totals"] != before["totals"]
    assertRedirects(client.post(address(fleet), {"do": "remove"}), address(fleet) + "#sheet", status_code=303)
    assert answer(client, fleet)["totals"] == before["totals"]
    assert not StoredPriceSheet.objects.exists()


def test_another_sheet_takes_the_place_of_the_first(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    give(client, fleet, "size,region,price,currency,as_of\nNC4as_T4_v3,eastus,0.3,USD,2026-11-01\n")
    assert stay(answer(client, fleet))["hourly_price"] == 0.3
    assert StoredPriceSheet.objects.count() == 1


def test_a_sheet_goes_with_its_fleet(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    client.post(reverse("delete-fleet", args=[fleet.pk]))
    assert not StoredPriceSheet.objects.exists()


def test_prices_may_be_pasted(client: Client, fleet: StoredFleet) -> None:
    lines = "size,region,hourly_price\nNC4as_T4_v3,East US,0.33\n"
    said = {"currency": "usd", "as_of": "2026-11-15"}
    assert client.post(address(fleet), {"do": "lines", "lines": lines} | said).status_code == 303
    assert stay(answer(client, fleet))["hourly_price"] == 0.33
    assertContains(client.get(address(fleet)), "every price is read as one of linux")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "neither its currency nor the day"),
        ({"currency": "USD"}, "does not say of which day"),
        ({"as_of": "2026-11-15"}, "does not say its currency"),
        ({"currency": "dollar"}, "no currency code"),
        ({"as_of": "15.11.2026"}, "Write a day as 2026-11-30."),
    ],
)
def test_what_a_sheet_does_not_say_is_asked_for(
    client: Client, fleet: StoredFleet, said: dict[str, str], words: str
) -> None:
    response = give(client, fleet, "size,region,hourly_price\nNC4as_T4_v3,eastus,0.33\n", **said)
    assertContains(response, words, status_code=422)
    assert not StoredPriceSheet.objects.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The file is empty."),
        (b"%PDF-1.7", "This is no text."),
        (b"PK\x03\x04" + bytes(26) + b"xl/workbook", "Excel workbook"),
        (b"name,size,region,count\na,NC6,eastus,2\n", "the columns size, region and hourly_price are needed"),
        (b"<script>alert(1)</script>", "no table"),
    ],
)
def test_what_is_no_price_sheet_is_answered_beside_the_field(
    client: Client, fleet: StoredFleet, content: bytes, words: str
) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    response = give(client, fleet, content, "x<b>.csv")
    assertContains(response, words, status_code=422)
    assertContains(response, "x&lt;b&gt;.csv was not used", status_code=422)
    assert store_prices.sheet_head(fleet).file == "ea_2023-05-01.csv"  # type: ignore[union-attr]


def test_no_file_and_too_large_a_file_are_form_errors(client: Client, fleet: StoredFleet, settings: Any) -> None:
    assertContains(client.post(address(fleet), {"do": "sheet"}), "No file came with the form.", status_code=422)
    settings.UPLOAD_LIMIT_BYTES = 100
    assertContains(give(client, fleet, SAMPLES / "ea_2023-05-01.csv"), "is larger than", status_code=422)


def test_a_large_sheet_is_read_from_disk_and_gone(
    client: Client, fleet: StoredFleet, settings: Any, tmp_path: Path
) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE, settings.FILE_UPLOAD_TEMP_DIR = 1_000, str(tmp_path)
    head, *rows = EURO_LIST.replace("EUR", "USD").splitlines()
    give(client, fleet, "\n".join([head, *rows * 500]))
    assert list(tmp_path.iterdir()) == []
    assert store_prices.sheet_head(fleet).others == {"repeated": 499}  # type: ignore[union-attr]


def test_u53_a_sheet_in_euro_waits_for_its_rate_and_says_so(client: Client, fleet: StoredFleet) -> None:
    before = stay(answer(client, fleet))["hourly_price"]
    give(client, fleet, EURO_LIST)
    for url in (address(fleet), reverse("answer", args=[fleet.pk]) + DAY):
        assertContains(client.get(url), "Your price sheet is not used: the price sheet is in EUR")
    assert stay(answer(client, fleet))["hourly_price"] == before
    client.post(address(fleet), money("", ("EUR", "0,8", "2026-11-27")))
    assert stay(answer(client, fleet))["hourly_price"] == pytest.approx(0.5)  # 0.40 EUR / 0.8
    assertNotContains(client.get(address(fleet)), "is not used")


# Discounts


def test_discounts_are_kept_and_counted(client: Client, fleet: StoredFleet) -> None:
    before = answer(client, fleet)
    response = client.post(address(fleet), discounts(("ncast4_v3", "10 %", []), ("", "", []), ("*", "2,5", ["ri_1y"])))
    assertRedirects(response, address(fleet) + "#discounts", status_code=303)
    found = answer(client, fleet)
    assert stay(found)["hourly_price"] == pytest.approx(0.9 * stay(before)["hourly_price"])
    assert found["price_book"]["discounts"] == [
        {"series": "NCasT4_v3", "percent": 10.0, "price_models": []},
        {"series": "*", "percent": 2.5, "price_models": ["ri_1y"]},
    ]
    assertContains(client.get(reverse("answer", args=[fleet.pk]) + DAY), "less 10 % on NCasT4_v3")
    page = client.get(address(fleet)).content.decode()
    assert 'value="NCasT4_v3"' in page and 'value="10"' in page and "2.5 % on every series" in page


def test_all_models_ticked_is_every_model(client: Client, fleet: StoredFleet) -> None:
    every = ["payg", "spot", "ri_1y", "ri_3y", "sp_1y", "sp_3y"]
    client.post(address(fleet), discounts(("NCasT4_v3", "10", every)))
    fleet.refresh_from_db()
    assert fleet.prices["discounts"] == [["NCasT4_v3", 10.0, []]]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("NCasT5_v3", "10", []), "no series that is known here; near: NCasT4_v3"),
        (("NC4as_T4_v3", "10", []), "its series is NCasT4_v3"),
        (("NCasT4_v3", "", []), "Write how many percent"),
        (("", "10", []), "Write a series such as NCasT4_v3"),
        (("NCasT4_v3", "100", []), "above 0 and below 100"),
        (("NCasT4_v3", "-5", []), "is no number above 0"),
        (("NCasT4_v3", "ten", []), "is no number above 0"),
        (("NCasT4_v3", "10", ["cash"]), "cash is not one of the available choices"),
    ],
)
def test_a_discount_that_cannot_be_used_is_said_beside_it(
    client: Client, fleet: StoredFleet, row: tuple[str, str, list[str]], words: str
) -> None:
    response = client.post(address(fleet), discounts(row))
    assertContains(response, words, status_code=422)
    fleet.refresh_from_db()
    assert fleet.prices == {}


def test_two_discounts_for_one_thing_are_refused(client: Client, fleet: StoredFleet) -> None:
    response = client.post(address(fleet), discounts(("NCasT4_v3", "5", []), ("ncast4v3", "6", [])))
    assertContains(response, "NCasT4_v3 has two discounts", status_code=422)


def test_more_rows_keep_what_was_typed(client: Client, fleet: StoredFleet) -> None:
    response = client.post(address(fleet), discounts(("NCasT4_v3", "5", ["payg"])) | {"more": "1"})
    names = {attrs.get("name") for tag, attrs in Page(response.content).elements if tag == "input"}
    assert response.status_code == 200 and {"d-0-series", "d-3-series"} <= names


def test_discounts_are_taken_away_by_empty_rows(client: Client, fleet: StoredFleet) -> None:
    client.post(address(fleet), discounts(("NCasT4_v3", "5", [])))
    client.post(address(fleet), discounts(("", "", [])))
    assert "discounts" not in answer(client, fleet)["price_book"]


# Currency and list


def test_u53_the_answer_in_another_currency_at_a_stated_rate(client: Client, fleet: StoredFleet) -> None:
    dollars = answer(client, fleet)
    response = client.post(address(fleet), money("krw", ("KRW", "1400", "2026-11-27")))
    assertRedirects(response, address(fleet) + "#money", status_code=303)
    won = answer(client, fleet)
    assert (won["currency"], won["price_book"]["rate_as_of"]) == ("KRW", "2026-11-27")
    for name in ("baseline_monthly_cost", "recommended_tco"):
        assert won["totals"][name] == pytest.approx(1400 * dollars["totals"][name])
    page = client.get(reverse("answer", args=[fleet.pk]) + DAY)
    assertContains(page, "converted at 1400 KRW for one USD of 2026-11-27")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (money("EUR"), "For EUR the rate for one US dollar"),
        (money("EURO"), "no currency code"),
        (money("", ("EUR", "0.8", "")), "Of which day?"),
        (money("", ("", "0.8", "2026-11-27")), "Which currency?"),
        (money("", ("EUR", "nothing", "2026-11-27")), "is no number above 0"),
        (money("", ("USD", "1", "2026-11-27")), "name the other currency"),
        (money("", ("EUR", "0.8", "2026-11-27"), ("EUR", "0.9", "2026-11-27")), "EUR has two rates"),
        (money("", book="nowhere"), "not one of the available choices"),
    ],
)
def test_u53_what_cannot_be_counted_with_is_said(
    client: Client, fleet: StoredFleet, values: dict[str, str], words: str
) -> None:
    assertContains(client.post(address(fleet), values), words, status_code=422)
    fleet.refresh_from_db()
    assert fleet.prices == {}


def test_u53_a_native_list_counts_as_it_is(client: Client, fleet: StoredFleet) -> None:
    native_book("retail-eur", "EUR", 0.3)
    assertContains(client.post(address(fleet), money(book="retail-eur")), "assumed amounts", status_code=422)
    client.post(address(fleet), money("", ("EUR", "0.8", "2026-11-27"), book="retail-eur"))
    found = answer(client, fleet)
    assert (found["currency"], stay(found)["hourly_price"]) == ("EUR", 0.3)


def test_a_list_that_is_gone_is_said_and_the_newest_counts(client: Client, fleet: StoredFleet) -> None:
    native_book("retail-eur", "EUR", 0.3)
    client.post(address(fleet), money("", ("EUR", "0.8", "2026-11-27"), book="retail-eur"))
    models.StoredPriceBook.objects.filter(name="retail-eur").delete()
    assert answer(client, fleet)["currency"] == "USD"
    page = client.get(reverse("answer", args=[fleet.pk]) + DAY)
    assertContains(page, "The price list retail-eur is no longer there: the newest one is used.")


# Who may, and what is shared


def test_nobody_else_sees_or_changes_a_fleets_prices(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    stranger = Client()
    assert stranger.get(address(fleet)).status_code == 404
    for values in ({"do": "remove"}, discounts(("*", "5", [])), money("")):
        assert stranger.post(address(fleet), values).status_code == 404
    assert StoredPriceSheet.objects.count() == 1
    assert client.post(address(fleet), {"do": "something else"}).status_code == 404


def test_one_fleets_prices_are_not_anothers(client: Client, fleet: StoredFleet) -> None:
    other = uploaded(client, ("other.csv", FLEET))
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    client.post(address(fleet), discounts(("*", "20", [])))
    assert "sheet" not in answer(client, other)["price_book"] and "discounts" not in answer(client, other)["price_book"]


def test_a_shared_report_says_that_own_prices_were_used_and_not_the_file(client: Client, fleet: StoredFleet) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    client.post(address(fleet), discounts(("NC_A100_v4", "12", [])))
    make = reverse("make-report", args=[fleet.pk]) + DAY
    token = client.post(make, {"title": "Report"}).headers["Location"].split("/")[2]
    text = Client().get(reverse("report", args=[token])).content.decode()
    assert "8 own prices of 2026-11-01 first (price sheet)" in text and "less 12 % on NC_A100_v4" in text
    assert "ea_2023-05-01" not in text
    assert "ea_2023-05-01" not in json.dumps(models.StoredReport.objects.get().advice)
    token = client.post(make, {"title": "R", "with_names": "on"}).headers["Location"].split("/")[2]
    assertContains(Client().get(reverse("report", args=[token])), "ea_2023-05-01.csv")


def test_a_page_costs_no_more_queries_with_own_prices(
    client: Client, fleet: StoredFleet, django_assert_num_queries: Any
) -> None:
    give(client, fleet, SAMPLES / "ea_2023-05-01.csv")
    client.post(address(fleet), discounts(("*", "20", [])))
    url = reverse("answer-json", args=[fleet.pk]) + DAY
    client.get(url)
    with django_assert_num_queries(3):  # the session, the fleet, the version
        client.get(url)
