"""Many regions: kept one by one, read on after a stop, a few at a time."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from advisor.management.commands._progress import bar_text
from advisor.retail_client import RetailClient, Unreachable
from advisor.retail_fetch import PARALLEL, KeptRegions, Progress, Stopped, fetch_regions, pause
from tests.retail import api as faults
from tests.retail.api import RetailApi, of_region, once, status
from tests.retail.items import make_item

REGIONS = [f"region{n}" for n in range(8)]
WHAT = {"schema": "kept-regions/1", "day": "2026-12-01", "asked": "https://api.test/?REGION"}


@pytest.fixture
def kept(tmp_path: Path) -> KeptRegions:
    return KeptRegions(tmp_path / "refresh" / "usd.jsonl", WHAT)


@pytest.fixture
def full(api: RetailApi) -> RetailApi:
    api.lists = {region: [make_item("NC6s_v3", 3.06, region)] for region in REGIONS}
    return api


def fetch(api: RetailApi, kept: KeptRegions, regions: list[str] = REGIONS) -> tuple[dict[str, str], list[Progress]]:
    told: list[Progress] = []
    client = RetailClient(api.url, timeout=5.0, wait=lambda _: None)
    return fetch_regions(client, regions, "USD", kept, told.append, Event()), told


def again(kept: KeptRegions, **what: str) -> KeptRegions:
    return KeptRegions(kept.path, WHAT | what)


def test_all_regions_are_read_once_and_kept(full: RetailApi, kept: KeptRegions) -> None:
    failed, told = fetch(full, kept)
    assert failed == {}
    assert set(kept.lists) == set(REGIONS)
    assert sorted(full.asked) == [(region, 0) for region in REGIONS]
    last = told[-1]
    assert (last.regions_done, last.regions, last.pages, last.begun_with) == (8, 8, 8, 0)


def test_only_a_few_are_asked_for_at_once(full: RetailApi, kept: KeptRegions) -> None:
    full.faults = [faults.slow(0.2)]
    fetch(full, kept)
    assert 1 < full.most <= PARALLEL


def test_a_second_run_reads_only_the_rest(full: RetailApi, kept: KeptRegions) -> None:
    fetch(full, kept, REGIONS[:5])
    full.asked.clear()
    later = again(kept)
    _failed, told = fetch(full, later)
    assert sorted(region for region, _skip in full.asked) == REGIONS[5:]
    assert set(later.lists) == set(REGIONS)
    assert (told[-1].begun_with, told[-1].pages) == (5, 3)


@pytest.mark.parametrize(("name", "value"), [("day", "2026-12-02"), ("asked", "https://api.test/?REGION&currency=EUR")])
def test_lists_of_another_day_currency_or_address_are_not_mixed(
    full: RetailApi, kept: KeptRegions, name: str, value: str
) -> None:
    fetch(full, kept)
    assert again(kept, **{name: value}).lists == {}
    assert again(kept, **{name: value}).lists == {}  # the file is of the new kind now


@pytest.mark.parametrize("torn", ['{"region": "region9", "ite', '{"region": "region9"}\n', "\n", "[1]\n"])
def test_a_line_cut_short_is_dropped_and_writing_goes_on(full: RetailApi, kept: KeptRegions, torn: str) -> None:
    fetch(full, kept, REGIONS[:2])
    with kept.path.open("a", encoding="utf-8") as file:
        file.write(torn)
    later = again(kept)
    assert set(later.lists) == set(REGIONS[:2])
    fetch(full, later, REGIONS[:3])
    assert set(again(kept).lists) == set(REGIONS[:3])


@pytest.mark.parametrize("content", ["", "null\n", "no json", '["x"]\n'])
def test_a_file_that_is_none_is_begun_anew(kept: KeptRegions, content: str) -> None:
    kept.path.write_text(content, encoding="utf-8")
    assert again(kept).lists == {}
    assert json.loads(kept.path.read_text(encoding="utf-8")) == WHAT


def test_what_is_kept_reads_as_what_was_listed(full: RetailApi, kept: KeptRegions) -> None:
    """NaN too, for the checks to find."""
    full.lists["region0"] = [make_item("NC6s_v3", float("nan"), "region0", savingsPlan=[{"term": "1 Year"}])]
    fetch(full, kept, ["region0"])
    (item,) = again(kept).lists["region0"]
    assert str(item["retailPrice"]) == "nan"
    assert item["savingsPlan"] == [{"term": "1 Year"}]
    assert "meterId" not in item


def test_dropped_regions_are_read_again(full: RetailApi, kept: KeptRegions) -> None:
    fetch(full, kept)
    kept.drop(["region1", "nowhere"])
    assert set(again(kept).lists) == set(REGIONS) - {"region1"}


def test_a_region_that_fails_does_not_keep_the_others_back(full: RetailApi, kept: KeptRegions) -> None:
    full.faults = [of_region("region2", status(404))]
    failed, _told = fetch(full, kept)
    assert list(failed) == ["region2"]
    assert "answered 404" in failed["region2"]
    assert set(kept.lists) == set(REGIONS) - {"region2"}


def test_three_regions_that_fail_end_the_run(full: RetailApi, kept: KeptRegions) -> None:
    full.faults = [status(500)]
    many = [f"region{n}" for n in range(40)]
    failed, _told = fetch(full, kept, many)
    assert 3 <= len(failed) < 3 + PARALLEL
    assert len({region for region, _skip in full.asked}) <= 3 + PARALLEL


def test_what_cannot_be_reached_ends_the_run(full: RetailApi, kept: KeptRegions) -> None:
    full.shutdown()
    full.server_close()
    with pytest.raises(Unreachable):
        fetch(full, kept)


def test_a_fault_that_passes_leaves_no_gap(full: RetailApi, kept: KeptRegions) -> None:
    full.faults = [once(status(429, {"Retry-After": "1"}), 3), once(faults.hang_up, 2)]
    failed, _told = fetch(full, kept)
    assert (failed, set(kept.lists)) == ({}, set(REGIONS))


def test_a_client_that_waits_stops_when_it_is_told_to() -> None:
    stop = Event()
    pause(stop)(0.0)
    stop.set()
    with pytest.raises(Stopped):
        pause(stop)(3600.0)


def test_an_interrupt_ends_the_run_and_keeps_what_is_there(full: RetailApi, kept: KeptRegions) -> None:
    """Ctrl-C reaches this thread; the others, of which one waits ten minutes after a 503, end with it."""
    full.faults = [of_region("region3", status(503, {"Retry-After": "600"}))]
    stop = Event()
    client = RetailClient(full.url, timeout=5.0, wait=pause(stop))

    def report(progress: Progress) -> None:
        if progress.region and progress.regions_done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_regions(client, REGIONS, "USD", kept, report, stop)
    assert stop.is_set()
    assert 2 <= len(again(kept).lists) < 8


def progress(**changes: Any) -> Progress:
    return Progress(
        **({"region": "", "items": 0, "regions_done": 6, "regions": 24, "begun_with": 0, "pages": 7} | changes)
    )


def test_the_bar_shows_counts_and_the_time_left() -> None:
    """60 s for 6 regions, 18 to go: 180 s. Of 6 done, 4 were there before: 30 s each, 540 s for 18."""
    assert bar_text(progress(), 60.0) == "[######..................] 6 of 24 regions, 7 pages, about 3 min left"
    assert bar_text(progress(begun_with=4), 60.0).endswith("about 9 min left")
    assert bar_text(progress(begun_with=6, pages=1), 60.0).endswith("6 of 24 regions, 1 page")
    assert bar_text(progress(regions_done=24), 60.0).endswith("24 of 24 regions, 7 pages")
