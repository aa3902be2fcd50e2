"""Is a list whole? What the last book has and the new list has not, and how much of that is too much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta

from advisor.engine.catalogue import Catalogue
from advisor.engine.ledger import status_at
from advisor.engine.prices import COMMITMENTS, Price, PriceBook
from advisor.engine.quotes import LISTED_DAYS
from advisor.engine.retail.findings import MODEL_WORDS, Finding, named
from advisor.engine.retail.rows import PriceKey

#: A region that gives less than this share of the rows of the last book is short: walks over an unsorted, moving list
#: were seen to lose 2 to 24 % of it. The loss of a single size is believed.
WHOLE = 0.9


def check_complete(
    prices: Mapping[PriceKey, Price],
    regions: Collection[str],
    last: PriceBook,
    catalogue: Catalogue,
    day: date,
    left_out: Collection[str],
) -> Iterator[Finding]:
    """Errors: regions of which the new list holds too little. Warnings: what it lists no longer, by size.

    `prices` are those read in `regions`; `left_out` are sizes that were not to be read.
    """
    expected = expected_keys(last, catalogue, day)
    listed = {key[:2] for key in prices}
    gone: dict[tuple[str, str], set[str]] = defaultdict(set)
    for region in sorted(regions):
        keys = {key for key in expected.get(region, ()) if key[0] not in left_out}
        missing = {key for key in keys if key not in prices}
        sizes = {key[0] for key in missing}
        kept = len(keys) - len(missing)
        if missing and (not kept or (kept < WHOLE * len(keys) and len(sizes) > 1)):
            yield _short(region, len(keys), kept, sizes, last)
        for size, _region, os, model in missing:
            if (size, region) not in listed:
                gone[size, ""].add(region)
            elif model not in COMMITMENTS:
                gone[size, f"{os} {MODEL_WORDS[model]} "].add(region)
    for (size, what), where in sorted(gone.items()):
        message = f"{what}listed no longer in {named(where)}; the last prices stay, with their days"
        yield Finding(code="listed-no-longer", severity="warning", size=size, region="", message=message)


def _short(region: str, wanted: int, kept: int, sizes: set[str], last: PriceBook) -> Finding:
    what = f"{kept} of the {wanted} prices that {last.name} has are listed; missing are prices of {named(sizes)}"
    return Finding(code="short-list", severity="error", size="", region=region, message=what)


def expected_keys(last: PriceBook, catalogue: Catalogue, day: date) -> dict[str, set[PriceKey]]:
    """Keys by region that a whole list of `day` should hold, going by the last book.

    Those that were read when the book was made; where it read none in a region, those of the half year before it.
    Without sizes that have ended, commitments that are not sold, names without a size page, and Windows
    commitments, which the list does not hold.
    """
    oldest = last.as_of - timedelta(days=LISTED_DAYS)
    by_region: dict[str, dict[PriceKey, Price]] = defaultdict(dict)
    for key, price in last.prices.items():
        if price.as_of >= oldest and _is_listed(key, last, catalogue, day):
            by_region[key[1]][key] = price
    expected = {}
    for region, prices in by_region.items():
        read = {key for key, price in prices.items() if price.as_of == last.as_of}
        expected[region] = read or set(prices)
    return expected


def _is_listed(key: PriceKey, last: PriceBook, catalogue: Catalogue, day: date) -> bool:
    size, region, os, model = key
    facts = catalogue.sizes.get(size)
    if facts is None or status_at(catalogue, size, region, day).ends_by(day):
        return False
    if model not in COMMITMENTS:
        return True
    terms = last.commitments.get((facts.series, model))
    return os == "linux" and not (terms and terms.sold_on(day) is False)
