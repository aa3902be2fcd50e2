"""The difference of two books, by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from advisor.engine.prices import Price, PriceBook
from advisor.engine.retail.changes import changes_json, compare

BEFORE, NOW = date(2026, 11, 30), date(2026, 12, 1)


def book(name: str, as_of: date, *prices: tuple[str, str, float, date]) -> PriceBook:
    """Linux prices in westeurope: size, price model, price, day."""
    rows = [
        Price(size=s, region="westeurope", os="linux", price_model=m, hourly_price=p, as_of=day, source="x")  # type: ignore[arg-type]
        for s, m, p, day in prices
    ]
    return PriceBook(
        name=name,
        currency="USD",
        as_of=as_of,
        source="x",
        windows_licence_per_vcpu_hour=0.046,
        windows_licence_source="x",
        prices={(p.size, p.region, p.os, p.price_model): p for p in rows},
    )


@pytest.fixture
def books() -> tuple[PriceBook, PriceBook]:
    before = book(
        "one",
        BEFORE,
        ("A", "payg", 2.0, BEFORE),
        ("B", "payg", 4.0, BEFORE),
        ("C", "payg", 1.0, BEFORE),
        ("C", "spot", 0.5, BEFORE),
        ("D", "ri_1y", 3.0, BEFORE),
    )
    after = book(
        "two",
        NOW,
        ("A", "payg", 1.5, NOW),  # 1.5 / 2 - 1 = -25 %
        ("B", "payg", 4.4, NOW),  # 4.4 / 4 - 1 = +10 %
        ("C", "payg", 1.0004, NOW),  # rounding
        ("C", "spot", 0.5, BEFORE),  # not read: it stays
        ("E", "sp_3y", 7.0, NOW),
    )
    return before, after


def test_what_came_went_and_moved(books: tuple[PriceBook, PriceBook]) -> None:
    changes = compare(*books)
    assert changes.added == (("E", "westeurope", "linux", "sp_3y"),)
    assert changes.gone == (("D", "westeurope", "linux", "ri_1y"),)
    assert [(c.size, round(c.percent, 9)) for c in changes.changed] == [("A", -25.0), ("B", 10.0)]
    assert (changes.same, changes.older, changes.against) == (2, 1, "one")


def test_what_is_not_listed_any_more_is_gone_although_its_price_stays(books: tuple[PriceBook, PriceBook]) -> None:
    changes = compare(*books, unlisted=[("C", "westeurope", "linux", "spot")])
    assert changes.gone == (("C", "westeurope", "linux", "spot"), ("D", "westeurope", "linux", "ri_1y"))
    assert changes.same == 1


def test_the_summary_counts_by_price_model(books: tuple[PriceBook, PriceBook]) -> None:
    """Median of -25 % and +10 % is -7.5 %."""
    summary = changes_json(compare(*books))
    payg, reserved, plan = summary["by_model"]
    assert (payg["price_model"], payg["up"], payg["down"]) == ("payg", 1, 1)
    assert payg["median_percent"] == pytest.approx(-7.5)
    assert (reserved["price_model"], reserved["gone"], reserved["median_percent"]) == ("ri_1y", 1, None)
    assert (plan["price_model"], plan["added"]) == ("sp_3y", 1)
    assert [summary[name] for name in ("added", "gone", "changed", "same", "older")] == [1, 1, 2, 2, 1]
    assert [row["size"] for row in summary["largest"]] == ["A", "B"]


def test_a_book_and_itself_are_the_same(price_book: PriceBook) -> None:
    changes = compare(price_book, price_book)
    assert (changes.added, changes.gone, changes.changed, changes.same) == ((), (), (), 5190)


def test_u53_books_in_two_currencies_are_not_compared(price_book: PriceBook) -> None:
    with pytest.raises(ValueError, match=r"in USD, .* in EUR"):
        compare(price_book, replace(price_book, currency="EUR"))
