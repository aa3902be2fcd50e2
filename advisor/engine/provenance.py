"""Where the catalogue and the prices come from: publishers, counts and days per kind of fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.citations import Citation, cite, publisher_of
from advisor.engine.prices import PriceBook


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """One publisher of facts: how many facts its pages support, from which days, and the pages."""

    name: str
    facts: int
    first: str
    last: str
    pages: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactKind:
    """All facts of one kind with their publishers, most facts first."""

    name: str
    anchor: str
    facts: int
    first: str
    last: str
    publishers: tuple[Publisher, ...]


def fact_kinds(catalogue: Catalogue) -> list[FactKind]:
    """Every kind of fact of the catalogue, in the order in which a reader meets them."""
    kinds: tuple[tuple[str, str, Iterable[Any]], ...] = (
        ("Sizes", "sizes", catalogue.sizes.values()),
        ("Lifecycle entries", "ledger", catalogue.events),
        ("Moves that Microsoft documents", "moves", catalogue.moves),
        ("GPUs", "gpus", catalogue.gpus.values()),
        ("Drivers of a series", "drivers", catalogue.series_support.values()),
        ("Software support of a GPU", "software", catalogue.software),
        ("Regions", "regions", catalogue.regions.values()),
        ("Series documented in a region", "availability", catalogue.availability),
        ("Quota families", "quota", catalogue.quota_families),
        ("Names without a size page", "listed", catalogue.listed_names.values()),
        ("Benchmark rows", "benchmarks", catalogue.benchmarks),
    )
    return [_kind(name, anchor, list(rows)) for name, anchor, rows in kinds]


def price_publishers(book: PriceBook) -> tuple[Publisher, ...]:
    """Publishers of the prices of a book, most rows first."""
    return _publishers(list(book.prices.values()))


def price_ages(book: PriceBook) -> list[tuple[int, int]]:
    """Year and number of prices dated in it, newest first."""
    years: dict[int, int] = {}
    for price in book.prices.values():
        years[price.as_of.year] = years.get(price.as_of.year, 0) + 1
    return sorted(years.items(), reverse=True)


def _kind(name: str, anchor: str, rows: Sequence[Any]) -> FactKind:
    days = [_day(row.as_of) for row in rows]
    return FactKind(
        name=name, anchor=anchor, facts=len(rows), first=min(days), last=max(days), publishers=_publishers(rows)
    )


def _publishers(rows: Sequence[Any]) -> tuple[Publisher, ...]:
    """A fact that several publishers support counts once for each of them."""
    found: dict[str, list[tuple[Citation, str, int]]] = {}
    for number, row in enumerate(rows):
        for page in cite(row.source):
            found.setdefault(publisher_of(page), []).append((page, _day(row.as_of), number))
    publishers = [
        Publisher(
            name=name,
            facts=len({number for _page, _at, number in uses}),
            first=min(at for _page, at, _number in uses),
            last=max(at for _page, at, _number in uses),
            pages=tuple(sorted({page for page, _at, _number in uses}, key=lambda page: page.text)),
        )
        for name, uses in found.items()
    ]
    return tuple(sorted(publishers, key=lambda publisher: (-publisher.facts, publisher.name)))


def _day(as_of: date | str) -> str:
    """A day as text; benchmarks give a year, a month or a day as published."""
    return as_of if isinstance(as_of, str) else as_of.isoformat()
