"""The lifecycle of a size on a day: computed from the dates of the ledger, never copied from a status word."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from advisor.engine.catalogue import Catalogue, Conflict, EventKind, LedgerEvent, Service

Status = Literal["current", "announced", "retired", "unknown"]

#: Answers kept in memory at the most; a visitor may ask for any day.
KEPT = 100_000
#: Events by which a source shows that a size without an end date lives.
SIGNS_OF_LIFE: tuple[EventKind, ...] = ("none-announced", "recommended-as-target", "first-offered")
#: How the `fact` of a conflict about lifecycle begins.
LIFECYCLE_FACTS = ("retirement date", "status", "in the list of retired", "reservation sales end")


@dataclass(frozen=True, slots=True, kw_only=True)
class LifecycleStatus:
    """What the ledger says of one size in one region and service, seen from one day."""

    status: Status
    retirement_date: date | None  # of the newest Microsoft page: what a user's own machines go by
    earliest_date: date | None  # of any source that counts: what a target is judged by
    third_party_date: date | None  # stated by a third party alone: a warning, never a retirement
    forced_stop: date | None  # the service switches off what is left on that day
    announced: date | None  # when the retirement was announced
    no_new_capacity: bool
    reservation_sales_end: date | None
    events: tuple[LedgerEvent, ...]  # all that speak of this region and service, superseded ones too
    conflicts: tuple[Conflict, ...]
    source: str  # of the event that decides the status; "" when unknown

    def ends_by(self, day: date) -> bool:
        """True when any source that counts says that it ends on or before `day`, or it is retired already."""
        return self.status == "retired" or (self.earliest_date is not None and self.earliest_date <= day)


def status_at(
    catalogue: Catalogue, size: str, region: str | None, as_of: date, service: Service = "vm"
) -> LifecycleStatus:
    """Lifecycle of `size` in `region` (None: where no region has a date of its own) on the day `as_of`.

    - retired when the retirement date is on or before `as_of`, announced when it is later; the ledger is
      today's knowledge, also for a day in the past.
    - current when no source gives an end and one shows that the size lives; unknown when none says anything.
    - A region's own dates replace the general ones there, and a service's own dates those of the VM.
    - Of several Microsoft pages the newest decides; of two versions of one page, the later date.
    - A size whose end has no calendar date (a preview) is retired from the day of the page that says so.
    - A date that only a third party gives never retires a size.

    Sizes without any event, also unknown names, are unknown. Answers are kept per catalogue.
    """
    ledger = catalogue.events_of.get(size, ())
    if all(event.region != region for event in ledger):
        region = None
    if all(event.service != service for event in ledger):
        service = "vm"
    key = ("lifecycle", size, region, as_of, service)
    if key not in catalogue.memo:
        if len(catalogue.memo) >= KEPT:
            catalogue.memo.clear()
        conflicts = tuple(c for c in catalogue.conflicts_of.get(size, ()) if concerns(catalogue, c, region))
        events = tuple(e for e in ledger if e.region in (None, region) and e.service in ("vm", service))
        catalogue.memo[key] = judge(events, conflicts, as_of)
    answer: LifecycleStatus = catalogue.memo[key]
    return answer


def judge(events: tuple[LedgerEvent, ...], conflicts: tuple[Conflict, ...], as_of: date) -> LifecycleStatus:
    """The status that `events`, all of one size, region and service, give on `as_of`."""
    used = [event for event in events if not event.superseded]
    ends = [event for event in used if event.event == "retires"]
    ends = [event for event in ends if event.region] or ends
    official = [event for event in ends if event.publisher == "microsoft"]
    deciding = newest_end([e for e in official if e.service != "vm"]) or newest_end(official)
    dates = [event.on for event in ends if event.on]
    life = [event for event in used if event.event in SIGNS_OF_LIFE]
    notices = [event for event in used if event.event == "announced"]
    if deciding:
        ended = (deciding.on or deciding.as_of) <= as_of
        status, source = ("retired" if ended else "announced"), deciding.source
    elif life:
        status, source = "current", life[-1].source
    elif notices:
        status, source = "announced", notices[-1].source
    else:
        status, source = "unknown", ""
    return LifecycleStatus(
        status=status,  # type: ignore[arg-type]
        retirement_date=deciding.on if deciding else None,
        earliest_date=min(dates, default=None) if deciding else None,
        third_party_date=None if deciding else min(dates, default=None),
        forced_stop=last_day(used, "deallocated"),
        announced=last_day(used, "announced"),
        no_new_capacity=any(event.event == "no-new-capacity" for event in used),
        reservation_sales_end=last_day(used, "reservation-sales-end"),
        events=events,
        conflicts=conflicts,
        source=source,
    )


def concerns(catalogue: Catalogue, conflict: Conflict, region: str | None) -> bool:
    """True for a conflict about lifecycle, unless it names regions and `region` is none of them."""
    named = catalogue.regions.keys() & set(conflict.fact.split())
    return conflict.fact.startswith(LIFECYCLE_FACTS) and (not named or region in named)


def newest_end(ends: list[LedgerEvent]) -> LedgerEvent | None:
    """Of the newest pages the one with the latest date; one without a date gives way to any that has one."""
    return max(ends, key=lambda e: (e.on is not None, e.as_of, e.on or date.min), default=None)


def last_day(events: list[LedgerEvent], kind: EventKind) -> date | None:
    return max((event.on for event in events if event.event == kind and event.on), default=None)
