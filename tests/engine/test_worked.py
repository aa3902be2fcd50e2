"""The working of an option: each result follows from its own terms and is the option's own figure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.advice import advise
from advisor.engine.worked import Figure, steps
from tests.factories import make_reading, make_request, make_row

POOLS = {
    "steady training": make_row("NC6", 12, hours=730, workload="training"),
    "burst training": make_row("NC6s_v3", 12, hours=520, workload="training"),
    "busy inference": make_row("NC6s_v3", 6, hours=80, workload="inference", utilisation=0.3),
    "steady inference": make_row("NC24ads_A100_v4", 10, hours=730, workload="inference", utilisation=0.1),
    "seats on windows": make_row("NV12s_v3", 20, hours=200, workload="graphics", os="windows"),
    "one job over machines": make_row("ND40rs_v2", 2, hours=730, workload="training", multi_node=True),
    "slices": make_row("NV12ads_A10_v5", 5, hours=730, workload="inference"),
}


@pytest.fixture(params=POOLS)
def worked(request, world):
    asked = make_request(top=0)
    advice = advise([make_reading(POOLS[request.param])], world, asked)
    (pool,) = advice.pools
    assert len(pool.options) > 3
    return advice, pool


def results(advice, pool, option):
    return {step.name: step.result.value for step in steps(advice, pool, option)}


def test_each_result_is_the_options_own_figure(worked):
    advice, pool = worked
    for option in pool.options:
        found = results(advice, pool, option)
        assert found["machines"] == option.vms, option.size
        assert found["hours"] == pytest.approx(option.hours_per_month), option.size
        assert found["cost a month"] == pytest.approx(option.monthly_cost), option.size
        assert found[f"{advice.horizon_months} months"] == pytest.approx(option.tco.expected), option.size
        assert found.get("must be") == (
            None if option.break_even_speedup is None else pytest.approx(option.break_even_speedup)
        ), option.size
        if pool.workload.shape != "seat":
            assert found["asked"] == pytest.approx(option.asked_gpus), option.size
            assert found["one VM"] == pytest.approx(option.replaces_gpus), option.size


def test_a_commitment_is_paid_for_every_hour(world):
    advice = advise([make_reading(POOLS["burst training"])], world, make_request(price_model="ri_3y"))
    (pool,) = advice.pools
    option = pool.options[0]
    (step,) = (step for step in steps(advice, pool, option) if step.name == "cost a month")
    hours, price = (term.value for term in step.terms if isinstance(term, Figure))
    assert hours == option.vms * 730
    assert hours * price == pytest.approx(option.monthly_cost)


def test_an_answer_of_an_older_version_leaves_out_what_it_does_not_carry(worked):
    advice, pool = worked
    option = replace(pool.options[0], asked_gpus=None, replaces_gpus=None)
    assert not {"asked", "one VM", "must be"} & results(advice, pool, option).keys()
