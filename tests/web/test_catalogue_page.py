"""/sizes/: filters, order, state in the address, the part for htmx, unknown figures, mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor.engine.catalogue import Catalogue
from advisor.engine.ledger import status_at
from advisor.engine.prices import PriceBook

pytestmark = pytest.mark.django_db

DAY = "2026-11-30"
HTMX = {"HX-Request": "true"}


def names(response: Any) -> list[str]:
    """Sizes in the order of the table."""
    return re.findall(r'class="size"\s+href="/sizes/(Standard_\w+)/', response.content.decode())


def listed(client: Client, **query: Any) -> list[str]:
    response = client.get("/sizes/", {"as_of": DAY, **query})
    assert response.status_code == 200
    return names(response)


def test_all_sizes_are_listed_once(client: Client, catalogue: Catalogue) -> None:
    assert sorted(listed(client)) == sorted(catalogue.sizes)
    assertContains(client.get("/sizes/"), "100 of 100 sizes")


def test_names_without_a_size_page_stand_apart(client: Client, catalogue: Catalogue) -> None:
    response = client.get("/sizes/")
    assertContains(response, "37 names that price lists and APIs use")
    assertContains(response, "never advised")
    assert not set(names(response)) & set(catalogue.listed_names)


def facts(catalogue: Catalogue, wanted: Callable[[Any], bool]) -> set[str]:
    return {size.name for size in catalogue.sizes.values() if wanted(size)}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({"q": "a100"}, lambda s: "a100" in (s.name + s.series + (s.gpu or "")).lower()),
        ({"q": "nc24rs v3"}, lambda s: s.name == "Standard_NC24rs_v3"),
        ({"series": "NCv3"}, lambda s: s.series == "NCv3"),
        ({"series": "NV family"}, lambda s: s.name.startswith("Standard_NV")),
        ({"gpu": "T4"}, lambda s: s.gpu == "T4"),
        ({"gpu": "V100"}, lambda s: (s.gpu or "").startswith("V100")),
        ({"vendor": "amd"}, lambda s: s.vendor == "amd"),
        ({"gpus": "4"}, lambda s: s.gpus is not None and s.gpus >= 4),
        ({"infiniband": "on"}, lambda s: s.rdma not in (None, "none")),
        ({"generation_1": "on"}, lambda s: s.generations is not None and 1 in s.generations),
        ({"vendor": "nvidia", "gpus": "8"}, lambda s: s.vendor == "nvidia" and (s.gpus or 0) >= 8),
    ],
)
def test_a_filter_keeps_what_has_the_fact(
    client: Client, catalogue: Catalogue, query: dict[str, str], wanted: Callable[[Any], bool]
) -> None:
    assert set(listed(client, **query)) == facts(catalogue, wanted)


def test_memory_of_a_slice_is_its_own_share(client: Client) -> None:
    found = listed(client, memory="24", series="NVadsA10_v5")
    assert "Standard_NV36ads_A10_v5" in found  # the whole card
    assert "Standard_NV18ads_A10_v5" not in found  # half a card of 24 GiB


@pytest.mark.parametrize("status", ["current", "announced", "retired", "unknown"])
def test_status_is_that_of_the_day(client: Client, catalogue: Catalogue, status: str) -> None:
    day = date(2026, 9, 29)
    expected = {n for n in catalogue.sizes if status_at(catalogue, n, None, day).status == status}
    assert set(listed(client, as_of="2026-09-29", region="none", status=status)) == expected


def test_two_statuses_are_either_of_them(client: Client, catalogue: Catalogue) -> None:
    found = listed(client, status=["announced", "unknown"], region="none")
    assert {status_at(catalogue, n, None, date(2026, 11, 30)).status for n in found} <= {"announced", "unknown"}


def test_status_is_that_of_the_region(client: Client) -> None:
    assert "Standard_NV12s_v3" in listed(client, status="retired", region="westeurope")
    assert "Standard_NV12s_v3" in listed(client, status="announced", region="uaenorth")


def test_offered_means_documented_or_listed_lately(client: Client, catalogue: Catalogue, price_book: PriceBook) -> None:
    documented = {a.series for a in catalogue.availability if a.region == "uaenorth"}
    recent = {
        p.size for p in price_book.prices.values()
        if p.region == "uaenorth" and (price_book.as_of - p.as_of).days <= 183
    }  # fmt: skip
    expected = facts(catalogue, lambda s: s.series in documented or s.name in recent)
    assert set(listed(client, offered="on", region="uaenorth")) == expected


def test_price_at_most_counts_only_prices_that_can_be_used(
    client: Client, catalogue: Catalogue, price_book: PriceBook
) -> None:
    rows = {p.size: p for p in price_book.prices.values()
            if (p.region, p.os, p.price_model) == ("westeurope", "linux", "payg")}  # fmt: skip
    recent = {n for n, p in rows.items() if p.hourly_price <= 1 and (price_book.as_of - p.as_of).days <= 365}
    assert set(listed(client, price="1")) == recent & set(catalogue.sizes)


def test_left_out_for_an_unknown_figure_is_counted(client: Client, catalogue: Catalogue) -> None:
    unknown = len(facts(catalogue, lambda s: s.gpus is None))
    assert unknown
    assertContains(client.get("/sizes/", {"gpus": "1"}), f"{unknown} more left out")


def test_unknown_is_a_dash_and_never_zero(client: Client) -> None:
    response = client.get("/sizes/", {"q": "NV12hs_v3"})
    body = response.content.decode().split("<tbody")[1].split("</tbody>")[0]
    assert body.count("\u2013") == 9
    assert ">0<" not in body


def test_a_part_of_a_card_is_a_fraction(client: Client) -> None:
    assertContains(client.get("/sizes/", {"q": "NV6ads_A10"}), "⅙")


def test_an_old_price_says_so(client: Client) -> None:
    assertContains(client.get("/sizes/", {"q": "NV12s_v3", "region": "usgovvirginia"}), ">old</span>")


@pytest.mark.parametrize("sort", ["vcpus", "-vcpus", "price", "-price", "name", "-name", "total", "-ram"])
def test_order(client: Client, catalogue: Catalogue, price_book: PriceBook, sort: str) -> None:
    def price(name: str) -> float | None:
        row = price_book.prices.get((name, "westeurope", "linux", "payg"))
        return row.hourly_price if row else None

    value: Callable[[str], Any] = {
        "vcpus": lambda n: catalogue.sizes[n].vcpus,
        "price": price,
        "name": str.casefold,
        "total": lambda n: catalogue.sizes[n].gpu_memory_total_gib,
        "ram": lambda n: catalogue.sizes[n].memory_gib,
    }[sort.removeprefix("-")]
    found = [value(name) for name in listed(client, sort=sort)]
    known = [v for v in found if v is not None]
    assert known == sorted(known, reverse=sort.startswith("-"))
    assert None not in found[: len(known)]  # unknown last either way


def test_current_sizes_come_first(client: Client, catalogue: Catalogue) -> None:
    order = [status_at(catalogue, n, None, date(2026, 11, 30)).status for n in listed(client, region="none")]
    assert order == sorted(order, key=["current", "announced", "retired", "unknown"].index)


def test_headings_keep_the_filters_in_the_address(client: Client) -> None:
    response = client.get("/sizes/", {"series": "NCv3", "sort": "-vcpus", "status": ["retired", "announced"]})
    links = re.findall(r'id="by-(\w+)"\s+class="by"\s+href="([^"]+)"', response.content.decode())
    addresses = {key: parse_qs(urlsplit(unescape(url)).query) for key, url in links}
    assert len(addresses) == 12
    assert addresses["ram"] == {"series": ["NCv3"], "status": ["retired", "announced"], "sort": ["-ram"]}
    assert addresses["vcpus"]["sort"] == ["vcpus"]
    assertContains(response, 'aria-sort="descending"', count=1)


def test_the_form_shows_the_state(client: Client) -> None:
    response = client.get("/sizes/", {"gpu": "T4", "memory": "16", "infiniband": "on", "q": "NC"})
    assertContains(response, '<option value="T4" selected>')
    assertContains(response, 'value="16"')
    assertContains(response, 'value="NC"')


def test_htmx_gets_only_the_part_and_the_short_address(client: Client, django_assert_num_queries: Any) -> None:
    client.get("/sizes/")
    query = {"q": "", "series": "NCv3", "gpu": "", "region": "westeurope", "sort": "status", "memory": ""}
    with django_assert_num_queries(1):  # which version is loaded
        response = client.get("/sizes/", query, headers=HTMX)
    assertNotContains(response, "<h1>")
    assertContains(response, 'id="size-count" hx-swap-oob="innerHTML"')
    assert response["HX-Push-Url"] == "/sizes/?series=NCv3"
    assert "HX-Request" in response["Vary"]


def test_a_history_restore_gets_the_page(client: Client) -> None:
    response = client.get("/sizes/", headers={**HTMX, "HX-History-Restore-Request": "true"})
    assertContains(response, "<h1>")
    assert "HX-Push-Url" not in response


@pytest.mark.parametrize("query", [{}, {"series": "NV family", "sort": "-price"}, {"as_of": "2027-03-01"}])
def test_queries_do_not_grow(client: Client, django_assert_num_queries: Any, query: dict[str, str]) -> None:
    client.get("/sizes/", query)
    with django_assert_num_queries(1):
        client.get("/sizes/", query)


def test_nothing_found_says_what_to_change(client: Client) -> None:
    response = client.get("/sizes/", {"gpu": "T4", "memory": "80"})
    assertContains(response, "No size has all of this")
    assertContains(response, "without “GPU memory from, GiB”")
    assertContains(response, ": 4 sizes")
    assertContains(response, 'href="/sizes/?gpu=T4"')


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"memory": "abc"}, "Write a number, for example 24."),
        ({"gpus": "-1"}, "At least 0."),
        ({"memory": "nan"}, "Write a number, for example 24."),
        ({"as_of": "30.11.2026"}, "Write a day as 2026-11-30."),
        ({"as_of": "1900-01-01"}, "between 2015-01-01 and 2040-12-31"),
        ({"gpu": "V9"}, "V9"),
        ({"region": "atlantis"}, "atlantis"),
        ({"sort": "beauty"}, "beauty"),
        ({"region": "none", "price": "2"}, "Choose a region"),
    ],
)
def test_a_mistake_is_named_and_kept(client: Client, query: dict[str, str], message: str) -> None:
    for headers in ({}, HTMX):
        response = client.get("/sizes/", query, headers=headers)
        assertContains(response, message, status_code=422)
        assert "HX-Push-Url" not in response


def test_what_was_typed_stays(client: Client) -> None:
    assertContains(client.get("/sizes/", {"memory": "abc"}), 'value="abc"', status_code=422)


@pytest.mark.parametrize("field", ["q", "gpu", "memory", "as_of", "sort", "series", "region"])
def test_hostile_text_is_escaped(client: Client, field: str) -> None:
    response = client.get("/sizes/", {field: '"><script>alert(1)</script>\0'})
    assertNotContains(response, "<script>alert", status_code=response.status_code)
    assert response.status_code in (200, 422)


def test_methods(client: Client) -> None:
    assert client.post("/sizes/").status_code == 405
    head = client.head("/sizes/")
    assert (head.status_code, head.content) == (200, b"")


def test_nothing_inline(client: Client) -> None:
    body = client.get("/sizes/").content.decode()
    assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=", body)
