"""What an answer says of commitments: the plan for the first option of a pool, the cost of waiting, what is unused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.engine.candidates import World
from advisor.engine.commitment_answer import CommitmentPlan, HeldUnused, PoolCommitments
from advisor.engine.commitment_plan import PlannedWork, plan_commitments
from advisor.engine.held_use import HeldUse
from advisor.engine.request import AdviceRequest
from advisor.engine.waiting import waiting_of
from advisor.engine.words import Row, day_of


def pool_commitments(
    pool: Mapping[Any, Any],
    first: Row | None,
    use: HeldUse,
    world: World,
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> PoolCommitments:
    """The plan for the option `first` of a pool, and what a month of waiting costs; None: nothing can be ranked."""
    plan = None if first is None else option_plan(pool, first, world, request, assume)
    held = (share.held for share in use.shares.get(pool["id"], ()))
    return PoolCommitments(plan=plan, waiting=waiting_of(pool, plan, held, world, request))


def option_plan(
    pool: Mapping[Any, Any], row: Row, world: World, request: AdviceRequest, assume: Mapping[str, float]
) -> CommitmentPlan | None:
    """The plan for one ranked option of a pool."""
    if row["region"] is None:
        return None
    work = PlannedWork(
        size=row["target"],
        region=row["region"],
        os=pool["os"],
        ends=day_of(row["ends"]),
        vms=round(row["n"]),
        hours=float(row["hours"]),
        pattern=pool["pattern"],
        shape=pool["shape"],
        interruptible=bool(pool["interruptible"]),
        hours_assumed=pool["hours_basis"] == "assumed",
        licence_free=bool(row["licence_free"]),
    )
    return plan_commitments(work, world, request, assume)


def unused(use: HeldUse) -> tuple[HeldUnused, ...]:
    """What no pool of the fleet uses, in the order in which the orders end."""
    return tuple(
        HeldUnused(
            order=one.held.order,
            kind=one.held.kind,
            size=one.held.size,
            region=one.held.region,
            units=one.units,
            why=one.why,
        )
        for one in use.unused
    )
