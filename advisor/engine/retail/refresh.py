"""A new price book from what the API listed in some regions, with all that the checks found and what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from statistics import median

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import Price, PriceBook, PriceKey
from advisor.engine.retail.changes import Changes, compare
from advisor.engine.retail.checks import check_levels, check_order, check_usable
from advisor.engine.retail.completeness import check_complete, completeness
from advisor.engine.retail.findings import Finding, named
from advisor.engine.retail.items import Asked, Item, RegionList, Row, known_names, read_items
from advisor.engine.retail.rows import one_per_key

Lists = Mapping[str, Sequence[Item]]  # items by region


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What the book is to be: its name, the day of reading, the currency, the address, and sizes not to be read."""

    name: str
    day: date
    currency: str
    source: str
    leave_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """The new book, how many prices were read for it, what the checks found, and the changes to the last book."""

    book: PriceBook
    read: int
    regions: int  # in which at least one price was read
    findings: tuple[Finding, ...]
    changes: Changes | None  # None: there was no book in the currency

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "warning")


def refresh(lists: Lists, ask: Ask, catalogue: Catalogue, terms: PriceBook, last: PriceBook | None) -> Refreshed:
    """The book of the items in `lists`, by region, after the book `last` of the same currency.

    What is not listed, or not read, keeps its row of `last` with its price, source and day: it is history, which
    prices what was bought before, and the last good price where a row is missing for some days. Commitment and spot
    terms are those of `terms`; so is the Windows licence if its currency is that of the book, else it is the median
    of the book's own pairs.
    """
    read = _read_all(lists, ask, catalogue)
    fresh, findings = one_per_key(row for rows, _found in read.values() for row in rows)
    findings += [finding for _rows, found in read.values() for finding in found]
    regions = {region for _size, region, _os, _model in fresh}
    older = {key: price for key, price in last.prices.items() if key not in fresh} if last else {}
    licence = _licence(fresh, ask, catalogue, terms)
    book = replace(
        terms,
        name=ask.name,
        currency=ask.currency,
        as_of=ask.day,
        source=_source(ask, len(regions), last if older else None),
        windows_licence_per_vcpu_hour=licence[0] or 0.0,
        windows_licence_source=licence[1],
        prices=dict(sorted((older | fresh).items())),
    )
    if licence[0] is None and all(finding.severity == "warning" for finding in findings):
        findings.append(Finding(code="no-licence", severity="error", size="", region="", message=licence[1]))
    findings += [*check_order(fresh), *check_levels(fresh)]
    findings += _in_the_book(fresh, book, catalogue)
    changes = None
    if last:
        whole = completeness(fresh, lists, last, catalogue, ask.day, ask.leave_out)
        findings += check_complete(whole)
        changes = compare(last, book, whole.gone)
    return Refreshed(
        book=book,
        read=len(fresh),
        regions=len(regions),
        findings=tuple(sorted(findings, key=lambda f: (f.severity, f.code, f.size, f.region, f.message))),
        changes=changes,
    )


def _read_all(lists: Lists, ask: Ask, catalogue: Catalogue) -> dict[str, tuple[tuple[Row, ...], list[Finding]]]:
    """Rows and findings by region; names that the catalogue does not know are one finding each."""
    known = known_names(catalogue)
    names = {spelling: name for spelling, name in known.items() if name not in ask.leave_out}
    read: dict[str, RegionList] = {}
    for region, items in lists.items():
        asked = Asked(region=region, currency=ask.currency, day=ask.day, source=ask.source, names=names)
        read[region] = read_items(items, asked)
    where: dict[str, set[str]] = defaultdict(set)
    for region, found in read.items():
        for name in found.unknown - known.keys():
            where[name].add(region)
    unknown = [
        Finding(
            code="unknown-name",
            severity="warning",
            size=name,
            region="",
            message=f"listed in {named(regions)}, and not in the catalogue: left out",
        )
        for name, regions in where.items()
    ]
    return {"": ((), unknown)} | {region: (found.rows, list(found.findings)) for region, found in read.items()}


def _in_the_book(fresh: Collection[PriceKey], book: PriceBook, catalogue: Catalogue) -> list[Finding]:
    """Findings about prices that were read, seen beside all that the book may use (older ones stay as they are)."""
    where = {key[:2] for key in fresh}
    return [finding for finding in check_usable(book, catalogue) if (finding.size, finding.region) in where]


def _licence(
    prices: Mapping[PriceKey, Price], ask: Ask, catalogue: Catalogue, terms: PriceBook
) -> tuple[float | None, str]:
    """The Windows licence per vCPU and hour in the book's currency, and where it comes from."""
    if terms.currency == ask.currency:
        return terms.windows_licence_per_vcpu_hour, terms.windows_licence_source
    pairs = []
    for (size, region, os, model), price in prices.items():
        facts, linux = catalogue.sizes.get(size), prices.get((size, region, "linux", model))
        if os == "windows" and model == "payg" and linux and facts and facts.vcpus:
            pairs.append((price.hourly_price - linux.hourly_price) / facts.vcpus)
    if not pairs or median(pairs) < 0:
        return None, f"the Windows licence in {ask.currency} is unknown: no size was read with Windows and with Linux"
    return median(pairs), f"median of Windows minus Linux pay-as-you-go over {len(pairs)} pairs of this book"


def _source(ask: Ask, regions: int, last: PriceBook | None) -> str:
    rest = f". What it did not list keeps the prices and days of {last.name}" if last else ""
    return f"Azure Retail Prices API ({ask.source}), {regions} regions, read on {ask.day}{rest}"
