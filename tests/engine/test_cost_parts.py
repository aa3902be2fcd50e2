"""The cost of ownership by component: both sides add up, and an unknown side is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice, PoolAdvice
from advisor.engine.candidates import World
from advisor.engine.cost_parts import cost_parts
from tests.factories import make_reading, make_request, make_row

ROWS = (
    make_row("NC6s_v3", 6, hours=730.0),
    make_row("NV12s_v3", 10, "uaenorth", hours=176.0, os="windows"),
    make_row("NC24s_v3", 2, "chinanorth3", hours=730.0),  # nothing is known of its prices
)


@pytest.fixture(scope="module")
def advice(world: World) -> Advice:
    return advise([make_reading(*ROWS)], world, make_request(top=2))


@pytest.fixture(scope="module")
def pools(advice: Advice) -> dict[str, PoolAdvice]:
    return {pool.size.removeprefix("Standard_"): pool for pool in advice.pools}


def test_the_parts_of_a_pool_add_up_to_both_its_figures(pools: dict[str, PoolAdvice]) -> None:
    for name in ("NC6s_v3", "NV12s_v3"):
        pool, parts = pools[name], cost_parts([pools[name]])
        assert sum(part.after for part in parts) == pytest.approx(pool.options[0].tco.expected)
        assert sum(part.before or 0.0 for part in parts) == pytest.approx(pool.baseline.tco)
        assert all(part.after or part.before for part in parts)


def test_the_parts_of_all_pools_add_up_to_the_totals(advice: Advice) -> None:
    parts = cost_parts(advice.pools)
    assert sum(part.after for part in parts) == pytest.approx(advice.totals.recommended_tco)
    assert sum(part.before or 0.0 for part in parts) == pytest.approx(advice.totals.baseline_tco)


def test_disks_and_operations_of_a_pool_by_hand(pools: dict[str, PoolAdvice]) -> None:
    """6 machines with a system and a data disk each at 19.71, half an hour of work each at 95; 36 months at 8 %."""
    worth = sum(1.08 ** (-month / 12) for month in range(1, 37))
    before = {part.name: part.before for part in cost_parts([pools["NC6s_v3"]])}
    assert before["disks"] == pytest.approx((6 + 6) * 19.71 * worth)
    assert before["operations"] == pytest.approx(6 * 0.5 * 95 * worth)
    assert before["migration_labour"] == 0


def test_what_is_paid_once_says_so(advice: Advice) -> None:
    words = {part.name: part.words for part in cost_parts(advice.pools)}
    assert words["compute"] == "Machines"
    assert words["windows_licence"] == "Windows licences"
    assert words["migration_labour"] == "Labour, once"


def test_an_unknown_side_is_unknown(pools: dict[str, PoolAdvice]) -> None:
    pool = pools["NC6s_v3"]
    older = replace(pool, baseline=replace(pool.baseline, components=None))
    assert {part.before for part in cost_parts([older, pools["NV12s_v3"]])} == {None}
    assert cost_parts([replace(pool, options=())]) == ()
