"""Laws that hold for any pool: what may be ranked, what a price, a speed and a load can change, and what adds up."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import Option, PoolAdvice
from advisor.engine.arrays import Table
from advisor.engine.assumptions import values_with
from advisor.engine.candidates import World, add_months
from advisor.engine.ledger import status_at
from advisor.engine.prices import Price
from advisor.engine.quotes import Quotes
from advisor.engine.sizing import add_sizing
from advisor.engine.words import Row
from advisor.engine.workload import KINDS
from tests import shipped
from tests.factories import AS_OF, codes_of, make_reading, make_request, make_row
from tests.profiles import examples, sample

#: An advice takes some tenths of a second: few examples of it, many of the arithmetic alone.
whole = settings(
    max_examples=examples(6),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink a failure would take minutes
)
fresh = settings(whole, max_examples=examples(3))  # each example makes a world of its own
arithmetic = settings(max_examples=examples(40), deadline=None)


SIZES = sorted(size.short for size in shipped.world().sizes)
LIVING = (
    "NC24ads_A100_v4",
    "NC4as_T4_v3",
    "NC64as_T4_v3",
    "NC40ads_H100_v5",
    "NV12ads_A10_v5",
    "ND96asr_v4",
    "ND40rs_v2",
)
REGIONS = (
    "westeurope",
    "eastus",
    "southcentralus",
    "koreacentral",
    "polandcentral",
    "usgovvirginia",
    "brazilsoutheast",
)
shares = st.floats(0.01, 1.0)
hours = st.one_of(st.none(), st.floats(0.0, 730.0))
rows = st.fixed_dictionaries(
    {
        "size": st.sampled_from(SIZES),
        "count": st.integers(1, 40),
        "region": st.sampled_from((*REGIONS, None)),
        "os": st.sampled_from(("linux", "windows", None)),
        "workload": st.sampled_from((*KINDS, None)),
        "hours": st.one_of(st.just(float("nan")), st.floats(0.0, 800.0)),
        "utilisation": st.one_of(st.just(float("nan")), shares),
        "gpu_memory_gib": st.one_of(st.just(float("nan")), st.floats(0.5, 2000.0)),
        "multi_node": st.sampled_from((None, True, False)),
        "data_disks": st.sampled_from((float("nan"), 0.0, 9.0, 70.0)),
        "cost": st.sampled_from((float("nan"), 0.0, 1234.5)),
        "deallocated": st.just(0),
    }
)


def pool_of(row: dict[str, Any], world: World | None = None, **request: Any) -> PoolAdvice:
    cells = dict(row)
    fleet = make_row(cells.pop("size"), cells.pop("count"), cells.pop("region"), **cells)
    (pool,) = advise([make_reading(fleet)], world or shipped.world(), make_request(**({"top": 0} | request))).pools
    return pool


# What may be ranked


@whole
@given(row=rows, horizon=st.integers(1, 60))
def test_nothing_that_ends_in_the_horizon_is_ranked_but_a_stay(row: dict[str, Any], horizon: int) -> None:
    end = add_months(AS_OF, horizon)
    for option in pool_of(row, horizon_months=horizon).options:
        status = status_at(shipped.world().catalogue, option.size, option.region, AS_OF)
        assert status.status != "retired"
        if option.verdict == "stay":
            assert not status.ends_by(end) or "stay-retires" in codes_of(option) or status.retirement_date is None
        else:
            assert not status.ends_by(end)


@whole
@given(row=rows)
def test_every_size_is_an_option_or_rejected_and_no_figure_is_nan(row: dict[str, Any]) -> None:
    pool = pool_of(row)
    options, rejected = {o.size for o in pool.options}, {r.size for r in pool.rejected}
    assert options | rejected == set(shipped.world().catalogue.sizes)
    assert not options & rejected
    assert all(entry.reasons for entry in pool.rejected)


@whole
@given(fleet=st.lists(rows, max_size=4))
def test_json_has_no_nan_and_totals_are_sums(fleet: list[dict[str, Any]]) -> None:
    cells = [dict(row) for row in fleet]
    table = [make_row(c.pop("size"), c.pop("count"), c.pop("region"), **c) for c in cells]
    advice = advise([make_reading(*table)] if table else [], shipped.world(), make_request())
    told = json.loads(json.dumps(advice_json(advice), allow_nan=False))
    priced = [p for p in told["pools"] if p["options"] and p["baseline"]["monthly_cost"] is not None]
    assert told["totals"]["vms"] == sum(p["vms"] for p in told["pools"]) == sum(row["count"] for row in fleet)
    assert told["totals"]["unpriced_pools"] == len(told["pools"]) - len(priced)
    for key, value in (
        ("recommended_tco", lambda p: p["options"][0]["tco"]["expected"]),
        ("recommended_monthly_cost", lambda p: p["options"][0]["monthly_cost"]),
        ("baseline_tco", lambda p: p["baseline"]["tco"]),
        ("baseline_monthly_cost", lambda p: p["baseline"]["monthly_cost"]),
    ):
        expected = sum(map(value, priced)) if priced else None
        assert told["totals"][key] == (None if expected is None else pytest.approx(expected))


@whole
@given(row=rows)
def test_components_add_up_and_unknown_is_never_zero(row: dict[str, Any]) -> None:
    for option in pool_of(row).options:
        assert option.tco.expected == pytest.approx(sum(option.tco.components.values()))
        assert option.hourly_price > 0 and option.vms >= 1
        assert 0 < option.speedup.low <= option.speedup.expected <= option.speedup.high


# A stay is exactly today


@whole
@given(
    size=st.sampled_from(LIVING),
    count=st.integers(1, 30),
    worked=hours,
    kind=st.sampled_from(KINDS),
    multi_node=st.booleans(),
    job=st.one_of(st.none(), st.floats(0.5, 64.0)),
)
def test_the_own_size_with_unknown_load_is_today(
    size: str, count: int, worked: float | None, kind: str, multi_node: bool, job: float | None
) -> None:
    row: dict[str, Any] = {"size": size, "count": count, "region": "eastus"}
    pool = pool_of(
        row | ({} if worked is None else {"hours": worked}), workload=kind, multi_node=multi_node, job_gpus=job
    )
    stays = [option for option in pool.options if option.verdict == "stay"]
    if not stays:  # the size has no price there, or no driver for that kind
        assert f"Standard_{size}" in {entry.size for entry in pool.rejected}
        return
    assert stays[0].vms == count
    assert stays[0].hours_per_month == pytest.approx(pool.hours_per_month)
    assert stays[0].monthly_cost == pytest.approx(pool.baseline.monthly_cost)
    assert stays[0].tco.expected == pytest.approx(pool.baseline.tco)


# Load and speed

candidates = st.fixed_dictionaries(
    {
        "vms": st.integers(1, 50),
        "k0": st.sampled_from((1.0, 2.0, 4.0, 8.0)),
        "units": st.sampled_from((1.0, 2.0, 4.0, 8.0)),
        "hours_per_vm_month": st.floats(0.0, 730.0),
        "shape": st.sampled_from(("queue", "stream", "seat")),
        "pattern": st.sampled_from(("steady", "burst")),
        "kind": st.sampled_from(KINDS),
        "infiniband": st.sampled_from((0.0, 1.0)),
        "from_infiniband": st.sampled_from((0.0, 1.0)),
        "gpu_link": st.sampled_from(("nvlink", "pcie", None)),
        "from_gpu_link": st.sampled_from(("nvlink", "pcie", None)),
        "stay": st.just(False),
    }
)


def sized(row: dict[str, Any], speed: float, busy: float, job: float) -> Row:
    jobs = max(1.0, min(job, row["vms"] * row["k0"]))
    fewest = {"queue": 1, "stream": min(2, row["vms"]), "seat": row["vms"]}[row["shape"]]
    more = {"speed": speed, "utilisation": busy, "job_gpus": jobs, "min_vms": float(fewest), "gpus": row["units"]}
    table = Table.of({name: [value] for name, value in (row | more).items()})
    return Row(add_sizing(table, values_with()), 0)


speeds = st.floats(0.05, 50.0)


@arithmetic
@given(row=candidates, speed=speeds, low=shares, high=shares, job=st.floats(1.0, 64.0))
def test_a_larger_load_never_lowers_the_count(
    row: dict[str, Any], speed: float, low: float, high: float, job: float
) -> None:
    low, high = sorted((low, high))
    assert sized(row, speed, low, job)["n"] <= sized(row, speed, high, job)["n"]
    assert sized(row, speed, high, job)["n"] <= sized(row, speed, np.nan, job)["n"]


@arithmetic
@given(row=candidates, slow=speeds, fast=speeds, busy=st.one_of(st.just(np.nan), shares), job=st.floats(1.0, 64.0))
def test_a_faster_gpu_never_raises_count_or_hours(
    row: dict[str, Any], slow: float, fast: float, busy: float, job: float
) -> None:
    slow, fast = sorted((slow, fast))
    before, after = sized(row, slow, busy, job), sized(row, fast, busy, job)
    assert after["n"] <= before["n"]
    assert after["hours"] <= before["hours"] * (1 + 1e-9)


@fresh
@given(ratio=st.floats(0.5, 20.0), faster=st.floats(1.0, 5.0), kind=st.sampled_from(("training", "inference")))
def test_a_faster_measurement_never_costs_more(ratio: float, faster: float, kind: str) -> None:
    row = {"size": "NC6s_v3", "count": 6, "region": "westeurope"}
    before = pool_of(row, workload=kind, measured={("V100 PCIe 16GB", "T4"): ratio})
    after = pool_of(row, workload=kind, measured={("V100 PCIe 16GB", "T4"): ratio * faster})
    first, second = (next(o for o in p.options if o.size == "Standard_NC4as_T4_v3") for p in (before, after))
    assert second.vms <= first.vms
    assert second.monthly_cost <= first.monthly_cost * (1 + 1e-9)


# Prices


def with_prices(factor: float, chosen: Option) -> World:
    """The shipped world with every price of one option's size in its region times `factor`."""
    world = shipped.world()
    book = world.quotes.book
    prices: dict[Any, Price] = {
        key: replace(price, hourly_price=price.hourly_price * factor)
        if key[:2] == (chosen.size, chosen.region)
        else price
        for key, price in book.prices.items()
    }
    return world.with_quotes(Quotes(replace(book, prices=prices), world.catalogue))


@fresh
@given(
    factor=st.floats(0.05, 0.99),
    place=st.integers(0, 40),
    size=st.sampled_from(("NC6", "NC6s_v3", "NC24ads_A100_v4", "NV12s_v3")),
)
def test_a_cheaper_price_never_ranks_a_size_lower(factor: float, place: int, size: str) -> None:
    row = {"size": size, "count": 6, "region": "westeurope"}
    before = pool_of(row)
    chosen = before.options[place % len(before.options)]
    after = {option.size: option.rank for option in pool_of(row, with_prices(factor, chosen)).options}
    assert after[chosen.size] <= chosen.rank


# Unknown never passes

#: Each fact of a size with the code that refuses it when nobody knows it, or the rule that must say unknown.
FACTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"gpu": None}, "unknown-gpu"),
    ({"gpus": None, "gpu_memory_total_gib": None}, "unknown-gpu"),
    ({"gpu_memory_gib": None, "gpu_memory_total_gib": None}, "unknown-gpu-memory"),
    ({"rdma": None}, "infiniband-lost"),
    ({"generations": None}, "generation-target-unknown"),
    ({"temp_disk_gib": None}, "temp-disk-linux"),
    ({"max_data_disks": None}, "data-disks-limit-unknown"),
    ({"vcpus": None}, "quota"),
    ({"family_quota": None}, "quota"),
    ({"premium_storage": None}, "premium-storage"),
)


@pytest.mark.parametrize(("blank", "code"), sample(FACTS, 4), ids=lambda value: str(value)[:40])
def test_a_fact_that_is_unknown_is_told(blank: dict[str, Any], code: str) -> None:
    world = shipped.world()
    name = "Standard_NC96ads_A100_v4"
    target = replace(world.catalogue.sizes[name], **blank)
    catalogue = replace(world.catalogue, sizes={**world.catalogue.sizes, name: target})
    blind = World(catalogue, Quotes(world.quotes.book, catalogue))
    row = {"size": "NC24rs_v3", "count": 2, "region": "southcentralus", "premium_disks": True}
    pool = pool_of(row, blind, workload="training")
    refused = {reason.code for entry in pool.rejected if entry.size == name for reason in entry.reasons}
    unknown = {
        rule.code: rule
        for option in pool.options
        if option.size == name
        for rule in option.rules
        if rule.severity == "unknown"
    }
    assert code in refused | set(unknown)
    if code in unknown:
        assert unknown[code].question


def test_an_unknown_lifecycle_is_refused() -> None:
    world = shipped.world()
    name = "Standard_NC96ads_A100_v4"
    silent = replace(world.catalogue, events=tuple(e for e in world.catalogue.events if e.size != name))
    pool = pool_of(
        {"size": "NC24rs_v3", "count": 2, "region": "eastus"}, World(silent, Quotes(world.quotes.book, silent))
    )
    assert "unknown-lifecycle" in {r.code for e in pool.rejected if e.size == name for r in e.reasons}


def test_an_unknown_price_is_refused() -> None:
    world = shipped.world()
    name = "Standard_NC96ads_A100_v4"  # documented in southcentralus, so that only the price is missing
    prices = {key: price for key, price in world.quotes.book.prices.items() if key[0] != name}
    blind = world.with_quotes(Quotes(replace(world.quotes.book, prices=prices), world.catalogue))
    pool = pool_of({"size": "NC24rs_v3", "count": 2, "region": "southcentralus"}, blind)
    assert {r.code for e in pool.rejected if e.size == name for r in e.reasons} == {"unknown-price"}
