"""The figures of a report follow from the advice: the way that the cost takes, deadlines, doubts, refusals."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice
from advisor.engine.candidates import World
from advisor.engine.money import present_value
from advisor.engine.outlook import outlook
from advisor.engine.redact import OPTIONS, redact
from advisor.engine.report_doubts import doubts, sources
from advisor.engine.report_figures import ReportPool, cost_path, deadlines, paid_back, report_pools
from tests.factories import make_reading, make_request, make_row

ROWS = (
    make_row("NC6s_v3", 6, hours=730.0, pool="search", name="vm-1"),
    make_row("NV12s_v3", 10, "uaenorth", hours=730.0),
    make_row("NC24ads_A100_v4", 4, hours=730.0, utilisation=0.9, gpu_memory_gib=80.0),
    make_row("NC24s_v3", 2, "chinanorth3", hours=730.0),
)


@pytest.fixture(scope="module")
def advice(world: World) -> Advice:
    return advise([make_reading(*ROWS)], world, make_request(top=7))


@pytest.fixture(scope="module")
def pools(advice: Advice) -> tuple[ReportPool, ...]:
    return report_pools(advice, outlook(advice))


def test_the_path_ends_at_the_totals(advice: Advice) -> None:
    once = outlook(advice).move_cost
    assert once is not None and once > 0
    path = cost_path(advice)
    assert [point.month for point in path] == list(range(37))
    assert (path[0].now, path[0].then) == (0.0, once)
    assert path[-1].now == pytest.approx(advice.totals.baseline_tco)
    assert path[-1].then == pytest.approx(advice.totals.recommended_tco)


def test_a_month_of_the_path_is_its_present_value(advice: Advice) -> None:
    whole = advice.totals.baseline_tco
    assert whole is not None
    monthly = whole / present_value(1.0, 0.08, 36)
    assert cost_path(advice)[7].now == pytest.approx(present_value(monthly, 0.08, 7))


def test_an_unknown_cost_has_no_path(world: World) -> None:
    nothing = advise([make_reading(ROWS[3])], world, make_request())
    assert cost_path(nothing) == ()


def test_paid_back_is_the_first_month_that_costs_no_more(advice: Advice) -> None:
    path = cost_path(advice)
    month = paid_back(path)
    assert month is not None
    assert path[month].then <= path[month].now
    assert all(point.then > point.now for point in path[:month])
    assert paid_back(path[:month]) is None


def test_deadlines_count_the_machines_of_each_day(advice: Advice) -> None:
    (first, *rest) = deadlines(outlook(advice).lines)
    assert (first.day, first.days_left, first.vms) == (date(2027, 1, 31), 62, 10)
    assert all(deadline.vms == sum(line.pool.vms for line in deadline.pools) for deadline in rest)


def test_doubts_name_their_pools(advice: Advice, pools: tuple[ReportPool, ...]) -> None:
    found = {
        doubt.code: {pool.pool.size.removeprefix("Standard_") for pool in doubt.pools}
        for doubt in doubts(advice, pools)
    }
    assert found["unpriced"] == {"NC24s_v3"}
    assert "NC24ads_A100_v4" not in found["memory"] | found["busy"] | found["speed"]
    assert "refused" not in found


def test_refusals_count_every_size_once(pools: tuple[ReportPool, ...]) -> None:
    for pool in pools:
        assert sum(refusal.sizes for refusal in pool.refusals) == len(pool.pool.rejected)
    (unranked,) = (pool for pool in pools if pool.first is None)
    assert unranked.main_refusal is not None
    assert unranked.main_refusal.code == "region"


def test_sources_name_the_pools_that_use_them(pools: tuple[ReportPool, ...]) -> None:
    found = sources(pools)
    assert set(found) >= {"prices", "dates", "speed"}
    assert {number for use in found["prices"] for number in use.pools} <= {pool.number for pool in pools}


@pytest.mark.parametrize("with_names", [True, False])
def test_redacting_changes_no_figure(advice: Advice, with_names: bool) -> None:
    told = redact(advice, with_names=with_names)
    assert (told.totals.recommended_tco, told.totals.vms) == (advice.totals.recommended_tco, advice.totals.vms)
    for before, after in zip(advice.pools, told.pools, strict=True):
        assert after.options == before.options[:OPTIONS]
        assert after.baseline == before.baseline
        assert len(after.options) + len(after.more_options) == len(before.options) + len(before.more_options)
        assert [option.rank for option in after.more_options] == sorted(option.rank for option in after.more_options)
        assert [rejected.size for rejected in after.rejected] == [rejected.size for rejected in before.rejected]


def test_a_nameless_pool_is_called_by_its_number(advice: Advice) -> None:
    told = redact(advice, with_names=False)
    lines = outlook(told).lines
    assert [line.pool.name for line in lines] == [f"pool {number}" for number in range(1, len(lines) + 1)]
    assert [pool.name for pool in report_pools(told, outlook(told))] == [""] * len(lines)
    unpriced = {pool.id for pool in told.pools if not pool.options}
    assert set(told.totals.unpriced_pool_ids) == unpriced
    assert told.readings[0].fleet["name"].isna().all()
