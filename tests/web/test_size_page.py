"""/sizes/<name>/: canonical names, facts with source and date, conflicts, life, prices, moves."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from advisor.engine.catalogue import Catalogue
from advisor.engine.citations import cite
from advisor.engine.prices import PriceBook
from tests.profiles import FUZZ, sample

pytestmark = pytest.mark.django_db

DAY = {"as_of": "2026-11-30"}


def body(client: Client, name: str, **query: str) -> str:
    response = client.get(f"/sizes/{name}/", {**DAY, **query})
    assert response.status_code == 200
    return response.content.decode()


def plain(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def test_size_pages_answer_with_their_source_and_date(client: Client, catalogue: Catalogue) -> None:
    """Every size with `make fuzz`; else the first of each series, and some of those that sources disagree on."""
    of_series = {size.series: name for name, size in reversed(catalogue.sizes.items())}
    doubted = sample(sorted(set(catalogue.conflicts_of) & set(catalogue.sizes)), 10)
    for name in catalogue.sizes if FUZZ else sorted({*of_series.values(), *doubted}):
        size = catalogue.sizes[name]
        page = body(client, name)
        assert escape(cite(size.source)[0].short) in page, name
        assert size.as_of.isoformat() in page, name
        assert len(page) < 150_000, name
        for conflict in catalogue.conflicts_of.get(name, ()):
            assert escape(conflict.version_a) in page, (name, conflict.fact)
            assert escape(conflict.version_b) in page, (name, conflict.fact)
            assert escape(conflict.reason) in page, (name, conflict.fact)
        for event in catalogue.events_of.get(name, ()):
            assert escape(event.note) in page, name
            assert event.on is None or event.on.isoformat() in page, name
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", page), name


@pytest.mark.parametrize("text", ["nc6s_v3", "STANDARD_NC6S_V3", "NC6s v3", "Standard_NC6s_v3 Spot"])
def test_another_spelling_leads_to_the_canonical_name(client: Client, text: str) -> None:
    assertRedirects(client.get(f"/sizes/{text}/"), "/sizes/Standard_NC6s_v3/")


def test_the_day_survives_the_redirect(client: Client) -> None:
    assertRedirects(client.get("/sizes/nc6s_v3/", DAY), "/sizes/Standard_NC6s_v3/?as_of=2026-11-30")


def test_an_alias_leads_to_its_size(client: Client) -> None:
    assertRedirects(client.get("/sizes/ND96asr_A100_v4/"), "/sizes/Standard_ND96asr_v4/")


def test_an_unknown_name_is_not_found_with_the_nearest(client: Client) -> None:
    response = client.get("/sizes/Standard_NC6s_v33/")
    assertContains(response, "/sizes/Standard_NC6s_v3/", status_code=404)


@pytest.mark.parametrize("text", ["<script>alert(1)<", "'\"><img src=x>", "%00", "A" * 3000, "🦕"])
def test_hostile_names_are_escaped_and_not_found(client: Client, text: str) -> None:
    response = client.get(f"/sizes/{text}/")
    assert response.status_code == 404
    assertNotContains(response, "<script>alert", status_code=404)
    assertNotContains(response, "<img", status_code=404)


def test_a_listed_name_says_that_no_page_describes_it(client: Client, catalogue: Catalogue) -> None:
    name, listed = next(iter(catalogue.listed_names.items()))
    page = body(client, name)
    assert "A name without a size page" in page
    assert listed.as_of.isoformat() in page


def test_regions_with_dates_of_their_own(client: Client) -> None:
    text = plain(body(client, "Standard_NC24rs_v3"))
    assert "Retired on 2025-09-30" in text
    assert "USGov Arizona, USGov Virginia: until 2026-12-31, 31 days left (another source: 2026-06-30)" in text
    assert "China North 3, Jio India West: until 2027-06-30, 212 days left" in text


def test_the_day_changes_the_status(client: Client) -> None:
    assert "day is left" in plain(body(client, "Standard_NV12s_v3", as_of="2026-09-29")).replace("day are", "day is")
    assert "Retired on 2026-09-30" in plain(body(client, "Standard_NV12s_v3", as_of="2026-09-30"))


def test_superseded_dates_are_struck_through_and_shown(client: Client) -> None:
    page = body(client, "Standard_NV12s_v3")
    assert re.search(r"<s>\s*<span class=\"nw\">2025-11-01</span>\s*</s>", page)
    assert 'text-decoration="line-through"' in page


def test_the_drawing_has_words(client: Client) -> None:
    page = body(client, "Standard_NC24rs_v3")
    assert page.count("<svg class=") == 2
    assert page.count("All other regions: until 2025-09-30, another source says 2025-03-31.") == 2


def test_unknown_facts_say_unknown(client: Client) -> None:
    page = body(client, "Standard_NV12hs_v3")
    row = page.split(">vCPU</th>")[1].split("</tr>")[0]
    assert "unknown" in row


def test_both_versions_of_a_conflict_and_the_one_in_use(client: Client) -> None:
    page = body(client, "Standard_NC24rs_v3")
    part = page.split("VM generations</h3>")[1].split("Why:")[0]
    assert part.index("1 and 2") < part.index('class="used"') < part.index("<strong>1</strong>")


@pytest.mark.parametrize("system", ["linux", "windows"])
def test_prices_are_those_of_the_book(client: Client, price_book: PriceBook, system: str) -> None:
    page = body(client, "Standard_NC24rs_v3", regions="all", os=system)
    own = [price for price in price_book.prices.values() if price.size == "Standard_NC24rs_v3"]
    regions = {price.region for price in own}
    table = page.split('id="prices"')[1].split("</table>")[0]
    assert f"{len(regions | {'chinanorth3'})} regions" in plain(page)  # China North 3 is documented without a price
    row = table.split(">West Europe<")[1].split("</tr>")[0]
    for price in own:
        if price.region == "westeurope" and price.os == system:
            assert f"{price.hourly_price:,.3f}" in row
            assert price.as_of.isoformat() in row
    old = [p for p in own if (p.region, p.os) == ("westeurope", system) and p.as_of.year == 2020]
    assert row.count(">old</span>") == len(old)


def test_estimated_commitments_are_marked(client: Client, catalogue: Catalogue, price_book: PriceBook) -> None:
    price = price_book.prices["Standard_NC4as_T4_v3", "eastus", "linux", "payg"]
    terms = price_book.commitments["NCasT4_v3", "ri_1y"]
    assert ("Standard_NC4as_T4_v3", "eastus", "linux", "sp_3y") not in price_book.prices
    page = body(client, "Standard_NC4as_T4_v3", regions="all")
    row = page.split('id="prices"')[1].split(">East US<")[1].split("</tr>")[0]
    cell = row.split('data-l="Reservation, 1 year"')[1].split("</td>")[0]
    assert ">estimated</span>" in cell
    assert terms.discount_low is not None
    assert f"{price.hourly_price * (1 - terms.discount_low):.3f}" in cell


def test_prices_sort_by_a_price_model(client: Client) -> None:
    page = body(client, "Standard_NC24rs_v3", prices="payg", regions="all")
    table = page.split('id="prices"')[1].split("<tbody")[1].split("</tbody>")[0]
    cells = [row.split("</td>")[0] for row in table.split('data-l="Pay as you go">')[1:]]
    usable = [float(re.search(r"\d+\.\d{3}", cell)[0]) for cell in cells if "old" not in cell and "." in cell]  # type: ignore[index]
    assert len(usable) > 10
    assert usable == sorted(usable)


def test_a_size_without_prices_says_what_would_fill_it(client: Client, price_book: PriceBook) -> None:
    assert not any(size == "Standard_NV12hs_v3" for size, *_rest in price_book.prices)
    assert "A price sheet of your own would fill it." in body(client, "Standard_NV12hs_v3")


def test_moves_from_and_to(client: Client, catalogue: Catalogue) -> None:
    move = next(move for move in catalogue.moves if move.to_size)
    target = str(move.to_size)
    for name, other in ((move.from_size, target), (target, move.from_size)):
        moves = body(client, name).split('id="moves"')[1].split("</section>")[0]
        assert f"/sizes/{other}/" in moves
        assert escape(cite(move.source)[0].short) in moves


def test_speed_has_an_interval_and_its_evidence(client: Client) -> None:
    text = plain(body(client, "Standard_NC24rs_v3").split('id="speed"')[1])
    assert re.search(r"H100 NVL 94GB.*?\d\.\d \u00d7 \w+\s*\d\.\d to \d\.\d", text)


def test_an_fpga_has_no_speed(client: Client) -> None:
    assert "An FPGA is no GPU" in body(client, "Standard_NP10s")


def test_a_special_size_says_why(client: Client, catalogue: Catalogue) -> None:
    reason = catalogue.sizes["Standard_NCC40ads_H100_v5"].special
    assert escape(reason) in body(client, "Standard_NCC40ads_H100_v5")


def test_a_wrong_day_is_named_and_the_page_shown(client: Client) -> None:
    response = client.get("/sizes/Standard_NC6s_v3/", {"as_of": "soon"})
    assertContains(response, "Write a day as 2026-11-30.", status_code=422)
    assertContains(response, 'value="soon"', status_code=422)


def test_one_query(client: Client, django_assert_num_queries: Any) -> None:
    body(client, "Standard_NC24rs_v3")
    for name in ("Standard_NC24rs_v3", "Standard_NV6"):
        with django_assert_num_queries(1):
            body(client, name)


def test_methods(client: Client) -> None:
    assert client.post("/sizes/Standard_NC6s_v3/").status_code == 405
    assert client.head("/sizes/Standard_NC6s_v3/").content == b""
