"""Checks of prices against each other: terms in order, sizes of a series in the proportions they have elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import permutations
from statistics import median

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import Os, Price, PriceBook, PriceKey, PriceModel
from advisor.engine.quotes import USABLE_DAYS
from advisor.engine.retail.findings import MODEL_WORDS, Finding
from advisor.engine.retail.rows import same_price

#: Cheaper first: the longer the term, the lower the price.
ORDERED: tuple[tuple[PriceModel, PriceModel], ...] = (
    ("ri_3y", "ri_1y"),
    ("ri_1y", "payg"),
    ("ri_3y", "payg"),
    ("sp_3y", "sp_1y"),
    ("sp_1y", "payg"),
    ("sp_3y", "payg"),
)
#: A size further than this from its usual proportion to its series is doubted. Proportions inside a series are the
#: same in all regions; the smallest wrong one that is known (NC144ds, carrying another size's price) is off by 14 %.
USUAL_PROPORTION = 0.10
#: Regions in which two sizes must both be priced before their usual proportion is known.
REGIONS_NEEDED = 3
#: Spot prices follow spare capacity and have no proportions.
IN_PROPORTION: tuple[PriceModel, ...] = ("payg", "ri_1y", "ri_3y", "sp_1y", "sp_3y")

Prices = Mapping[PriceKey, Price]
Series = Mapping[tuple[str, Os, PriceModel], Mapping[str, Mapping[str, float]]]


def check_book(book: PriceBook, catalogue: Catalogue) -> list[Finding]:
    """All that the checks find in a whole book."""
    return [*check_order(book.prices), *check_levels(book.prices), *check_usable(book, catalogue)]


def check_usable(book: PriceBook, catalogue: Catalogue) -> list[Finding]:
    """What stands out among the prices that may be used for an option; older ones are history."""
    usable = {key: price for key, price in book.prices.items() if (book.as_of - price.as_of).days <= USABLE_DAYS}
    return [*check_proportions(usable, catalogue), *check_gpus(usable, catalogue)]


def check_order(prices: Prices) -> Iterator[Finding]:
    """Errors: a longer term above a shorter one, or a commitment above pay-as-you-go (3y <= 1y <= pay-as-you-go)."""
    for size, region, os in sorted({key[:3] for key in prices}):
        for lower, higher in ORDERED:
            low, high = prices.get((size, region, os, lower)), prices.get((size, region, os, higher))
            if low and high and _above(low, high):
                what = f"{os} {MODEL_WORDS[lower]} {low.hourly_price:.6g} is above {MODEL_WORDS[higher]}"
                yield _finding("term-order", "error", size, region, f"{what} {high.hourly_price:.6g}")


def check_levels(prices: Prices) -> Iterator[Finding]:
    """Warnings: spot above pay-as-you-go, Windows below Linux."""
    for (size, region, os, model), price in sorted(prices.items()):
        payg, linux = prices.get((size, region, os, "payg")), prices.get((size, region, "linux", model))
        if model == "spot" and payg and _above(price, payg):
            what = f"{os} spot {price.hourly_price:.6g} is above pay-as-you-go {payg.hourly_price:.6g}"
            yield _finding("spot-above", "warning", size, region, what)
        if linux and _above(linux, price):
            what = f"{MODEL_WORDS[model]} with Windows {price.hourly_price:.6g} is below Linux {linux.hourly_price:.6g}"
            yield _finding("windows-below", "warning", size, region, what)


def check_proportions(prices: Prices, catalogue: Catalogue) -> Iterator[Finding]:
    """Warnings: a size whose price stands in an unusual proportion to its series in one region.

    The proportion of two sizes is usual when it is near the median of that proportion over all regions that price
    both; a size is doubted when its deviation from most sizes of its series there is above 10 %, so that one wrong
    price does not cast doubt on the others.
    """
    for (series, os, model), regions in sorted(by_series(prices, catalogue).items()):
        if model not in IN_PROPORTION:
            continue
        usual = usual_proportions(regions)
        for region, sizes in sorted(regions.items()):
            for size, price in sorted(sizes.items()):
                found = [price / sizes[to] / usual[size, to] - 1 for to in sizes if (size, to) in usual]
                off = sorted(found, key=abs)[(len(found) - 1) // 2] if found else 0.0
                if abs(off) > USUAL_PROPORTION:
                    side = "above" if off > 0 else "below"
                    what = f"{os} {MODEL_WORDS[model]} {price:.6g} is {abs(off):.0%} {side} its usual proportion"
                    message = f"{what} to {len(found)} other size{'s' * (len(found) > 1)} of {series}"
                    yield _finding("proportion", "warning", size, region, message)


def check_gpus(prices: Prices, catalogue: Catalogue) -> Iterator[Finding]:
    """Warnings: a size that costs less than one of its series and region with fewer GPUs, at any price model."""
    for (series, os, model), regions in sorted(by_series(prices, catalogue).items()):
        for region, sizes in sorted(regions.items()):
            for size, price in sorted(sizes.items()):
                gpus = catalogue.sizes[size].gpus or 0.0
                fewer = [s for s in sizes if (catalogue.sizes[s].gpus or 0.0) < gpus and sizes[s] > price]
                if fewer:
                    dear = max(fewer, key=lambda name: (sizes[name], name))
                    what = f"{os} {MODEL_WORDS[model]} {price:.6g} is below {sizes[dear]:.6g} of {dear}"
                    yield _finding("fewer-gpus-dearer", "warning", size, region, f"{what}, of {series} with fewer GPUs")


def usual_proportions(regions: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], float]:
    """Median over the regions of price / price of two sizes, where enough regions price both."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for sizes in regions.values():
        for one, other in permutations(sizes, 2):
            found[one, other].append(sizes[one] / sizes[other])
    return {pair: median(values) for pair, values in found.items() if len(values) >= REGIONS_NEEDED}


def by_series(prices: Prices, catalogue: Catalogue) -> Series:
    """Hourly prices by series, system and price model, then region, then size; sizes without a page are left out."""
    table: dict[tuple[str, Os, PriceModel], dict[str, dict[str, float]]] = {}
    for (size, region, os, model), price in prices.items():
        facts = catalogue.sizes.get(size)
        if facts:
            table.setdefault((facts.series, os, model), {}).setdefault(region, {})[size] = price.hourly_price
    return table


def _above(low: Price, high: Price) -> bool:
    return low.hourly_price > high.hourly_price and not same_price(low.hourly_price, high.hourly_price)


def _finding(code: str, severity: str, size: str, region: str, message: str) -> Finding:
    return Finding(
        code=code, severity="error" if severity == "error" else "warning", size=size, region=region, message=message
    )
