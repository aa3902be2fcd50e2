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

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.candidates import World
from advisor.engine.commitment_answer import StrandedPart
from advisor.engine.held_rules import WAYS
from advisor.engine.held_use import HeldUse, Share
from advisor.engine.held_ways import COLUMNS, PLAN_WAYS, RESERVATION_WAYS, SLACK, Ways
from advisor.engine.request import AdviceRequest

Numbers = np.ndarray[Any, Any]


def add_stranded(
    candidates: pd.DataFrame,
    ids: Sequence[str],
    use: HeldUse,
    world: World,
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> pd.DataFrame:
    """Add `stranded`: money lost once by moving, in the book's currency; 0 where nothing is held, NaN unknown.

    `ids` are the pool ids of the rows that `pool_index` counts. Reads the columns of make_candidates and add_sizing,
    and `ends`. It is what is left on the day, not discounted.
    """
    lost = np.zeros(len(candidates))
    pools = np.array([pool in use.shares for pool in ids], dtype=bool)
    if pools.any():
        number = len(world.sizes)
        rows = np.flatnonzero(np.repeat(pools, number))
        owners = [pool for pool in ids if pool in use.shares]
        arrays = {name: candidates[name].to_numpy() for name in COLUMNS}
        told = Ways(arrays, rows, owners, number, use, world, request, assume)
        for place in range(max(len(use.shares[pool]) for pool in owners)):
            lost[rows] += told.settle(place).lost.sum(axis=0)
    return candidates.assign(stranded=np.where(np.isnan(candidates["n"].to_numpy(dtype=float)), np.nan, lost))


def stranded_parts(
    arrays: Mapping[str, Numbers],
    row: int,
    pool: str,
    use: HeldUse,
    world: World,
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> tuple[StrandedPart, ...]:
    """How the figure of `add_stranded` for one row comes about; empty where the pool holds nothing.

    `arrays` are the columns of the candidates. The parts of the lost money add up to `stranded`.
    """
    shares = use.shares.get(pool, ())
    if not shares:
        return ()
    told = Ways(arrays, np.array([row]), [pool], 1, use, world, request, assume)
    fee, currency = assume["refund_fee"], world.quotes.book.currency
    found: list[StrandedPart] = []
    for place, share in enumerate(shares):
        settled = told.settle(place)
        if np.isnan(settled.lost[:, 0]).any():
            found.append(_unknown(share, fee, currency))
            continue
        codes = RESERVATION_WAYS if share.held.kind == "reservation" else PLAN_WAYS
        found.extend(
            _part(share, code, float(units), float(lost), fee, currency)
            for code, units, lost in zip(codes, settled.units[:, 0], settled.lost[:, 0], strict=False)
            if units > SLACK
        )
    return tuple(found)


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
