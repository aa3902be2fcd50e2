"""One price per size, region, system and price model; which one of several counts is a stated rule."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.engine.prices import Price, PriceKey
from advisor.engine.retail.findings import MODEL_WORDS, Finding
from advisor.engine.retail.items import Row

#: Two prices nearer to each other than this share are one: some sources round to 4 decimals, and 0.1 is a low price.
ROUNDING = 0.0005


def same_price(a: float, b: float) -> bool:
    """True when two prices differ by rounding at the most."""
    return abs(a - b) <= ROUNDING * max(a, b)


def one_per_key(rows: Iterable[Row]) -> tuple[dict[PriceKey, Price], list[Finding]]:
    """The price of each key. Of several, the one in force since the latest day; of one day, the highest.

    The highest, since a budget that is too high does less harm than one that is too low. Each key whose prices
    differ is a warning that names them all.
    """
    by_key: dict[PriceKey, list[Row]] = {}
    for row in rows:
        price = row.price
        by_key.setdefault((price.size, price.region, price.os, price.price_model), []).append(row)
    chosen = {key: max(found, key=_newest_then_highest).price for key, found in sorted(by_key.items())}
    doubts = [
        _doubt(key, found, chosen[key].hourly_price)
        for key, found in sorted(by_key.items())
        if not all(same_price(row.price.hourly_price, chosen[key].hourly_price) for row in found)
    ]
    return chosen, doubts


def _newest_then_highest(row: Row) -> tuple[object, float]:
    return row.since, row.price.hourly_price


def _doubt(key: PriceKey, found: list[Row], chosen: float) -> Finding:
    size, region, os, model = key
    prices = sorted({f"{row.price.hourly_price:.6g} (since {row.since})" for row in found})
    return Finding(
        code="several-prices",
        severity="warning",
        size=size,
        region=region,
        message=f"{os} {MODEL_WORDS[model]} is listed at {' and '.join(prices)}; {chosen:.6g} counts: the newest, "
        "of one day the highest",
    )
