"""What a move strands: the part of held commitments that is paid on and neither used, exchanged nor refunded.

Every way that Azure allows has a loss, a share of the value that is put through it, and a limit. What is left of an
order goes through the ways with the least loss first, in whole VMs; what no way takes is lost. For one order:

    keep       loss: the time after which the size has ended        limit: VMs of the target over the size ratio
    exchange   loss: what the new reservation costs beyond its use  limit: commitment of all VMs of the target
    trade-in   likewise for a savings plan of the target            limit: likewise, VMs that are not yet committed
    refund     loss: the fee                                        limit: the pool's part of the refund cap

A savings plan loses what the target's machines cost less an hour under a plan than the pool used of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.candidates import World
from advisor.engine.commitment_answer import StrandedPart
from advisor.engine.held_rules import WAYS
from advisor.engine.held_use import HeldUse, Share
from advisor.engine.held_ways import COLUMNS, PLAN_WAYS, RESERVATION_WAYS, SLACK, Ways
from advisor.engine.request import AdviceRequest

Numbers = np.ndarray[Any, Any]


def add_stranded(
    candidates: Table,
    ids: Sequence[str],
    use: HeldUse,
    world: World,
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> Table:
    """Add `stranded`: money lost once by moving, in the book's currency; 0 where nothing is held, NaN unknown.

    `ids` are the pool ids of the rows that `pool_index` counts. Reads the columns of make_candidates and add_sizing,
    and `ends`. It is what is left on the day, not discounted.
    """
    pools = np.array([pool in use.shares for pool in ids], dtype=bool)
    lost = np.zeros(len(candidates) if pools.any() else 1)
    if pools.any():
        number = len(world.sizes)
        rows = np.flatnonzero(np.repeat(pools, number))
        owners = [pool for pool in ids if pool in use.shares]
        arrays = {name: candidates.flat(name) for name in COLUMNS}
        told = Ways(arrays, rows, owners, np.full(len(owners), number), use, world, request, assume)
        for place in range(max(len(use.shares[pool]) for pool in owners)):
            lost[rows] += told.settle(place).lost.sum(axis=0)
    spread = lost.reshape(candidates.shape) if pools.any() else lost[:, None]
    return candidates.with_columns(stranded=np.where(np.isnan(candidates["n"]), np.nan, spread))


def stranded_parts(
    options: Table,
    owners: Sequence[str],
    use: HeldUse,
    world: World,
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> list[tuple[StrandedPart, ...]]:
    """How the figure of `add_stranded` comes about for each of `options`; empty where the pool holds nothing.

    `options` are rows of the candidates, pool by pool, `owners` the pool id of each. The lost money of the parts adds
    up to `stranded`.
    """
    found: list[list[StrandedPart]] = [[] for _ in owners]
    rows = np.array([row for row, pool in enumerate(owners) if pool in use.shares], dtype=int)
    if not rows.size:
        return [()] * len(owners)
    groups = [(pool, len(list(same))) for pool, same in groupby(owners[row] for row in rows)]
    arrays = {name: options.flat(name) for name in COLUMNS}
    pools, counts = [pool for pool, _ in groups], np.array([count for _, count in groups])
    told = Ways(arrays, rows, pools, counts, use, world, request, assume)
    fee, currency = assume["refund_fee"], world.quotes.book.currency
    for place in range(max(len(use.shares[pool]) for pool in pools)):
        settled = told.settle(place)
        for at, row in enumerate(rows):
            shares = use.shares[owners[row]]
            if place < len(shares):
                found[row].extend(_parts(shares[place], settled.units[:, at], settled.lost[:, at], fee, currency))
    return [tuple(parts) for parts in found]


def _parts(share: Share, units: Numbers, lost: Numbers, fee: float, currency: str) -> Iterator[StrandedPart]:
    """The parts of one order for one option, by way."""
    if np.isnan(lost).any():
        yield _unknown(share, fee, currency)
        return
    codes = RESERVATION_WAYS if share.held.kind == "reservation" else PLAN_WAYS
    for way in np.flatnonzero(units > SLACK):
        yield _part(share, codes[way], float(units[way]), float(lost[way]), fee, currency)


def _unknown(share: Share, fee: float, currency: str) -> StrandedPart:
    code = "value_unknown" if share.held.kind == "reservation" else "plan_unknown"
    return _part(share, code, share.units, np.nan, fee, currency)


def _part(share: Share, code: str, units: float, lost: float, fee: float, currency: str) -> StrandedPart:
    remaining = units * share.value
    way = WAYS[code]
    years = code[-2] if code[-1] == "y" else ""
    return StrandedPart(
        order=share.held.order,
        kind=share.held.kind,
        way=code,
        units=units,
        remaining=None if np.isnan(remaining) else remaining,
        returned=None if np.isnan(remaining) or np.isnan(lost) else remaining - lost,
        lost=None if np.isnan(lost) else lost,
        message=way.message.format(units=units, years=years, fee=fee, currency=currency),
        note=share.note,
        sources=way.sources,
    )
