"""The cost of a month of waiting, and the days that pass in it."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from advisor.engine.candidates import World
from advisor.engine.commitment_answer import CommitmentPlan, PlanCost, PlannedMachines, Waiting
from advisor.engine.held import HeldCommitment
from advisor.engine.ledger import status_at
from advisor.engine.waiting import waiting_of
from tests.factories import AS_OF, make_request

COST = PlanCost(monthly_cost=562.0, present_value=0.0, expected=0.0)


def plan(size: str = "Standard_NC4as_T4_v3", model: str = "payg") -> CommitmentPlan:
    row = PlannedMachines(
        price_model=model,
        vms=1,
        hours_per_month=730.0,
        hourly_price=1.0,
        monthly_cost=562.0,
        committed=0.0,
        estimated=False,
        source="",
        note="",
    )
    return CommitmentPlan(
        size=size,
        region="westeurope",
        machines=(row,),
        plan=COST,
        all_payg=COST,
        all_3y=None,
        all_3y_model=None,
        committed=0.0,
        not_offered=(),
        uncertain=(),
    )


def wait(world: World, *held: HeldCommitment, as_of: date = AS_OF, **values: Any) -> Waiting:
    size = values.pop("size", "Standard_NC6s_v3")
    pool = {"size": size, "cost_now": 3000.0, "retired": False}
    pool["status"] = status_at(world.catalogue, size, "westeurope", as_of)
    what = values.pop("what", plan())
    return waiting_of(pool | values, what, held, world, make_request(as_of=as_of))


def reservation(**values: Any) -> HeldCommitment:
    facts = {"order": "A", "kind": "reservation", "years": 3, "ends": date(2029, 1, 1), "region": "westeurope"}
    return HeldCommitment(**facts | {"size": "Standard_NC6s_v3"} | values)


def test_a_month_of_waiting_is_what_is_billed_less_the_plan(world: World) -> None:
    # 3,000.00 - 562.00
    assert wait(world).monthly_cost == pytest.approx(2_438.0)


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"retired": True}, "no longer"),
        ({"cost_now": np.nan}, "not known"),
        ({"cost_now": 0.0}, "off"),
        ({"what": None}, "no option"),
    ],
)
def test_unknown_says_why(world: World, values: dict[str, Any], word: str) -> None:
    waiting = wait(world, **values)
    assert waiting.monthly_cost is None and word in waiting.why


def dates(waiting: Waiting) -> list[tuple[str, str]]:
    return [(d.on.isoformat(), d.what) for d in waiting.dates]


def test_a_retirement_in_the_month_is_named(world: World) -> None:
    # NVv3 retires on 2026-09-30
    nv = "Standard_NV12s_v3"
    assert ("2026-09-30", "retirement") in dates(wait(world, size=nv, as_of=date(2026, 9, 15)))
    assert dates(wait(world, size=nv, as_of=date(2026, 8, 29))) == []
    assert dates(wait(world, size=nv, as_of=date(2026, 9, 30))) == []


def test_the_end_of_exchanges_is_named_where_reservations_are_held_or_planned(world: World) -> None:
    january = date(2027, 1, 15)
    assert dates(wait(world, as_of=january)) == []
    assert dates(wait(world, reservation(), as_of=january)) == [("2027-02-01", "exchange_rule")]
    assert dates(wait(world, what=plan(model="ri_3y"), as_of=january)) == [("2027-02-01", "exchange_rule")]
    assert dates(wait(world, reservation(), as_of=date(2027, 2, 1))) == []
    assert dates(wait(world, reservation(), as_of=date(2026, 12, 31))) == []  # up to 2027-01-31


def test_the_end_of_a_commitment_is_named(world: World) -> None:
    assert dates(wait(world, reservation(ends=date(2026, 12, 30)))) == [("2026-12-30", "held_ends")]


def test_the_last_day_of_a_sale_is_named(world: World) -> None:
    # NVv4 reservations were sold until 2025-11-02
    found = dates(wait(world, what=plan("Standard_NV4as_v4"), as_of=date(2025, 10, 15)))
    assert ("2025-11-02", "sale_ends") in found
