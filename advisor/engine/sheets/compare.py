"""Own prices beside list prices: how far apart they are, so that a sheet read wrongly is seen at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from advisor.engine.prices import Price, PriceBook
from advisor.engine.quotes import USABLE_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One own price per hour beside the list's, both in the book's currency; `change` is own less list, in percent."""

    own: Price
    listed: Price | None  # None: the list has no price of the last 12 months
    change: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Own prices against the list. `median`, `least` and `most` are changes in percent, None where none is in both."""

    rows: tuple[Compared, ...]  # the first ones: places asked for first, then by size, region, system, model
    own: int
    both: int
    median: float | None
    least: float | None
    most: float | None
    outdated: int  # own prices that are history: older than 12 months before the book


def compare(book: PriceBook, first: Collection[tuple[str, str | None]] = (), *, limit: int = 20) -> Comparison:
    """The own prices of a book against its list; `first` are sizes and regions whose rows go before the others."""
    oldest = book.as_of - timedelta(days=USABLE_DAYS)
    rows = []
    for key, own in book.own.items():
        listed = book.prices.get(key)
        if listed is not None and listed.as_of < oldest:
            listed = None
        change = None if listed is None else 100 * (own.hourly_price / listed.hourly_price - 1)
        rows.append(Compared(own=own, listed=listed, change=change))
    changes = [row.change for row in rows if row.change is not None]
    rows.sort(key=lambda row: ((row.own.size, row.own.region) not in first, _order(row.own)))
    return Comparison(
        rows=tuple(rows[:limit]),
        own=len(rows),
        both=len(changes),
        median=median(changes) if changes else None,
        least=min(changes, default=None),
        most=max(changes, default=None),
        outdated=sum(own.as_of < oldest for own in book.own.values()),
    )


def _order(price: Price) -> tuple[str, str, str, str]:
    return price.size, price.region, price.os, price.price_model
