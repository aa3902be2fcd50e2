"""The ledger of all sizes: every size has its own events, and the day's status follows from them."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.ledger import status_at

TODAY = date(2026, 11, 30)
RETIRED_2023 = ("NC", "NC_Promo", "NCv2", "ND", "NV", "NV_Promo")


def test_every_size_has_events_of_its_own_but_nvv2(catalogue: Catalogue) -> None:
    without = {size.series for size in catalogue.sizes.values() if size.name not in catalogue.events_of}
    assert without == {"NVv2"}


def test_status_of_all_sizes_today(catalogue: Catalogue) -> None:
    status = {size.name: status_at(catalogue, size.name, None, TODAY).status for size in catalogue.sizes.values()}
    assert Counter(status.values()) == {"current": 47, "retired": 47, "announced": 3, "unknown": 3}


@pytest.mark.parametrize("series", RETIRED_2023)
def test_the_first_generations_retired_on_one_day(catalogue: Catalogue, series: str) -> None:
    dates = {status_at(catalogue, size.name, None, TODAY).retirement_date for size in catalogue.sizes_of(series)}
    assert dates == {date(2023, 9, 6)}


@pytest.mark.parametrize("series", RETIRED_2023)
def test_u02_aks_stops_them_promo_included(catalogue: Catalogue, series: str) -> None:
    stops = {status_at(catalogue, s.name, None, TODAY, "aks").forced_stop for s in catalogue.sizes_of(series)}
    assert stops == {date(2025, 3, 14)}


def test_u03_one_size_of_a_series_has_another_earliest_date(catalogue: Catalogue) -> None:
    dates = {s.short: status_at(catalogue, s.name, None, TODAY).earliest_date for s in catalogue.sizes_of("NCv3")}
    assert [name for name, day in dates.items() if day == date(2025, 3, 31)] == ["NC24rs_v3"]


def test_u05_superseded_dates_are_older_pages_and_earlier_days(catalogue: Catalogue) -> None:
    for size, events in catalogue.events_of.items():
        kept = {(e.event, e.region): e.on for e in events if not e.superseded and e.publisher == "microsoft"}
        for event in events:
            if event.superseded:
                assert event.on is not None
                assert event.on < (kept[event.event, event.region] or date.max), size


def test_u09_dates_are_keyed_by_service(catalogue: Catalogue) -> None:
    assert {event.service for event in catalogue.events} == {"vm", "aks", "batch"}
    assert {e.service for e in catalogue.events if e.event == "deallocated"} == {"aks"}


def test_none_announced_has_no_day_of_its_own(catalogue: Catalogue) -> None:
    assert {e.on for e in catalogue.events if e.event in ("none-announced", "recommended-as-target")} == {None}


def test_publishers_follow_from_the_source(catalogue: Catalogue) -> None:
    third = {event.source for event in catalogue.events if event.publisher == "third-party"}
    assert third == {"ZacharyLuz/Get-AzVMAvailability Private/SKU/Get-SkuRetirementInfo.ps1"}


def test_reservation_sales_ended_before_retirement(catalogue: Catalogue) -> None:
    for series, day in (("NVv3", date(2025, 11, 2)), ("NVv4", date(2025, 11, 2)), ("NP", date(2026, 4, 2))):
        for size in catalogue.sizes_of(series):
            status = status_at(catalogue, size.name, None, TODAY)
            assert status.reservation_sales_end == day
            assert status.retirement_date is not None
            assert day < status.retirement_date


def test_only_nc_a100_v4_gets_no_new_capacity(catalogue: Catalogue) -> None:
    found = {s.series for s in catalogue.sizes.values() if status_at(catalogue, s.name, None, TODAY).no_new_capacity}
    assert found == {"NC_A100_v4"}


def test_a_retirement_only_a_third_party_states_is_ndv2(catalogue: Catalogue) -> None:
    found = {s.name for s in catalogue.sizes.values() if status_at(catalogue, s.name, None, TODAY).third_party_date}
    assert found == {"Standard_ND40rs_v2"}
