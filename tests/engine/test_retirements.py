"""The ledger of many sizes: by date, by service, with every date that was ever given, and as a calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from icalendar import Calendar

from advisor.engine.calendar import CalendarEntry, catalogue_entries, fleet_entries
from advisor.engine.catalogue import Catalogue, Conflict
from advisor.engine.fleet_ends import FleetEnd, fleet_ends
from advisor.engine.retirements import (
    ending_sizes,
    entries_of,
    histories,
    lanes_by_date,
    lifecycle_conflicts,
    names_of,
    service_ends,
    sizes_apart,
)
from advisor.exports.ics import to_ics
from tests.factories import AS_OF


@pytest.fixture(scope="module")
def sizes(catalogue: Catalogue) -> tuple[str, ...]:
    return ending_sizes(catalogue)


def test_every_event_that_ends_a_size_stands_in_the_ledger(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    told = {(e.on, e.event, e.service, size) for e in entries_of(catalogue, sizes, AS_OF) for size in e.sizes}
    kinds = ("announced", "retires", "deallocated", "reservation-sales-end", "savings-plan-sales-end")
    assert {(e.on, e.event, e.service, e.size) for e in catalogue.events if e.event in kinds} <= told


def test_u02_the_forced_stop_of_aks_is_told_beside_the_retirement(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    (old,) = (e for e in service_ends(catalogue, sizes, AS_OF) if "Standard_NC6" in e.sizes)
    assert (old.service, old.has_dates) == ("aks", True)
    assert old.status.forced_stop == date(2025, 3, 14)
    assert old.status.retirement_date == date(2023, 9, 6)


def test_u03_a_size_with_a_date_of_its_own_stands_apart(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    apart = {(one.size, one.service): (one.own, one.others) for one in sizes_apart(catalogue, sizes, AS_OF)}
    siblings = (date(2025, 9, 30), date(2025, 9, 30))
    assert apart["Standard_NC24rs_v3", "vm"] == ((date(2025, 3, 31), date(2025, 9, 30)), siblings)
    assert apart["Standard_NC24rs_v3", "aks"] == ((date(2025, 3, 31), date(2025, 3, 31)), siblings)


def test_u05_every_date_that_moved_is_kept_in_order(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    moved = next(h for h in histories(catalogue, sizes, AS_OF) if "Standard_NC6" in h.sizes)
    assert [(str(e.on), e.superseded) for e in moved.dates] == [
        ("2022-08-31", True),
        ("2023-08-31", True),
        ("2023-09-06", False),
    ]


def test_u09_each_service_shows_its_last_change(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    """Azure/Batch issue 140: NCv3 changed on 2026-02-26, NP was added on 2026-05-15."""
    changes = {(e.service, size): e.last_change for e in service_ends(catalogue, sizes, AS_OF) for size in e.sizes}
    assert changes["batch", "Standard_NC6s_v3"] == date(2026, 2, 26)
    assert changes["batch", "Standard_NP10s"] == date(2026, 5, 15)
    assert changes["aks", "Standard_NC24rs_v3"] == date(2025, 4, 11)


def test_sizes_with_equal_dates_share_a_lane_under_the_name_of_their_series(
    catalogue: Catalogue, sizes: Sequence[str]
) -> None:
    lanes = {(g.name, g.lane.service, g.lane.regions): g.lane for g in lanes_by_date(catalogue, sizes, AS_OF)}
    gov = lanes["NCv3", "vm", ("USGov Arizona", "USGov Virginia")]
    assert (gov.first_end, gov.last_end) == (date(2026, 6, 30), date(2026, 12, 31))  # two versions of one page
    assert ("NC12s_v3, NC24s_v3, NC6s_v3", "vm", ()) in lanes
    ends = [lane.last_end or lane.first_end for lane in lanes.values()]
    assert ends == sorted(ends, key=str)


def test_a_whole_series_is_called_by_its_name(catalogue: Catalogue) -> None:
    assert names_of(catalogue, ["Standard_NP10s", "Standard_NP20s", "Standard_NP40s"]) == "NP"
    assert names_of(catalogue, ["Standard_NP10s", "Standard_NP20s"]) == "NP10s, NP20s"


def test_conflicts_of_dates_are_those_of_the_sizes(catalogue: Catalogue) -> None:
    def subjects(found: Sequence[Conflict]) -> set[str]:
        return {conflict.subject for conflict in found}

    assert {"NDv2", "Standard_NC24rs_v3", "NCv3 in US Gov"} <= subjects(lifecycle_conflicts(catalogue))
    assert subjects(lifecycle_conflicts(catalogue, ["Standard_NC4as_T4_v3"])) == set()


# The calendar


def titles(entries: Sequence[CalendarEntry]) -> dict[str, str]:
    return {entry.title: str(entry.on) for entry in entries}


def test_the_calendar_has_each_end_once(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    entries = catalogue_entries(catalogue, sizes, AS_OF)
    found = titles(entries)
    assert found["Retires: NP"] == "2027-05-31"
    assert found["Retires: NVv3 in UAE North"] == "2027-01-31"
    assert found["Another source says that it retires: NCv3 in USGov Arizona, USGov Virginia"] == "2026-06-30"
    assert found["Switched off: NC (AKS)"] == "2025-03-14"
    assert found["Last day of reservation sales: NVv3"] == "2025-11-02"  # and not 2025-11-01, superseded
    assert len({entry.uid for entry in entries}) == len(entries)


def test_an_entry_keeps_its_id_when_its_day_moves(catalogue: Catalogue) -> None:
    moved = tuple(
        replace(e, on=date(2028, 1, 31)) if e.event == "retires" and e.size.startswith("Standard_NP") else e
        for e in catalogue.events
    )
    np = ["Standard_NP10s", "Standard_NP20s", "Standard_NP40s"]

    def retires(known: Catalogue) -> CalendarEntry:
        return next(e for e in catalogue_entries(known, np, AS_OF) if e.title == "Retires: NP")

    before, after = retires(catalogue), retires(replace(catalogue, events=moved))
    assert (str(before.on), str(after.on)) == ("2027-05-31", "2028-01-31")
    assert before.uid == after.uid


def ends(catalogue: Catalogue) -> list[FleetEnd]:
    pools = [
        {"size": "Standard_NC6s_v3", "region": "jioindiawest", "service": "vm", "vms": 3},
        {"size": "Standard_NC6s_v3", "region": "westeurope", "service": "vm", "vms": 2},
        {"size": "Standard_NC6s_v3", "region": "westeurope", "service": "vm", "vms": 1},
        {"size": "Standard_NC6", "region": "westeurope", "service": "aks", "vms": 4},
        {"size": "Standard_NC4as_T4_v3", "region": None, "service": "vm", "vms": 5},
    ]
    return fleet_ends(catalogue, pools, AS_OF)


def test_a_fleet_goes_by_its_own_regions_and_services(catalogue: Catalogue) -> None:
    assert [(e.size[9:], e.region, e.vms, e.on and str(e.on)) for e in ends(catalogue)] == [
        ("NC6", "westeurope", 4, "2025-03-14"),  # AKS switches off
        ("NC6s_v3", "westeurope", 3, "2025-09-30"),
        ("NC6s_v3", "jioindiawest", 3, "2027-06-30"),
        ("NC4as_T4_v3", None, 5, None),
    ]


def test_two_fleets_have_ids_of_their_own(catalogue: Catalogue) -> None:
    one, other = (fleet_entries(catalogue, fleet, ends(catalogue)) for fleet in ("a", "b"))
    assert titles(one) == titles(other)
    assert not {e.uid for e in one} & {e.uid for e in other}
    assert titles(one)["Retires: 3 x NC6s_v3 in Jio India West"] == "2027-06-30"


def test_the_text_is_what_rfc_5545_asks_for(catalogue: Catalogue, sizes: Sequence[str]) -> None:
    entries = catalogue_entries(catalogue, sizes, AS_OF)
    data = to_ics("GPU, sizes; that end", entries, catalogue.as_of, lambda size: f"https://example.org/sizes/{size}/")
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))  # folded
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert rb"NAME:GPU\, sizes\; that end" in data  # escaped
    calendar = Calendar.from_ical(data)
    events = calendar.walk("VEVENT")
    assert len(events) == len(entries)
    for event, entry in zip(events, entries, strict=True):
        assert (str(event["UID"]), event.decoded("DTSTART"), str(event["SUMMARY"])) == (
            entry.uid,
            entry.on,
            entry.title,
        )
        assert event["DTSTART"].params["VALUE"] == "DATE"  # all day
        assert event.decoded("DTSTAMP").date() == catalogue.as_of
    assert data == to_ics("GPU, sizes; that end", entries, catalogue.as_of, lambda s: f"https://example.org/sizes/{s}/")
