"""Pools: what is grouped, how hours are read, and that a missing cell stays missing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import date
from typing import Any

import pandas as pd
import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.pools import Pool, make_pools
from advisor.engine.readers.reading import Period
from advisor.engine.vm_facts import VmFacts
from advisor.engine.workload import profile_rules
from tests.factories import make_reading, make_request, make_row, rejected_codes

OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 10, 31), hours=744.0)


def pools_of(catalogue: Catalogue, *rows: dict[str, Any], period: Period | None = None, **request: Any) -> list[Pool]:
    return make_pools([replace(make_reading(*rows), period=period)], catalogue, make_request(**request))


def hours(catalogue: Catalogue, *rows: dict[str, Any], **more: Any) -> tuple[float, str]:
    (pool,) = pools_of(catalogue, *rows, **more)
    return pool["hours_per_vm_month"], pool["hours_basis"]


def test_rows_that_agree_are_one_pool(catalogue: Catalogue) -> None:
    pools = pools_of(catalogue, make_row("NC6", 3), make_row("NC6", 4))
    assert [pool["vms"] for pool in pools] == [7]


@pytest.mark.parametrize(
    "columns",
    [
        {"region": "eastus"},
        {"os": "windows"},
        {"price_model": "spot"},
        {"workload": "inference"},
        {"gpu_memory_gib": 8.0},
        {"pool": "render"},
        {"service": "aks"},
    ],
)
def test_rows_that_differ_are_two_pools(catalogue: Catalogue, columns: dict[str, Any]) -> None:
    pools = pools_of(catalogue, make_row("NC6"), make_row("NC6") | columns)
    assert len({pool["id"] for pool in pools}) == len(pools) == 2


def test_the_id_is_that_of_the_contract(catalogue: Catalogue) -> None:
    (pool,) = pools_of(catalogue, make_row("NC6", pool="render"))
    assert pool["id"] == hashlib.sha256(b"Standard_NC6|westeurope|linux|payg|render").hexdigest()[:8]


def test_the_id_does_not_depend_on_what_the_user_says_later(catalogue: Catalogue) -> None:
    one = pools_of(catalogue, make_row("NC6"))
    other = pools_of(catalogue, make_row("NC6"), workload="inference", gpu_memory_gib=8.0)
    assert [pool["id"] for pool in one] == [pool["id"] for pool in other]


def test_no_row_makes_no_pool(catalogue: Catalogue) -> None:
    assert make_pools([], catalogue, make_request()) == []


def test_an_unusable_file_makes_no_pool(catalogue: Catalogue) -> None:
    assert make_pools([replace(make_reading(make_row("NC6")), usable=False)], catalogue, make_request()) == []


# Hours


def test_usage_files_count_hours_over_vms_and_period(catalogue: Catalogue) -> None:
    # (300 + 72) h / 2 VMs x 730 / 744 = 182.5
    rows = (make_row("NC4as_T4_v3", hours=300.0), make_row("NC4as_T4_v3", hours=72.0))
    found, basis = hours(catalogue, *rows, period=OCTOBER)
    assert (found, basis) == (pytest.approx(182.5), "file")


def test_a_whole_calendar_month_is_730_hours(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", hours=744.0), period=OCTOBER) == (pytest.approx(730.0), "file")


def test_hours_per_vm_of_a_list(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 5, hours=80.0)) == (80.0, "list")


def test_hours_of_the_row_of_a_list(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 5, hours=1000.0, hours_per_vm=False)) == (200.0, "list")


def test_without_hours_a_running_vm_counts_all_month(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 5)) == (730.0, "assumed")


def test_without_hours_a_deallocated_vm_counts_nothing(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 4, deallocated=4)) == (0.0, "assumed")
    assert hours(catalogue, make_row("NC4as_T4_v3", 4, deallocated=1)) == (547.5, "assumed")  # 3 x 730 / 4


def test_a_vm_that_is_off_because_its_size_retired_counts_as_before(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC6", 4, deallocated=4)) == (730.0, "assumed")
    assert hours(catalogue, make_row("NC6", 4, hours=0.0)) == (730.0, "assumed")


def test_what_the_file_says_of_a_retired_size_is_kept(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC6", 4, deallocated=4, hours=40.0)) == (40.0, "list")


def test_a_month_has_no_more_than_730_hours(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 2, hours=744.0), pattern="burst") == (730.0, "list")


def test_steady_by_word_of_the_user_runs_all_month_and_is_assumed(catalogue: Catalogue) -> None:
    assert hours(catalogue, make_row("NC4as_T4_v3", 2, hours=100.0), pattern="steady") == (730.0, "assumed")


def test_ninety_percent_of_a_month_is_steady(catalogue: Catalogue) -> None:
    for worked, pattern in ((657.0, "steady"), (656.0, "burst")):  # 0.9 x 730 = 657
        (pool,) = pools_of(catalogue, make_row("NC4as_T4_v3", hours=worked))
        assert pool["pattern"] == pattern


def test_cost_is_scaled_to_a_month(catalogue: Catalogue) -> None:
    week = Period(start=date(2026, 10, 1), end=date(2026, 10, 7), hours=168.0)
    (pool,) = pools_of(catalogue, make_row("NC4as_T4_v3", hours=168.0, cost=84.0), period=week)
    assert pool["cost"] == pytest.approx(84.0 * 730 / 168)  # 365


def test_cost_of_some_rows_only_is_no_cost_of_the_pool(catalogue: Catalogue) -> None:
    rows = (make_row("NC4as_T4_v3", cost=10.0, currency="USD"), make_row("NC4as_T4_v3", currency="USD"))
    (pool,) = pools_of(catalogue, *rows)
    assert pd.isna(pool["cost"])


# What is missing stays missing


def test_a_row_without_region_beside_rows_with_one(world: World) -> None:
    """A table of text with a gap once turned None into NaN, which no JSON holds."""
    advice = advise([make_reading(make_row("NC6"), make_row("NC6", region=None, os=None))], world, make_request())
    assert [pool.region for pool in advice.pools] == ["westeurope", None]
    assert not advice.pools[1].options
    assert advice.pools[1].questions[0].field == "region"
    assert rejected_codes(advice.pools[1], "NC4as_T4_v3") == {"unknown-region"}
    json.dumps(advice_json(advice), allow_nan=False)


@pytest.mark.parametrize("column", ["pool", "currency", "os", "price_model", "service", "resource_group", "tags"])
def test_a_cell_that_only_one_row_fills(world: World, column: str) -> None:
    value = {"os": "windows", "price_model": "spot", "service": "aks", "currency": "EUR", "tags": '{"env": "dev"}'}
    rows = (make_row("NC6", 1) | {column: None}, make_row("NC6", 2) | {column: value.get(column, "x")})
    advice = advise([make_reading(*rows)], world, make_request())
    assert sum(pool.vms for pool in advice.pools) == 3
    json.dumps(advice_json(advice), allow_nan=False)


# Profile rules


def test_precedence_is_column_then_first_rule_then_option(catalogue: Catalogue) -> None:
    rules = profile_rules(
        [
            {"match": {"size": "nc6*"}, "set": {"workload": "hpc", "utilisation": 40}},
            {"match": {"size": "NC6"}, "set": {"workload": "dev", "pattern": "burst"}},
        ]
    )
    row = make_row("NC6", workload="inference")
    (pool,) = pools_of(catalogue, row, rules=rules, workload="graphics", precision="fp16")
    assert (pool["kind"], pool["utilisation"], pool["precision"]) == ("inference", 0.4, "fp16")
    assert pool["pattern"] == "steady"  # only the first rule that matches counts


def test_a_rule_by_tag_parts_machines_that_are_otherwise_equal(catalogue: Catalogue) -> None:
    rules = profile_rules([{"match": {"tag:env": "dev"}, "set": {"workload": "dev"}}])
    rows = (make_row("NC6", tags='{"env": "dev"}'), make_row("NC6", 2, tags='{"env": "prod"}'))
    pools = pools_of(catalogue, *rows, rules=rules)
    assert {pool["kind"]: pool["vms"] for pool in pools} == {"dev": 1, "training": 2}


def test_names_do_not_divide_pools_where_no_rule_looks_at_them(catalogue: Catalogue) -> None:
    rows = [make_row("NC6", name=f"vm{i}", resource_group=f"rg{i}") for i in range(9)]
    assert [pool["vms"] for pool in pools_of(catalogue, *rows)] == [9]


def test_the_fullest_vm_and_the_oldest_image_count(catalogue: Catalogue) -> None:
    rows = (make_row("NC6", data_disks=2.0, generation=2.0), make_row("NC6", data_disks=9.0, generation=1.0))
    (pool,) = pools_of(catalogue, *rows, make_row("NC6"))
    assert (pool["data_disks"], pool["generation"]) == (9.0, 1.0)


def test_hours_too_small_to_divide_by_are_none(world: World) -> None:
    row = make_row("NC4as_T4_v3", 4, hours=2.2e-311, cost=1234.5, currency="USD")
    (pool,) = advise([make_reading(row)], world, make_request()).pools
    assert pool.hours_per_vm_month == 0.0
    assert pool.baseline.hourly_price is None


def test_facts_of_machines_the_row_goes_before_the_rule_before_the_option(catalogue: Catalogue) -> None:
    rule = profile_rules([{"match": {"size": "NC6*"}, "set": {"zone": "2", "secure_boot": True, "workload": "dev"}}])
    said = VmFacts(zone="3", nics=2.0)
    rows = (make_row("NC6", 2, facts='{"zone": "1"}'), make_row("NC6", 3))
    (pool,) = pools_of(catalogue, *rows, rules=rule, facts=said)
    machine = pool["machine"]
    assert dict(machine.tallies)["zone"] == (("2", 3.0), ("1", 2.0))
    assert (machine.values.zone, machine.values.secure_boot, machine.values.nics) == ("1+2", 1.0, 2.0)


def test_what_a_person_says_of_the_machines_of_a_pool_beats_the_file(catalogue: Catalogue) -> None:
    row = make_row("NC6", 2, facts='{"zone": "1"}', generation=1.0)
    (before,) = pools_of(catalogue, row)
    (pool,) = pools_of(catalogue, row, facts_by_pool={before["id"]: VmFacts(zone="none", generation=2.0)})
    assert (pool["machine"].values.zone, pool["generation"]) == ("none", 2.0)
    assert pool["machine"].said == {"zone", "generation"}


def test_a_pool_of_which_some_images_are_not_known_is_not_of_generation_2(catalogue: Catalogue) -> None:
    (pool,) = pools_of(catalogue, make_row("NC6s_v3", 2, generation=2.0), make_row("NC6s_v3", 1))
    assert pd.isna(pool["generation"])
    (one,) = pools_of(catalogue, make_row("NC6s_v3", 2, generation=1.0), make_row("NC6s_v3", 1))
    assert one["generation"] == 1.0
