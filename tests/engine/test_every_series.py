"""Advice on every retired size, for two kinds of work, and on Microsoft's own pairs seen from 2022."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.answer import Advice, PoolAdvice
from advisor.engine.candidates import World, add_months
from advisor.engine.ledger import status_at
from tests.factories import AS_OF, make_reading, make_request, make_row

#: A region in which the old series were sold; the others stand in the first one.
REGIONS = ("westeurope", "eastus")
RETIRED_SERIES = ("NC", "NC_Promo", "NCv2", "NCv3", "ND", "NV", "NV_Promo", "NVv3", "NVv4")
END = add_months(AS_OF, 36)

#: Section 2.1 of the collected facts: the compute guide of 2023-02-27, size by size.
PAIRS = {
    "NC6": ("NC4as_T4_v3", "NC8as_T4_v3"),
    "NC6_Promo": ("NC4as_T4_v3", "NC8as_T4_v3"),
    "NC12": ("NC16as_T4_v3",),
    "NC12_Promo": ("NC16as_T4_v3",),
    "NC24": ("NC64as_T4_v3",),
    "NC24_Promo": ("NC64as_T4_v3",),
    "NC24r": ("NC64as_T4_v3",),
    "NC24r_Promo": ("NC64as_T4_v3",),
    "NC6s_v2": ("NC24ads_A100_v4",),
    "NC12s_v2": ("NC48ads_A100_v4",),
    "NC24s_v2": ("NC96ads_A100_v4",),
    "NC24rs_v2": ("NC96ads_A100_v4",),
    "ND6s": ("NC4as_T4_v3", "NC8as_T4_v3"),
    "ND12s": ("NC16as_T4_v3",),
    "ND24s": ("NC64as_T4_v3",),
    "ND24rs": ("ND96amsr_A100_v4",),
    "NP10s": ("NC4as_T4_v3",),
    "NP20s": ("NC16as_T4_v3", "ND40rs_v2"),
    "NP40s": ("NC64as_T4_v3", "NC24ads_A100_v4"),
}


@pytest.fixture(scope="module", params=["training", "inference"])
def advice(world: World, request: pytest.FixtureRequest) -> Advice:
    sizes = [size.short for series in RETIRED_SERIES for size in world.catalogue.sizes_of(series)]
    rows = [make_row(size, 4, region, workload=request.param) for size in sizes for region in REGIONS]
    return advise([make_reading(*rows)], world, make_request(top=0))


def test_every_retired_size_is_there_and_retired(advice: Advice, world: World) -> None:
    there = {size.name for size in world.catalogue.sizes.values() if size.series in RETIRED_SERIES}
    assert {pool.size for pool in advice.pools} == there
    assert len(advice.pools) == 2 * len(there)
    assert {pool.lifecycle.status for pool in advice.pools} == {"retired"}


def test_nothing_that_retires_is_ranked(advice: Advice, world: World) -> None:
    for pool in advice.pools:
        for option in pool.options:
            status = status_at(world.catalogue, option.size, option.region, AS_OF)
            assert not status.ends_by(END), f"{pool.size} to {option.size}"


def test_every_size_is_ranked_or_refused_with_a_reason(advice: Advice, world: World) -> None:
    for pool in advice.pools:
        options, rejected = {o.size for o in pool.options}, {r.size for r in pool.rejected}
        assert options | rejected == set(world.catalogue.sizes)
        assert not options & rejected
        assert all(reason.message for entry in pool.rejected for reason in entry.reasons)


def test_components_add_up(advice: Advice) -> None:
    for pool in advice.pools:
        for option in pool.options:
            assert sum(option.tco.components.values()) == pytest.approx(option.tco.expected)


def test_unknown_is_none_and_never_zero(advice: Advice) -> None:
    for pool in advice.pools:
        assert pool.baseline.monthly_cost is None or pool.baseline.monthly_cost > 0
        assert (pool.baseline.kind == "unknown") is (pool.baseline.monthly_cost is None)
        for option in pool.options:
            assert option.monthly_cost > 0 and option.hours_per_month > 0 and option.vms >= 1
            assert (option.saving is None) is (pool.baseline.tco is None)


def test_every_compute_pool_has_somewhere_to_go(advice: Advice) -> None:
    """Only the hibernation and memory variants, of which no page says what they have, may be left without an answer."""
    unknown = ("hs_v3", "ms_v3", "ahs_v4")
    for pool in advice.pools:
        if not pool.size.endswith(unknown):
            assert pool.options, f"{pool.size} in {pool.region}"


def test_ranks_follow_the_cost_of_ownership(advice: Advice) -> None:
    for pool in advice.pools:
        costs = [option.tco.expected for option in pool.options]
        assert costs == sorted(costs)


# Seen from 2022-06-01


@pytest.fixture(scope="module")
def in_2022(world: World) -> dict[str, PoolAdvice]:
    kinds = {"NP20s": "training"}
    rows = [make_row(size, 1, "eastus", workload=kinds.get(size, "training")) for size in PAIRS]
    request = make_request(as_of=date(2022, 6, 1), top=0)
    return {pool.size.removeprefix("Standard_"): pool for pool in advise([make_reading(*rows)], world, request).pools}


@pytest.mark.parametrize("size", PAIRS)
def test_microsofts_target_is_an_option_or_refused_with_a_name(in_2022: dict[str, PoolAdvice], size: str) -> None:
    pool = in_2022[size]
    options = {option.size for option in pool.options}
    refused = {entry.size: entry.reasons for entry in pool.rejected}
    named = {move.size: move for move in pool.microsoft_move}
    for target in PAIRS[size]:
        name = f"Standard_{target}"
        assert named[name].agrees is (name in options)
        assert name in options or all(reason.code and reason.message for reason in refused[name])


@pytest.mark.parametrize("size", ["NC6s_v3", "ND40rs_v2"])
def test_ncv3_and_ndv2_live_in_2022(world: World, size: str) -> None:
    status = status_at(world.catalogue, f"Standard_{size}", "eastus", date(2022, 6, 1))
    assert status.status in ("current", "announced")
    assert not status.ends_by(date(2025, 6, 1))


def test_ncv3_is_an_option_in_2022(in_2022: dict[str, PoolAdvice]) -> None:
    assert "Standard_NC6s_v3" in {option.size for option in in_2022["NC6s_v2"].options}
