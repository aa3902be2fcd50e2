"""/prices/: every price book with its date and source, what changed, what its checks found, how to refresh."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from advisor import store_books
from advisor.engine.prices import PriceBook
from advisor.engine.retail.changes import compare
from advisor.engine.retail.findings import Finding
from advisor.engine.retail.refresh import Refreshed
from tests.pages import Page

pytestmark = pytest.mark.django_db

URL = "/prices/"
WARNING = Finding(
    code="proportion", severity="warning", size="Standard_NC6s_v3", region="eastus", message="linux <b>3.06</b> is odd"
)


def publish(book: PriceBook, name: str, day: date, *factors: float, warnings: int = 0) -> PriceBook:
    """Store a book like `book` with its first pay-as-you-go prices times `factors`, as one that came after it."""
    keys = [key for key in sorted(book.prices) if key[3] == "payg"][: len(factors)]
    prices = dict(book.prices)
    for key, factor in zip(keys, factors, strict=True):
        prices[key] = replace(prices[key], hourly_price=prices[key].hourly_price * factor, as_of=day)
    new = replace(book, name=name, as_of=day, prices=prices, source="Azure Retail Prices API (https://api.test)")
    findings = tuple(replace(WARNING, message=f"{WARNING.message} ({n})") for n in range(warnings))
    found = Refreshed(book=new, read=len(factors), regions=1, findings=findings, changes=compare(book, new))
    store_books.publish(found)
    return new


def table(client: Client, query: str = "") -> list[list[str]]:
    return Page(client.get(URL + query).content).rows["books-h"][1:]


def test_the_built_in_book_stands_alone(client: Client) -> None:
    response = client.get(URL)
    assert table(client) == [
        ["retail-2026-11-30 in use", "2026-11-30", "USD", "5,190"]
        + ["\u2013 no book before it"] * 3
        + ["8", "built in"]
    ]
    assertContains(response, "Azure retail prices as kept by twelve public sources")
    assertContains(response, "manage.py refresh_prices")
    assertContains(response, "It was compared with no other book.")


def test_a_refreshed_book_stands_first_with_what_changed(client: Client, price_book: PriceBook) -> None:
    """Three prices of 5,190 moved: by -25, +10 and -5 %; the median is -5 %."""
    publish(price_book, "azure-usd-2026-12-01", date(2026, 12, 1), 0.75, 1.1, 0.95)
    rows = table(client)
    assert rows[0] == ["azure-usd-2026-12-01 in use", "2026-12-01", "USD", "5,190", "3", "0", "0", "0", "refreshed"]
    assert rows[1][0] == "retail-2026-11-30"
    page = Page(client.get(URL).content)
    assert "3 prices changed, 0 are new, 0 are not listed any more, 5,187 are the same." in page.text
    by_model = next(row for row in page.rows["shown"] if row[:1] == ["Pay as you go"])
    assert by_model == ["Pay as you go", "1", "2", "\u22125.0 %", "0", "0"]
    largest = [row[-1] for row in page.rows["shown"] if len(row) == 7 and row[0] != "Size"]
    assert largest == ["\u221225.0 %", "+10.0 %", "\u22125.0 %"]
    assertContains(client.get(URL), "USD per VM-hour")


def test_another_book_can_be_looked_at(client: Client, price_book: PriceBook) -> None:
    publish(price_book, "azure-usd-2026-12-01", date(2026, 12, 1), 0.75)
    response = client.get(f"{URL}?book=retail-2026-11-30")
    assertContains(response, "It was compared with no other book.")
    assertNotContains(response, "Against retail-2026-11-30")


def test_a_book_in_another_currency_is_not_in_use(client: Client, price_book: PriceBook) -> None:
    publish(replace(price_book, currency="EUR"), "azure-eur-2026-12-01", date(2026, 12, 1), 0.75)
    rows = table(client)
    assert [row[0] for row in rows] == ["azure-eur-2026-12-01", "retail-2026-11-30 in use"]
    assertContains(client.get(f"{URL}?book=azure-eur-2026-12-01"), "EUR per VM-hour")


def test_warnings_stand_with_size_and_region_and_the_rest_is_folded(client: Client, price_book: PriceBook) -> None:
    publish(price_book, "azure-usd-2026-12-01", date(2026, 12, 1), 0.9, warnings=10)
    response = client.get(URL)
    assertContains(response, "NC6s_v3 in eastus:", count=10)
    assertContains(response, "<summary>2 more</summary>")
    assertContains(response, "linux &lt;b&gt;3.06&lt;/b&gt; is odd (0)")


def test_many_changes_are_folded(client: Client, price_book: PriceBook) -> None:
    publish(price_book, "azure-usd-2026-12-01", date(2026, 12, 1), *(0.9 for _ in range(150)))
    response = client.get(URL)
    assertContains(response, "<summary>85 more changes</summary>")  # 100 are kept, 15 shown
    assertContains(response, "150 prices changed")
    assert len(response.content) < 150_000


@pytest.mark.parametrize("asked", ["nonsense", "<script>", "", "\0"])
def test_an_unknown_book_shows_the_one_in_use(client: Client, asked: str) -> None:
    response = client.get(URL, {"book": asked})
    assert response.status_code == 200
    assertContains(response, '<h2 id="shown">retail-2026-11-30</h2>')
    assertNotContains(response, "<script>#")


def test_one_query_however_many_books(client: Client, price_book: PriceBook, django_assert_num_queries: Any) -> None:
    for day in (1, 2):
        publish(price_book, f"azure-usd-2026-12-0{day}", date(2026, 12, day), 0.9)
    with django_assert_num_queries(1):
        client.get(URL)


def test_methods_and_markup(client: Client) -> None:
    assert client.post(URL).status_code == 405
    assert client.head(URL).content == b""


@pytest.mark.parametrize("address", ["/sources/", "/assumptions/", "/sizes/Standard_NC24ads_A100_v4/"])
def test_other_pages_lead_here(client: Client, address: str) -> None:
    assertContains(client.get(address), f'href="{URL}"')


def test_the_built_in_book_shows_what_its_checks_found(client: Client) -> None:
    """Eight rows are out of proportion, tests/catalogue/test_price_checks.py says why each stands in the book."""
    page = client.get("/prices/").content.decode()
    section = page.split("Warnings of its checks", 1)[1].split("</section>", 1)[0]
    assert section.count("<li") == 8
    assert section.count("NC144ds") >= 5
