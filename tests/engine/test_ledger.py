"""Lifecycle status from dates: which page counts, where, for whom, on which day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from advisor.engine.catalogue import Catalogue, EventKind, LedgerEvent
from advisor.engine.ledger import LifecycleStatus, Status, status_at

TODAY = date(2026, 11, 30)
PAGE = LedgerEvent(
    size="Standard_NC9",
    event="retires",
    on=date(2027, 6, 30),
    region=None,
    service="vm",
    publisher="microsoft",
    superseded=False,
    source="page",
    as_of=date(2026, 1, 1),
)


def status_of(*events: LedgerEvent, region: str | None = None, day: date = TODAY) -> LifecycleStatus:
    return status_at(Catalogue(version="t", as_of=TODAY, sizes={}, gpus={}, events=events), PAGE.size, region, day)


@pytest.mark.parametrize(
    ("day", "status"),
    [(date(2027, 6, 29), "announced"), (date(2027, 6, 30), "retired"), (date(2027, 7, 1), "retired")],
)
def test_a_size_is_retired_from_its_date_on(day: date, status: Status) -> None:
    assert status_of(PAGE, day=day).status == status


def test_no_event_at_all_is_unknown() -> None:
    assert status_of().status == "unknown"


@pytest.mark.parametrize("sign", ["none-announced", "recommended-as-target", "first-offered"])
def test_a_sign_of_life_without_an_end_is_current(sign: EventKind) -> None:
    assert status_of(replace(PAGE, event=sign, on=None)).status == "current"


def test_an_end_beats_a_sign_of_life() -> None:
    assert status_of(PAGE, replace(PAGE, event="none-announced", on=None)).status == "announced"


def test_no_new_capacity_alone_is_no_status() -> None:
    found = status_of(replace(PAGE, event="no-new-capacity", on=None))
    assert (found.status, found.no_new_capacity) == ("unknown", True)


def test_the_newest_page_decides_and_the_earliest_date_is_kept() -> None:
    older = replace(PAGE, on=date(2027, 3, 31), as_of=date(2025, 1, 1), source="older")
    found = status_of(PAGE, older)
    assert (found.retirement_date, found.earliest_date, found.source) == (PAGE.on, older.on, "page")


def test_of_two_versions_of_one_page_the_later_date_counts() -> None:
    assert status_of(PAGE, replace(PAGE, on=date(2027, 3, 31), source="page, other")).retirement_date == PAGE.on


def test_a_superseded_date_is_shown_and_never_used() -> None:
    gone = replace(PAGE, on=date(2026, 1, 1), superseded=True)
    found = status_of(PAGE, gone)
    assert found.earliest_date == PAGE.on
    assert gone in found.events


def test_a_third_party_alone_retires_nothing() -> None:
    alive = replace(PAGE, event="none-announced", on=None)
    found = status_of(alive, replace(PAGE, publisher="third-party", on=date(2025, 9, 30)))
    assert (found.status, found.retirement_date, found.earliest_date) == ("current", None, None)
    assert found.third_party_date == date(2025, 9, 30)
    assert not found.ends_by(date(2030, 1, 1))


def test_a_third_party_without_any_page_leaves_the_status_unknown() -> None:
    assert status_of(replace(PAGE, publisher="third-party")).status == "unknown"


def test_a_region_s_own_date_replaces_the_general_one_there_only() -> None:
    general, own = replace(PAGE, on=date(2025, 9, 30)), replace(PAGE, region="uaenorth")
    assert status_of(general, own, region="uaenorth").status == "announced"
    assert status_of(general, own, region="uaenorth").earliest_date == PAGE.on
    assert status_of(general, own, region="westeurope").status == "retired"
    assert status_of(general, own).status == "retired"


def test_an_end_without_a_date_retires_from_the_day_of_its_page() -> None:
    undated = replace(PAGE, on=None)
    assert status_of(undated).status == "retired"
    assert status_of(undated).retirement_date is None
    assert status_of(undated, day=date(2025, 12, 31)).status == "announced"


def test_a_size_ends_by_the_earliest_date_of_any_source() -> None:
    found = status_of(PAGE, replace(PAGE, on=date(2027, 3, 31), source="older"))
    assert found.ends_by(date(2027, 3, 31))
    assert not found.ends_by(date(2027, 3, 30))


def test_u02_aks_switches_off_on_a_date_of_its_own(catalogue: Catalogue) -> None:
    as_vm, on_aks = (status_at(catalogue, "Standard_NC6", "westeurope", TODAY, s) for s in ("vm", "aks"))
    assert (as_vm.retirement_date, as_vm.forced_stop) == (date(2023, 9, 6), None)
    assert (on_aks.retirement_date, on_aks.forced_stop) == (date(2023, 9, 6), date(2025, 3, 14))


def test_u03_nc24rs_v3_has_dates_of_its_own(catalogue: Catalogue) -> None:
    rdma, sibling = (status_at(catalogue, f"Standard_{s}_v3", None, TODAY) for s in ("NC24rs", "NC24s"))
    assert (rdma.retirement_date, rdma.earliest_date) == (date(2025, 9, 30), date(2025, 3, 31))
    assert sibling.earliest_date == date(2025, 9, 30)
    assert any(c.fact == "retirement date" for c in rdma.conflicts)


def test_u05_moved_dates_are_kept(catalogue: Catalogue) -> None:
    found = status_at(catalogue, "Standard_NC6", None, TODAY)
    history = [(e.on, e.superseded) for e in found.events if e.event == "retires" and e.publisher == "microsoft"]
    assert history == [(date(2022, 8, 31), True), (date(2023, 8, 31), True), (date(2023, 9, 6), False)]


def test_u06_and_u07_a_target_of_yesterday_retires_itself(catalogue: Catalogue) -> None:
    assert status_at(catalogue, "Standard_NC6s_v3", "westeurope", date(2023, 7, 1)).ends_by(date(2026, 7, 1))
    assert status_at(catalogue, "Standard_NV12s_v3", "westeurope", date(2023, 3, 1)).ends_by(date(2026, 10, 1))


def test_u09_batch_shows_its_own_last_change(catalogue: Catalogue) -> None:
    assert status_at(catalogue, "Standard_NC6s_v3", None, TODAY, "batch").announced == date(2026, 2, 26)


def test_ndv2_stays_current_with_its_conflict(catalogue: Catalogue) -> None:
    found = status_at(catalogue, "Standard_ND40rs_v2", "westeurope", TODAY)
    assert (found.status, found.third_party_date) == ("current", date(2025, 9, 30))
    assert "status" in {c.fact for c in found.conflicts}


def test_nvv2_is_unknown(catalogue: Catalogue) -> None:
    assert {status_at(catalogue, s.name, None, TODAY).status for s in catalogue.sizes_of("NVv2")} == {"unknown"}


@pytest.mark.parametrize(
    ("size", "region", "shown", "earliest"),
    [
        ("Standard_NC6s_v3", "usgovvirginia", date(2026, 12, 31), date(2026, 6, 30)),
        ("Standard_NC24rs_v3", "usgovarizona", date(2026, 12, 31), date(2026, 6, 30)),
        ("Standard_NC24rs_v3", "jioindiawest", date(2027, 6, 30), date(2027, 6, 30)),
        ("Standard_NC6s_v3", "chinanorth3", date(2027, 6, 30), date(2027, 6, 30)),
        ("Standard_NV12s_v3", "uaenorth", date(2027, 1, 31), date(2027, 1, 31)),
    ],
)
def test_regional_extensions(catalogue: Catalogue, size: str, region: str, shown: date, earliest: date) -> None:
    found = status_at(catalogue, size, region, TODAY)
    assert (found.status, found.retirement_date, found.earliest_date) == ("announced", shown, earliest)


def test_a_regional_conflict_is_shown_in_its_regions_only(catalogue: Catalogue) -> None:
    def facts(region: str) -> set[str]:
        return {c.fact for c in status_at(catalogue, "Standard_NC6s_v3", region, TODAY).conflicts}

    assert facts("usgovvirginia") - facts("jioindiawest")
