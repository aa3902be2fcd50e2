"""Is a list whole? What the last book has and the new list has not, and how much of that is too much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from advisor.engine.catalogue import Catalogue
from advisor.engine.ledger import status_at
from advisor.engine.prices import COMMITMENTS, Price, PriceBook, PriceKey
from advisor.engine.quotes import LISTED_DAYS
from advisor.engine.retail.findings import MODEL_WORDS, Finding, named

#: A region that gives less than this share of the rows of the last book is short: walks over an unsorted, moving list
#: were seen to lose 2 to 24 % of it. The loss of a single size is believed.
WHOLE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """By region that was read: the keys that the last book makes one expect, and those of them that are not listed."""

    last: str  # name of the last book
    expected: Mapping[str, frozenset[PriceKey]]
    missing: Mapping[str, frozenset[PriceKey]]
    listed: frozenset[tuple[str, str]]  # size and region

    @property
    def gone(self) -> frozenset[PriceKey]:
        """All keys that are not listed any more."""
        return frozenset().union(*self.missing.values())


def completeness(
    prices: Mapping[PriceKey, Price],
    regions: Collection[str],
    last: PriceBook,
    catalogue: Catalogue,
    day: date,
    left_out: Collection[str],
) -> Completeness:
    """What `prices`, read in `regions`, lack against the last book; sizes of `left_out` were not to be read."""
    every = expected_keys(last, catalogue, day)
    expected = {r: frozenset(key for key in every.get(r, ()) if key[0] not in left_out) for r in sorted(regions)}
    return Completeness(
        last=last.name,
        expected=expected,
        missing={region: keys - prices.keys() for region, keys in expected.items()},
        listed=frozenset(key[:2] for key in prices),
    )


def check_complete(found: Completeness) -> Iterator[Finding]:
    """Errors: regions of which the new list holds too little. Warnings: what it lists no longer, by size."""
    gone: dict[tuple[str, str], set[str]] = defaultdict(set)
    for region, missing in found.missing.items():
        wanted, sizes = len(found.expected[region]), {key[0] for key in missing}
        kept = wanted - len(missing)
        if missing and (not kept or (kept < WHOLE * wanted and len(sizes) > 1)):
            what = (
                f"{kept} of the {wanted} prices that {found.last} has are listed; missing are prices of {named(sizes)}"
            )
            yield Finding(code="short-list", severity="error", size="", region=region, message=what)
        for size, _region, os, model in missing:
            part = f"{os} {MODEL_WORDS[model]} " if (size, region) in found.listed else ""
            gone[size, part].add(region)
    for (size, part), where in sorted(gone.items()):
        message = f"{part}listed no longer in {named(where)}; the last prices stay, with their days"
        yield Finding(code="listed-no-longer", severity="warning", size=size, region="", message=message)


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
