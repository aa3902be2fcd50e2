"""The catalogue as a list: one row per size as seen from a day and a region; filtered, sorted, and why it is empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal

from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue, Size, squash
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.engine.quotes import Quote, Quotes
from advisor.engine.workload import memory_per_unit

FAMILIES = ("NC", "ND", "NV", "NG", "NP")
STATUSES = ("current", "announced", "retired", "unknown")
Offer = Literal["documented", "listed", "neither"]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One size as the catalogue lists it. Prices are Linux, pay as you go, in the book's currency."""

    size: Size
    status: LifecycleStatus
    other_regions: int  # regions whose dates differ from the status shown
    gpu_memory_gib: float | None  # per GPU, of a slice its own share
    disagreements: int  # facts on which sources differ
    offer: Offer | None  # None: no region chosen
    price: Quote | None  # newest row of the region, however old
    price_is_history: bool  # too old to price an option

    @property
    def vm_price(self) -> float | None:
        """Price per VM and hour; None where it is unknown."""
        return None if self.price is None else self.price.compute

    @cached_property
    def gpu_price(self) -> float | None:
        """Price per GPU and hour; None where price or GPU count is unknown."""
        gpus = self.size.gpus
        return None if self.price is None or gpus is None else self.price.compute / gpus

    @cached_property
    def infiniband(self) -> bool | None:
        return None if self.size.rdma is None else self.size.rdma != "none"

    @cached_property
    def search_key(self) -> str:
        """What a text filter looks in: names, series and GPU."""
        size = self.size
        return " ".join(
            squash(text) for text in (size.name, size.series, size.gpu or "", size.gpu_label, *size.aliases)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a size must have; None, "" and () ask for nothing."""

    text: str = ""
    series: str = ""  # a series, or a family written as "NC family"
    gpu: str = ""  # a GPU, or the first words of several: V100
    vendor: str = ""
    status: tuple[str, ...] = ()
    offered: bool = False
    memory: float | None = None
    gpus: float | None = None
    infiniband: bool = False
    generation_1: bool = False
    price: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The rows that have everything wanted, and how many were left out only because a figure is unknown."""

    rows: tuple[Listing, ...]
    unknown: int


def list_sizes(world: World, as_of: date, region: str | None) -> tuple[Listing, ...]:
    """All sizes seen from `as_of`; status, offer and price are those of `region`, without one there is no price."""
    catalogue = replace(world.catalogue)  # lifecycles of any day a reader asks for are not kept for ever
    return tuple(_listing(catalogue, world.quotes, size, as_of, region) for size in world.sizes)


def _listing(catalogue: Catalogue, quotes: Quotes, size: Size, as_of: date, region: str | None) -> Listing:
    price = quotes.last_known(size.name, region, "linux") if region else None
    usable = quotes.quote(size.name, region, "linux", "payg", quotes.book.as_of) if region else None
    status = status_at(catalogue, size.name, region, as_of)
    return Listing(
        size=size,
        status=status,
        other_regions=_other_regions(catalogue, size.name, region, status, as_of),
        gpu_memory_gib=memory_per_unit(size),
        disagreements=len(catalogue.conflicts_of.get(size.name, ())),
        offer=offer_of(quotes, size, region) if region else None,
        price=price,
        price_is_history=price is not None and usable is None,
    )


def _other_regions(catalogue: Catalogue, name: str, region: str | None, shown: LifecycleStatus, as_of: date) -> int:
    named = {event.region for event in catalogue.events_of.get(name, ()) if event.region}
    elsewhere = [status_at(catalogue, name, other, as_of) for other in named - {region}]
    here = (shown.status, shown.retirement_date)
    return sum((status.status, status.retirement_date) != here for status in elsewhere)


def offer_of(quotes: Quotes, size: Size, region: str) -> Offer:
    """Whether a document, only a recent price, or nothing says that the size can be had in the region."""
    if quotes.is_documented(size, region):
        return "documented"
    return "listed" if quotes.is_listed(size.name, region) else "neither"


def family_of(size: Size) -> str:
    """NC, ND, NV, NG or NP."""
    return size.short[:2]


def gpus_named(text: str, known: Iterable[str]) -> frozenset[str]:
    """The GPU of exactly that name, else all whose name begins with its words."""
    names = list(known)
    exact = {name for name in names if squash(name) == squash(text)}
    words = text.casefold().split()
    return frozenset(exact or {name for name in names if words and name.casefold().split()[: len(words)] == words})


Test = Callable[[Listing], bool | None]  # None: a figure that the test needs is unknown


def _at_least(figure: Callable[[Listing], float | None], least: float) -> Test:
    def test(row: Listing) -> bool | None:
        value = figure(row)
        return None if value is None else value >= least - 1e-9

    return test


def _price_at_most(most: float) -> Test:
    def test(row: Listing) -> bool | None:
        return None if row.price is None or row.price_is_history else row.price.compute <= most + 1e-9

    return test


def _generation_1(row: Listing) -> bool | None:
    return None if row.size.generations is None else 1 in row.size.generations


def tests_of(wanted: Wanted, rows: Sequence[Listing]) -> Mapping[str, Test]:
    """One test per field of `wanted` that asks for something."""
    gpus = gpus_named(wanted.gpu, {row.size.gpu for row in rows if row.size.gpu})
    family = wanted.series.removesuffix(" family")
    key = squash(wanted.text)
    tests: dict[str, Test] = {
        "text": lambda row: key in row.search_key,
        "series": lambda row: family_of(row.size) == family if family in FAMILIES and family != wanted.series
        else row.size.series == wanted.series,
        "gpu": lambda row: row.size.gpu in gpus,
        "vendor": lambda row: row.size.vendor == wanted.vendor,
        "status": lambda row: row.status.status in wanted.status,
        "offered": lambda row: row.offer in ("documented", "listed"),
        "memory": _at_least(lambda row: row.gpu_memory_gib, wanted.memory or 0.0),
        "gpus": _at_least(lambda row: row.size.gpus, wanted.gpus or 0.0),
        "infiniband": lambda row: row.infiniband,
        "generation_1": _generation_1,
        "price": _price_at_most(wanted.price or 0.0),
    }  # fmt: skip
    return {name: test for name, test in tests.items() if getattr(wanted, name) not in (None, "", (), False)}


def select(rows: Sequence[Listing], wanted: Wanted) -> Selection:
    """The rows that pass every test; an unknown figure does not pass, and such rows are counted."""
    tests = tests_of(wanted, rows).values()
    verdicts = [(row, [test(row) for test in tests]) for row in rows]
    return Selection(
        rows=tuple(row for row, passed in verdicts if all(passed)),
        unknown=sum(None in passed and False not in passed for _row, passed in verdicts),
    )


def would_help(rows: Sequence[Listing], wanted: Wanted) -> list[tuple[str, int]]:
    """For each field that asks for something: how many sizes there are without it, most first; none that give 0."""
    empty = Wanted()
    counts = []
    for name in tests_of(wanted, rows):
        looser: dict[str, Any] = {name: getattr(empty, name)}
        counts.append((name, len(select(rows, replace(wanted, **looser)).rows)))
    return sorted(((name, count) for name, count in counts if count), key=lambda pair: -pair[1])


def _status_order(row: Listing) -> tuple[int, date]:
    return STATUSES.index(row.status.status), row.status.retirement_date or date.max


SORTS: Mapping[str, Callable[[Listing], Any]] = {
    "status": _status_order,
    "name": lambda row: row.size.name.casefold(),
    "gpu": lambda row: (row.size.gpu or row.size.gpu_label).casefold(),
    "gpus": lambda row: row.size.gpus,
    "memory": lambda row: row.gpu_memory_gib,
    "total": lambda row: row.size.gpu_memory_total_gib,
    "vcpus": lambda row: row.size.vcpus,
    "ram": lambda row: row.size.memory_gib,
    "infiniband": lambda row: 1.0 if row.size.infiniband_gbps is None and row.infiniband else row.size.infiniband_gbps,
    "price": lambda row: row.vm_price,
    "gpu_price": lambda row: row.gpu_price,
    "priced": lambda row: row.price and row.price.as_of,
}


def order(rows: Iterable[Listing], key: str, descending: bool = False) -> list[Listing]:
    """Rows by a key of SORTS, unknown figures last either way; ties by series, GPUs, vCPUs, name."""
    value = SORTS[key]
    tied = sorted(rows, key=lambda row: (row.size.series, row.size.gpus or 0.0, row.size.vcpus or 0, row.size.name))
    known = [row for row in tied if value(row) is not None]
    return sorted(known, key=value, reverse=descending) + [row for row in tied if value(row) is None]
