"""Ends as entries of a calendar: one per day, kind, service and place, with an id that stays when the day moves."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from advisor.engine.catalogue import Catalogue, Service
from advisor.engine.fleet_ends import FleetEnd
from advisor.engine.life import SERVICE_WORDS, Lane, lanes_of, region_name
from advisor.engine.retirements import has_own_end, names_of

#: Any fixed UUID: ids of entries are made from it and from what an entry is about (RFC 9562, version 5).
NAMESPACE = uuid.UUID("6d0b5d3c-6a0c-5f43-9a52-3b1c0a1f7d11")
#: How the title of an entry begins, by kind.
TITLES = {
    "retires": "Retires",
    "earlier": "Another source says that it retires",
    "deallocated": "Switched off",
    "reservation-sales-end": "Last day of reservation sales",
    "savings-plan-sales-end": "Last day of savings plan sales",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """One day to know of."""

    uid: str  # of what it is about, never of its day
    on: date
    title: str
    text: str
    source: str
    about: str  # a size that it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class _Day:
    kind: str
    on: date
    source: str


def catalogue_entries(catalogue: Catalogue, sizes: Iterable[str], as_of: date) -> list[CalendarEntry]:
    """The ends of the sizes; sizes of a series with the same day share an entry, one that stands apart has its own."""
    groups: dict[tuple[str, str, Service, tuple[str, ...]], dict[date, tuple[list[str], str]]] = {}
    for size in sorted(sizes):
        series = catalogue.sizes[size].series
        for lane in lanes_of(catalogue, size, as_of):
            if lane.service == "vm" or has_own_end(catalogue, size, lane.service):
                for day in _days(lane):
                    of_kind = groups.setdefault((series, day.kind, lane.service, lane.regions), {})
                    of_kind.setdefault(day.on, ([], day.source))[0].append(size)
    entries = [entry for key, days in groups.items() for entry in _entries(catalogue, key, days)]
    return sorted(entries, key=lambda entry: (entry.on, entry.title, entry.uid))


def _entries(
    catalogue: Catalogue, key: tuple[str, str, Service, tuple[str, ...]], days: dict[date, tuple[list[str], str]]
) -> Iterator[CalendarEntry]:
    """One entry per day; the day of most sizes has the id of the series, the others the ids of their sizes."""
    series, kind, service, regions = key
    most = max(days, key=lambda on: (len(days[on][0]), on))
    for on, (sizes, source) in days.items():
        members = [sizes] if on == most else [[size] for size in sizes]
        for group in members:
            about = series if on == most else group[0]
            yield _entry(
                uid=(kind, service, ",".join(regions), about),
                kind=kind, on=on, what=names_of(catalogue, group), service=service,
                where=", ".join(regions), source=source, about=group[0],
            )  # fmt: skip


def fleet_entries(catalogue: Catalogue, fleet: str, ends: Iterable[FleetEnd]) -> list[CalendarEntry]:
    """The ends of a fleet's machines; `fleet` keeps the ids of two fleets apart."""
    entries = [
        _entry(
            uid=(fleet, day.kind, end.service, end.region or "", end.size),
            kind=day.kind, on=day.on, what=f"{end.vms} x {end.size.removeprefix('Standard_')}", service=end.service,
            where=region_name(catalogue, end.region) if end.region else "", source=day.source, about=end.size,
        )
        for end in ends
        for day in _days(end.lane)
    ]  # fmt: skip
    return sorted(entries, key=lambda entry: (entry.on, entry.title, entry.uid))


def _days(lane: Lane) -> Iterator[_Day]:
    """Every day of a lane that still counts, with who says so."""
    status = lane.status
    own = any(e.event == "retires" and e.service == lane.service for e in status.events)
    if lane.last_end and own:
        yield _Day(kind="retires", on=lane.last_end, source=status.source)
    if lane.first_end and lane.first_end != lane.last_end and own:
        told = [e for e in status.events if e.event == "retires" and e.on == lane.first_end and not e.superseded]
        yield _Day(kind="earlier", on=lane.first_end, source=told[0].source if told else status.source)
    for kind in ("deallocated", "reservation-sales-end", "savings-plan-sales-end"):
        told = [e for e in status.events if e.event == kind and not e.superseded and e.on]
        if told and told[-1].on and (kind == "deallocated") == (lane.service != "vm") and not lane.regions:
            yield _Day(kind=kind, on=told[-1].on, source=told[-1].source)


def _entry(
    *, uid: tuple[str, ...], kind: str, on: date, what: str, service: Service, where: str, source: str, about: str
) -> CalendarEntry:
    place = (f" in {where}" if where else "") + ("" if service == "vm" else f" ({SERVICE_WORDS[service]})")
    return CalendarEntry(
        uid=str(uuid.uuid5(NAMESPACE, "|".join(uid))),
        on=on,
        title=f"{TITLES[kind]}: {what}{place}",
        text=f"{TITLES[kind]} on {on.isoformat()}: {what}{place}. Source: {source}.",
        source=source,
        about=about,
    )
