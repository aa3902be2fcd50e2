"""What changed from one price book to the next: prices that came, went and moved."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from advisor.engine.prices import PRICE_MODELS, Os, PriceBook, PriceKey, PriceModel
from advisor.engine.retail.rows import same_price

#: Changes that are kept with a book, the largest first; a whole book may move at once.
LARGEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One price in both books, in their currency; `percent` of the price before."""

    size: str
    region: str
    os: Os
    price_model: PriceModel
    before: float
    after: float

    @property
    def percent(self) -> float:
        return 100 * (self.after / self.before - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The difference of two books of one currency. What differs by rounding alone is the same.

    `gone` are prices that are not listed any more, also where the new book keeps the last one; `older` counts rows
    of the new book that were not read for it and keep the price and day of the book before.
    """

    against: str  # name of the book before
    added: tuple[PriceKey, ...]
    gone: tuple[PriceKey, ...]
    changed: tuple[Change, ...]  # largest first
    same: int
    older: int


def compare(before: PriceBook, after: PriceBook, unlisted: Collection[PriceKey] = ()) -> Changes:
    """The changes from one book to the next; ties by size, region, system and price model.

    `unlisted` are keys that `after` keeps although they are not listed any more.

    Raises ValueError when the books are in two currencies.
    """
    if before.currency != after.currency:
        raise ValueError(f"{before.name} is in {before.currency}, {after.name} in {after.currency}")
    both = sorted(before.prices.keys() & after.prices.keys())
    changed = [
        Change(size=size, region=region, os=os, price_model=model, before=old, after=new)
        for size, region, os, model in both
        for old, new in [
            (
                before.prices[size, region, os, model].hourly_price,
                after.prices[size, region, os, model].hourly_price,
            )
        ]
        if not same_price(old, new)
    ]
    return Changes(
        against=before.name,
        added=tuple(sorted(after.prices.keys() - before.prices.keys())),
        gone=tuple(sorted((before.prices.keys() - after.prices.keys()) | set(unlisted))),
        changed=tuple(sorted(changed, key=lambda change: -round(abs(change.percent), 6))),
        same=len(both) - len(changed) - len(set(both) & set(unlisted)),
        older=sum(price.as_of < after.as_of for price in after.prices.values()),
    )


def changes_json(changes: Changes) -> dict[str, Any]:
    """The summary that is kept with a book: counts, counts by price model, and the largest changes."""
    return {
        "against": changes.against,
        "added": len(changes.added),
        "gone": len(changes.gone),
        "changed": len(changes.changed),
        "same": changes.same,
        "older": changes.older,
        "by_model": [row for model in PRICE_MODELS for row in [_by_model(changes, model)] if any_of(row)],
        "largest": [_change_json(change) for change in changes.changed[:LARGEST]],
    }


def any_of(row: Mapping[str, Any]) -> bool:
    return any(row[name] for name in ("added", "gone", "up", "down"))


def _by_model(changes: Changes, model: PriceModel) -> dict[str, Any]:
    moved = [change.percent for change in changes.changed if change.price_model == model]
    return {
        "price_model": model,
        "added": sum(key[3] == model for key in changes.added),
        "gone": sum(key[3] == model for key in changes.gone),
        "up": sum(percent > 0 for percent in moved),
        "down": sum(percent < 0 for percent in moved),
        "median_percent": median(moved) if moved else None,
    }


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "size": change.size,
        "region": change.region,
        "os": change.os,
        "price_model": change.price_model,
        "before": change.before,
        "after": change.after,
        "percent": change.percent,
    }
