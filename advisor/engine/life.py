"""The life of one size as lanes: one per group of regions with the same dates, one per service with its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import get_args

from advisor.engine.catalogue import Catalogue, EventKind, LedgerEvent, Service
from advisor.engine.ledger import LifecycleStatus, status_at

SERVICE_WORDS = {"vm": "VMs", "vmss": "Scale sets", "aks": "AKS", "batch": "Batch", "aml": "Azure ML"}
EVENT_WORDS = {
    "announced": "retirement announced",
    "retires": "retires",
    "deallocated": "machines still there are switched off",
    "reservation-sales-end": "last day of reservation sales",
    "savings-plan-sales-end": "last day of savings plan sales",
    "no-new-capacity": "no more hardware is added",
    "none-announced": "the list of retirements does not name it",
    "recommended-as-target": "named as a target of a move",
    "first-offered": "first offered",
}
#: The letter of an event on the timeline; the others have no day or are the bar itself.
EVENT_LETTERS = {
    "announced": "A",
    "reservation-sales-end": "R",
    "savings-plan-sales-end": "S",
    "deallocated": "D",
    "no-new-capacity": "N",
    "first-offered": "F",
}


#: Letter and words of every mark; an end is marked only where it is superseded.
MARK_WORDS = {event: (letter, EVENT_WORDS[event]) for event, letter in EVENT_LETTERS.items()} | {
    "retires": ("E", "an end that a later page moved")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One dated event of a lane."""

    on: date
    event: EventKind
    superseded: bool

    @property
    def letter(self) -> str:
        return MARK_WORDS[self.event][0]

    @property
    def words(self) -> str:
        return EVENT_WORDS[self.event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One line of the timeline: where, and what the ledger says there on the day."""

    regions: tuple[str, ...]  # display names; empty: all that have no lane of their own
    only: bool  # no other lane of this service
    service: Service
    status: LifecycleStatus
    marks: tuple[Mark, ...]
    days_left: int | None  # None: retired, or no date

    @property
    def where(self) -> str:
        """Regions in words."""
        if self.regions:
            return ", ".join(self.regions)
        return "All regions" if self.only else "All other regions"

    @property
    def label(self) -> str:
        """Regions, and the service where it is not the VM itself."""
        return self.where if self.service == "vm" else f"{SERVICE_WORDS[self.service]}: {self.where.lower()}"

    @property
    def first_end(self) -> date | None:
        """The earliest end that any source gives."""
        return self.status.earliest_date or self.status.third_party_date

    @property
    def last_end(self) -> date | None:
        """The end that the newest Microsoft page gives; a third party's alone is none."""
        return self.status.retirement_date


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """One row of the ledger table."""

    event: LedgerEvent
    what: str
    where: str
    service: str
    differs: bool  # an end that is not the one the newest Microsoft page gives there


def lanes_of(catalogue: Catalogue, size: str, as_of: date) -> tuple[Lane, ...]:
    """The general lane first, then regions by their end, then services with events of their own."""
    events = catalogue.events_of.get(size, ())
    lanes = list(_lanes(catalogue, size, as_of, "vm", {e.region for e in events if e.service == "vm"}))
    for service in get_args(Service):
        own = {event.region for event in events if event.service == service}
        if service != "vm" and own:
            lanes += _lanes(catalogue, size, as_of, service, own)
    return tuple(lanes)


def _lanes(
    catalogue: Catalogue, size: str, as_of: date, service: Service, regions: Iterable[str | None]
) -> Iterator[Lane]:
    named = sorted(region for region in regions if region)
    groups: dict[tuple[date | None, date | None, str], list[str]] = {}
    for region in named:
        status = status_at(catalogue, size, region, as_of, service)
        groups.setdefault((status.retirement_date, status.earliest_date, status.status), []).append(region)
    yield _lane(catalogue, size, as_of, service, (), not named)
    for _dates, group in sorted(groups.items(), key=lambda pair: (pair[0][0] or date.max, pair[1])):
        yield _lane(catalogue, size, as_of, service, tuple(group), False)


def lane_at(catalogue: Catalogue, size: str, region: str | None, as_of: date, service: Service = "vm") -> Lane:
    """The lane of one size in one region (None: in general) and service, whether it has dates of its own or not."""
    own = any(event.region == region for event in catalogue.events_of.get(size, ()))
    return _lane(catalogue, size, as_of, service, (region,) if region and own else (), False)


def _lane(catalogue: Catalogue, size: str, as_of: date, service: Service, regions: tuple[str, ...], only: bool) -> Lane:
    status = status_at(catalogue, size, regions[0] if regions else None, as_of, service)
    own = [e for e in status.events if e.on and e.service == service and (e.region in regions if regions else True)]
    shown = [e for e in own if e.event in EVENT_LETTERS or (e.superseded and e.event == "retires")]
    dated = {(e.on, e.event, e.superseded) for e in shown if e.on}
    marks = [Mark(on=on, event=event, superseded=superseded) for on, event, superseded in dated]
    end = status.retirement_date
    return Lane(
        regions=tuple(region_name(catalogue, region) for region in regions),
        only=only,
        service=service,
        status=status,
        marks=tuple(sorted(marks, key=lambda mark: (mark.on, mark.letter))),
        days_left=(end - as_of).days if end and end > as_of else None,
    )


def ledger_of(catalogue: Catalogue, size: str, as_of: date) -> list[LedgerLine]:
    """Every entry of the ledger, by day, those without one last."""
    events = sorted(
        catalogue.events_of.get(size, ()), key=lambda e: (e.on or date.max, e.event, e.region or "", e.as_of, e.source)
    )
    general = "all other regions" if any(event.region for event in events) else "all regions"
    return [
        LedgerLine(
            event=event,
            what=EVENT_WORDS[event.event],
            where=region_name(catalogue, event.region) if event.region else general,
            service=SERVICE_WORDS[event.service],
            differs=_differs(catalogue, event, as_of),
        )
        for event in events
    ]


def _differs(catalogue: Catalogue, event: LedgerEvent, as_of: date) -> bool:
    if event.event != "retires" or event.superseded or event.on is None:
        return False
    return event.on != status_at(catalogue, event.size, event.region, as_of, event.service).retirement_date


def region_name(catalogue: Catalogue, region: str) -> str:
    """The display name of a region, its ARM name where there is none."""
    known = catalogue.regions.get(region)
    return known.display_name if known else region
