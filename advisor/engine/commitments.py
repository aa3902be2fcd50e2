"""What an answer says of commitments: the plan for the first option of a pool, the cost of waiting, what is unused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.candidates import World
from advisor.engine.commitment_answer import CommitmentPlan, HeldUnused, PoolCommitments
from advisor.engine.commitment_mix import staircase
from advisor.engine.commitment_plan import PlannedSize, Planner
from advisor.engine.held import HeldCommitment
from advisor.engine.held_use import HeldUse, paid_per_hour, share_out
from advisor.engine.pools import make_pools
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.waiting import waiting_of
from advisor.engine.words import Row, day_of


def pool_commitments(pool: Mapping[Any, Any], first: Row | None, use: HeldUse, planner: Planner) -> PoolCommitments:
    """The plan for the option `first` of a pool, and what a month of waiting costs; None: nothing can be ranked."""
    plan = None if first is None else option_plan(pool, first, planner)
    held = (share.held for share in use.shares.get(pool["id"], ()))
    return PoolCommitments(plan=plan, waiting=waiting_of(pool, plan, held, planner.world, planner.request))


def option_plan(pool: Mapping[Any, Any], row: Row, planner: Planner) -> CommitmentPlan | None:
    """The plan for one ranked option of a pool."""
    if row["region"] is None:
        return None
    target = PlannedSize(
        size=row["target"],
        region=row["region"],
        os=pool["os"],
        ends=day_of(row["ends"]),
        interruptible=bool(pool["interruptible"]),
        licence_free=bool(row["licence_free"]),
    )
    steps = staircase(pool["pattern"], pool["shape"], round(row["n"]), float(row["hours"]))
    return planner.plan(target, steps, hours_assumed=pool["hours_basis"] == "assumed")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLine:
    """One commitment of a list with what the fleet makes of it on the day; money in the price book's currency."""

    held: HeldCommitment
    state: str  # held, ended or not yet
    used: float  # by pools: VMs, or money an hour
    unused: float
    pools: tuple[str, ...]  # names, or sizes of pools without one, in the order of the table
    remaining: float | None  # all that is left of it; None unknown, 0 where it is not held
    note: str  # where its price comes from


def held_lines(
    held: Sequence[HeldCommitment], readings: Sequence[Reading], world: World, request: AdviceRequest
) -> tuple[HeldLine, ...]:
    """Each commitment with the pools that use it, in the order of the list; raises held_use.NoRate."""
    pools = make_pools(readings, world.catalogue, request)
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    use = share_out(held, pools, world, request, assume["refund_cap"])
    names = {row["id"]: row["name"] or row["size"] for row in pools}
    return tuple(_held_line(one, use, names, world, request) for one in held)


def _held_line(
    one: HeldCommitment, use: HeldUse, names: Mapping[str, str], world: World, request: AdviceRequest
) -> HeldLine:
    mine = [(pool, share) for pool, shares in use.shares.items() for share in shares if share.held is one]
    price, note = paid_per_hour(one, world.quotes, request)
    remaining = price * one.quantity * one.hours_left(request.as_of)
    on_hand = one.holds_on(request.as_of)
    return HeldLine(
        held=one,
        state="held" if on_hand else "ended" if one.ends <= request.as_of else "not yet",
        used=sum(share.units for _, share in mine),
        unused=sum(unused.units for unused in use.unused if unused.held is one),
        pools=tuple(names[pool] for pool, _ in mine),
        remaining=0.0 if not on_hand else None if np.isnan(remaining) else remaining,
        note=note,
    )
