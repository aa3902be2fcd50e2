"""What retires when: the ledger of many sizes by date, as lanes, by service, and with the history of each date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import get_args

from advisor.engine.catalogue import Catalogue, Conflict, EventKind, LedgerEvent, Publisher, Service
from advisor.engine.ledger import LIFECYCLE_FACTS, LifecycleStatus, status_at
from advisor.engine.life import SERVICE_WORDS, Lane, lanes_of, region_name

#: Events that bring an end nearer, in the order in which they come; the others show that a size lives.
ENDING: tuple[EventKind, ...] = (
    "announced",
    "no-new-capacity",
    "savings-plan-sales-end",
    "reservation-sales-end",
    "retires",
    "deallocated",
)
SERVICES: tuple[Service, ...] = get_args(Service)
#: Ends whose history of dates is told.
MOVED: tuple[EventKind, ...] = ("retires", "reservation-sales-end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One statement of one source about one or several sizes."""

    on: date | None
    event: EventKind
    service: Service
    regions: tuple[str, ...]  # ARM names; empty: every region that has no date of its own
    sizes: tuple[str, ...]
    publisher: Publisher
    superseded: bool
    differs: bool  # an end that is not the one the newest Microsoft page gives there
    source: str
    as_of: date
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLane:
    """Sizes with the same dates, as one lane of the timeline."""

    name: str
    sizes: tuple[str, ...]
    lane: Lane

    @property
    def label(self) -> str:
        """What stands over the lane."""
        owner = "" if self.lane.service == "vm" else f", {SERVICE_WORDS[self.lane.service]}"
        return f"{self.name}{owner}" + (f", {', '.join(self.lane.regions)}" if self.lane.regions else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceEnd:
    """When a service of its own stops some sizes, and when it last said anything about them."""

    service: Service
    sizes: tuple[str, ...]
    status: LifecycleStatus
    last_change: date  # the newest statement of the service, whatever it is about
    source: str  # of that statement
    note: str
    has_dates: bool  # False: it speaks of the sizes and gives no day of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class DateHistory:
    """The dates that Microsoft gave for one end, oldest page first; the last one counts."""

    sizes: tuple[str, ...]
    event: EventKind
    dates: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A size with a date that its siblings do not have."""

    size: str
    series: str
    service: Service
    own: tuple[date | None, date | None]  # earliest and newest Microsoft date of this size
    others: tuple[date | None, date | None]  # of most sizes of its series


def entries_of(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[Entry]:
    """Every ending event of the sizes, equal statements as one entry; by day, those without a day last."""
    grouped: dict[tuple[object, ...], dict[str | None, list[LedgerEvent]]] = {}
    for size in sizes:
        for event in catalogue.events_of.get(size, ()):
            if event.event not in ENDING:
                continue
            differs = _differs(catalogue, event, as_of)
            said = (event.on, event.event, event.service, event.publisher, event.superseded)
            read = (event.source, event.as_of, event.note)
            grouped.setdefault((differs, said, read), {}).setdefault(event.region, []).append(event)
    entries = [entry for (differs, *_), by_region in grouped.items() for entry in _merged(by_region, bool(differs))]
    return sorted(entries, key=lambda e: (e.on or date.max, ENDING.index(e.event), e.as_of, e.sizes, e.service))


def _merged(by_region: Mapping[str | None, list[LedgerEvent]], differs: bool) -> list[Entry]:
    """One entry per set of sizes; regions of which the same sizes are told stand together."""
    regions: dict[tuple[str, ...], list[str | None]] = {}
    for region, events in by_region.items():
        regions.setdefault(tuple(sorted({event.size for event in events})), []).append(region)
    entries = []
    for sizes, places in regions.items():
        first = by_region[places[0]][0]
        entries.append(
            Entry(
                on=first.on, event=first.event, service=first.service, publisher=first.publisher,
                superseded=first.superseded, source=first.source, as_of=first.as_of, note=first.note,
                regions=tuple(sorted(place for place in places if place)), sizes=sizes, differs=differs,
            )
        )  # fmt: skip
    return entries


def _differs(catalogue: Catalogue, event: LedgerEvent, as_of: date) -> bool:
    if event.event != "retires" or event.superseded or event.on is None:
        return False
    return event.on != status_at(catalogue, event.size, event.region, as_of, event.service).retirement_date


def ending_sizes(catalogue: Catalogue) -> tuple[str, ...]:
    """Sizes of which any source gives an ending event beside capacity, by name."""
    ends = (kind for kind in ENDING if kind != "no-new-capacity")
    wanted = frozenset(ends)
    return tuple(sorted({event.size for event in catalogue.events if event.event in wanted}))


def lanes_by_date(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[GroupLane]:
    """Lanes of the sizes that have a day, those with equal days as one; by their end."""
    groups: dict[tuple[object, ...], tuple[Lane, list[str]]] = {}
    for size in sizes:
        for lane in lanes_of(catalogue, size, as_of):
            if lane.first_end and (lane.service == "vm" or has_own_end(catalogue, size, lane.service)):
                key = (lane.service, lane.regions, lane.status.status, lane.first_end, lane.last_end, lane.marks)
                groups.setdefault(key, (lane, []))[1].append(size)
    found = [
        GroupLane(name=names_of(catalogue, members), sizes=tuple(members), lane=lane)
        for lane, members in groups.values()
    ]
    return sorted(found, key=lambda g: (g.lane.last_end or g.lane.first_end, g.lane.service != "vm", g.name))


def names_of(catalogue: Catalogue, sizes: Sequence[str]) -> str:
    """The sizes in words: a series where all of its sizes are there, else their short names."""
    left: set[str] = set(sizes)
    words: list[str] = []
    for series in sorted({catalogue.sizes[name].series for name in sizes if name in catalogue.sizes}):
        members = {size.name for size in catalogue.sizes_of(series)}
        if members <= left and len(members) > 1:
            words.append(series)
            left -= members
    return ", ".join([*words, *(name.removeprefix("Standard_") for name in sorted(left))])


def service_ends(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[ServiceEnd]:
    """For every service that speaks of the sizes on its own: when it stops them, and its newest statement."""
    groups: dict[tuple[object, ...], tuple[LedgerEvent, LifecycleStatus, bool, list[str]]] = {}
    for size in sizes:
        for service in SERVICES:
            own = [e for e in catalogue.events_of.get(size, ()) if e.service == service and service != "vm"]
            if not own:
                continue
            status, last = status_at(catalogue, size, None, as_of, service), own[-1]
            dated = has_own_end(catalogue, size, service)
            key = (service, status.retirement_date, status.forced_stop, last.as_of, last.source, last.note, dated)
            groups.setdefault(key, (last, status, dated, []))[3].append(size)
    ends = [
        ServiceEnd(
            service=last.service, sizes=tuple(members), status=status, last_change=last.as_of,
            source=last.source, note=last.note, has_dates=dated,
        )
        for last, status, dated, members in groups.values()
    ]  # fmt: skip
    return sorted(ends, key=lambda e: (SERVICES.index(e.service), e.status.forced_stop or date.max, e.sizes))


def histories(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[DateHistory]:
    """Ends that Microsoft moved: every date it gave, superseded ones kept, for the sizes that share them."""
    groups: dict[tuple[object, ...], tuple[EventKind, list[str]]] = {}
    for size in sizes:
        for kind in MOVED:
            days = tuple((e.on, e.as_of, e.superseded) for e in _own_dates(catalogue, size, kind))
            if any(superseded for _on, _as_of, superseded in days):
                groups.setdefault((kind, days), (kind, []))[1].append(size)
    found = []
    for kind, members in groups.values():
        shown = [
            e for e in entries_of(catalogue, members[:1], as_of) if (e.event, e.service, e.regions) == (kind, "vm", ())
        ]
        shown = [e for e in shown if e.publisher == "microsoft"]
        shown.sort(key=lambda e: (not e.superseded, e.as_of, e.on or date.min))
        found.append(DateHistory(sizes=tuple(members), event=kind, dates=tuple(shown)))
    return sorted(found, key=lambda h: (MOVED.index(h.event), h.dates[-1].on or date.max, h.sizes))


def _own_dates(catalogue: Catalogue, size: str, kind: EventKind) -> list[LedgerEvent]:
    """What Microsoft says of the VM itself, where no region has a date of its own."""
    told = (e for e in catalogue.events_of.get(size, ()) if (e.event, e.service, e.region) == (kind, "vm", None))
    return [e for e in told if e.publisher == "microsoft"]


def sizes_apart(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[Apart]:
    """Sizes whose dates are not those of most sizes of their series, in general, for each service that has its own."""
    found = []
    by_series: dict[str, list[str]] = {}
    for name in sizes:
        by_series.setdefault(catalogue.sizes[name].series, []).append(name)
    for series, members in sorted(by_series.items()):
        for service in SERVICES:
            ends = {name: _ends(catalogue, name, as_of, service) for name in members}
            commonest = max(set(ends.values()), key=lambda pair: (sum(e == pair for e in ends.values()), str(pair)))
            found += [
                Apart(size=name, series=series, service=service, own=own, others=commonest)
                for name, own in ends.items()
                if own != commonest and (service == "vm" or has_own_end(catalogue, name, service))
            ]
    return found


def _ends(catalogue: Catalogue, name: str, as_of: date, service: Service) -> tuple[date | None, date | None]:
    status = status_at(catalogue, name, None, as_of, service)
    return status.earliest_date or status.third_party_date, status.retirement_date


def has_own_end(catalogue: Catalogue, name: str, service: Service) -> bool:
    """True when a source gives a day on which the service itself, and not the VM, stops the size."""
    events = catalogue.events_of.get(name, ())
    return any(e.service == service and e.event in ("retires", "deallocated") and e.on for e in events)


def lifecycle_conflicts(catalogue: Catalogue, sizes: Iterable[str] | None = None) -> tuple[Conflict, ...]:
    """Conflicts about dates and status, of the sizes or of all."""
    wanted = None if sizes is None else frozenset(sizes)
    about = (c for c in catalogue.conflicts if c.fact.startswith(LIFECYCLE_FACTS))
    return tuple(c for c in about if wanted is None or wanted & set(c.sizes))


def where_of(catalogue: Catalogue, regions: Sequence[str]) -> str:
    """Regions by the names that people know."""
    return ", ".join(region_name(catalogue, region) for region in regions) or "all other regions"
