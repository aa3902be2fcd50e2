"""Totals: both sides over the same pools, unknown is left out and counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice
from advisor.engine.candidates import World
from advisor.engine.quotes import Quotes
from tests.factories import make_reading, make_request, make_row


@pytest.fixture(scope="module")
def advice(world: World) -> Advice:
    rows = (
        make_row("NC6", 12, workload="training"),
        make_row("NC24ads_A100_v4", 2, workload="training"),
        make_row("NC6s_v3", 3, "chinanorth3"),  # no price at all
        make_row("NC6", 5, None),  # no region
    )
    return advise([make_reading(*rows)], world, make_request())


def test_every_machine_is_counted(advice: Advice) -> None:
    assert (advice.totals.vms, advice.totals.gpus) == (22, 22.0)


def test_unpriced_pools_are_counted_and_named(advice: Advice) -> None:
    outside = {pool.id for pool in advice.pools if pool.region in (None, "chinanorth3")}
    assert advice.totals.unpriced_pools == 2
    assert set(advice.totals.unpriced_pool_ids) == outside


def test_sums_are_over_the_same_pools(advice: Advice) -> None:
    inside = [pool for pool in advice.pools if pool.region == "westeurope"]
    firsts = [pool.options[0] for pool in inside]
    totals = advice.totals
    assert totals.baseline_monthly_cost == pytest.approx(12 * 730 * 1.166 + 2 * 730 * 4.775)
    assert totals.cost_now_monthly == pytest.approx(2 * 730 * 4.775)  # NC6 is off
    assert totals.recommended_monthly_cost == pytest.approx(sum(option.monthly_cost for option in firsts))
    assert totals.recommended_tco == pytest.approx(sum(option.tco.expected for option in firsts))
    assert totals.baseline_tco == pytest.approx(sum(pool.baseline.tco or 0 for pool in inside))
    assert totals.baseline_gpu_hours == 12 * 730 + 2 * 730
    assert totals.recommended_gpu_hours == pytest.approx(sum(option.gpu_hours_per_month for option in firsts))


def test_nothing_priced_is_unknown_and_not_zero(world: World) -> None:
    totals = advise([make_reading(make_row("NC6", 5, None))], world, make_request()).totals
    assert (totals.baseline_monthly_cost, totals.recommended_tco, totals.cost_now_monthly) == (None, None, None)
    assert (totals.vms, totals.unpriced_pools) == (5, 1)


def test_a_recommendation_without_a_baseline_is_left_out(world: World) -> None:
    book = world.quotes.book
    prices = {key: price for key, price in book.prices.items() if key[0] != "Standard_NC6"}
    blind = world.with_quotes(Quotes(replace(book, prices=prices), world.catalogue))
    advice = advise([make_reading(make_row("NC6", 5))], blind, make_request())
    assert advice.pools[0].options and advice.pools[0].baseline.kind == "unknown"
    assert (advice.totals.recommended_tco, advice.totals.unpriced_pools) == (None, 1)


def test_an_empty_fleet_is_an_answer(world: World) -> None:
    advice = advise([], world, make_request())
    assert (advice.pools, advice.totals.vms, advice.totals.recommended_tco) == ((), 0, None)
