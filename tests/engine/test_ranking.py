"""Ranking: order, ties, strategies, and where a pool may go (design 4.5, 4.7)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from advisor.engine.answer import Option, PoolAdvice
from advisor.engine.arrays import Table
from advisor.engine.ranking import STRATEGIES, add_rank
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of

PLAIN: dict[str, Any] = {
    "pool_index": 0,
    "short_lived": False,
    "tco": 100.0,
    "n": 1.0,
    "vms": 1.0,
    "hourly_price": 1.0,
    "verdict": 1,
    "replaces": 1.0,
    "ends": np.nan,
    "release_year": 2020.0,
    "gpus_bought": 1.0,
    "vcpus": 8.0,
    "target_index": 0,
}


def ranked(*rows: dict[str, Any], strategy: str = "lowest_cost") -> list[str]:
    """Names in the order of the ranking; a row's name is its `name`."""
    table = Table.of(pd.DataFrame([PLAIN | {"target_index": i} | row for i, row in enumerate(rows)]))
    return list(add_rank(table, strategy).flat("name"))


def test_the_cheapest_first() -> None:
    assert ranked({"name": "b", "tco": 2.0}, {"name": "a", "tco": 1.0}) == ["a", "b"]


def test_ties_go_to_fewer_gpus_then_the_smaller_vm_then_the_name() -> None:
    rows = (
        {"name": "more-gpus", "gpus_bought": 2.0, "vcpus": 1.0},
        {"name": "larger", "vcpus": 9.0},
        {"name": "second"},
        {"name": "third"},
    )
    assert ranked(*rows) == ["second", "third", "larger", "more-gpus"]


def test_a_grain_of_dust_makes_no_difference() -> None:
    assert ranked({"name": "large", "tco": 0.3, "vcpus": 9.0}, {"name": "small", "tco": 0.1 + 0.2}) == [
        "small",
        "large",
    ]


def test_what_ends_inside_the_horizon_comes_last_whatever_it_costs() -> None:
    for strategy in STRATEGIES:
        order = ranked({"name": "ends", "tco": 1.0, "short_lived": True}, {"name": "lasts"}, strategy=strategy)
        assert order == ["lasts", "ends"]


@pytest.mark.parametrize(
    ("strategy", "better"),
    [
        ("lowest_cost", {"tco": 1.0}),
        ("same_count", {"n": 3.0, "vms": 3.0, "tco": 500.0}),
        ("lowest_hourly_price", {"hourly_price": 0.1, "tco": 500.0}),
        ("least_change", {"verdict": 0, "tco": 500.0}),
        ("fastest", {"replaces": 9.0, "tco": 500.0}),
        ("longest_lived", {"release_year": 2025.0, "tco": 500.0}),
    ],
)
def test_each_strategy_looks_at_its_own_figure(strategy: str, better: dict[str, Any]) -> None:
    other = {"name": "other", "vms": 3.0, "n": 1.0}
    assert ranked(other, {"name": "better", "vms": 3.0} | better, strategy=strategy) == ["better", "other"]


def test_no_announced_end_outlives_every_date() -> None:
    rows = ({"name": "dated", "ends": 800_000.0, "release_year": 2030.0}, {"name": "open"})
    assert ranked(*rows, strategy="longest_lived") == ["open", "dated"]


def test_ranks_begin_anew_in_every_pool() -> None:
    rows = [
        PLAIN | {"pool_index": pool, "tco": tco, "target_index": i}
        for i, (pool, tco) in enumerate([(0, 2), (0, 1), (1, 5)])
    ]
    assert list(add_rank(Table.of(pd.DataFrame(rows)), "lowest_cost").flat("rank")) == [1, 2, 1]


# In the whole


def best(pool: PoolAdvice, strategy: str) -> Option | None:
    return next((option for option in pool.options if strategy in option.strategies), None)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_first_option_is_the_best_of_the_strategy_asked_for(ask: Ask, strategy: str) -> None:
    pool = ask("NC24rs_v3", 3, workload="training", strategy=strategy)
    if strategy != "same_count":
        assert strategy in pool.options[0].strategies
    assert [option.rank for option in pool.options] == list(range(1, len(pool.options) + 1))


def test_same_count_is_said_only_of_the_same_count(ask: Ask) -> None:
    """One A100 for twelve K80 once carried the label same_count."""
    assert best(ask("NC6", 12, workload="training"), "same_count") is None
    same = best(ask("NC6s_v3", 2, "westus2", workload="inference"), "same_count")  # a stream keeps two VMs
    assert same is not None and same.vms == 2


def test_unknown_prices_win_nothing(ask: Ask) -> None:
    for option in ask("NC24rs_v2", 4, "southcentralus", workload="training").options:
        assert np.isfinite(option.tco.expected) and option.monthly_cost > 0


# Where a pool may go


def test_the_same_size_in_another_region_is_a_move(ask: Ask) -> None:
    """It once counted as a stay: no labour, no overlap, although data has to be moved."""
    moved = option_of(ask("NC24ads_A100_v4", 3, workload="training", target_region="northeurope"), "NC24ads_A100_v4")
    assert (moved.region, moved.verdict) == ("northeurope", "redeploy")
    assert "region-change" in codes_of(moved)
    assert moved.monthly_cost == pytest.approx(3 * 730 * 4.408)
    assert moved.tco.components["migration_labour"] == (16 + 3 * 3) * 95
    assert moved.tco.components["parallel_running"] > 0
    assert "in westeurope" in moved.why and "in northeurope" in moved.why


def test_where_several_regions_are_allowed_the_present_size_may_stay(ask: Ask) -> None:
    for scope in ("geography", "any"):
        stay = option_of(ask("NC24ads_A100_v4", 3, workload="training", target_region=scope), "NC24ads_A100_v4")
        assert (stay.region, stay.verdict, stay.vms) == ("westeurope", "stay", 3)
        assert stay.tco.components["migration_labour"] == 0


def test_other_sizes_go_to_their_cheapest_region(ask: Ask) -> None:
    here = option_of(ask("NC6", 12, workload="training"), "NC24ads_A100_v4")
    there = option_of(ask("NC6", 12, workload="training", target_region="geography"), "NC24ads_A100_v4")
    assert (here.region, there.region) == ("westeurope", "northeurope")
    assert there.hourly_price == 4.408 < here.hourly_price


def test_the_best_region_of_the_geography_counts_the_move(ask: Ask) -> None:
    pool = ask("NC24ads_A100_v4", 3, workload="training")
    best_region = pool.best_region
    assert best_region is not None
    assert best_region.region != "westeurope" and "westeurope" in best_region.step
    moved = option_of(
        ask("NC24ads_A100_v4", 3, workload="training", target_region=best_region.region),
        best_region.size.removeprefix("Standard_"),
    )
    assert best_region.tco_expected == pytest.approx(moved.tco.expected)
    assert best_region.tco_expected < pool.options[0].tco.expected
