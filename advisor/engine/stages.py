"""The stages in a row: readings to pools to candidates to a ranking. Each stage adds columns; none reaches back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.baseline import add_baseline
from advisor.engine.candidates import World, add_months, make_candidates
from advisor.engine.fact_grid import FactGrid, fact_grid
from advisor.engine.held_use import HeldUse, share_out
from advisor.engine.money import DAYS_PER_MONTH, add_money, has_dev_offer, licence_is_free
from advisor.engine.pools import make_pools
from advisor.engine.ranking import add_rank
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import DECIDING
from advisor.engine.rules import Judged, effort, judge, rejects
from advisor.engine.sizing import add_sizing
from advisor.engine.stranded import add_stranded
from advisor.engine.variants import BASE, with_variants


@dataclass(frozen=True, kw_only=True)
class Stages:
    """The tables behind an advice: pools and their variants, all candidates with what was judged, and the ranking."""

    pools: pd.DataFrame
    variants: pd.DataFrame
    candidates: pd.DataFrame
    judged: Judged
    ranked: pd.DataFrame
    held: HeldUse
    facts: FactGrid  # what rules read beside the candidates


def run_stages(readings: Sequence[Reading], world: World, request: AdviceRequest) -> Stages | None:
    """Every stage in a row; None when no file has a GPU row of the pools asked for."""
    pools = make_pools(readings, world.catalogue, request)
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    held = share_out(request.held, pools, world, request, assume["refund_cap"])  # over all pools, also with `only`
    if request.only and not pools.empty:
        pools = pools.loc[pools["id"].isin(request.only)].reset_index(drop=True)
    if pools.empty:
        return None
    pools = add_baseline(pools, world, request)
    variants = with_variants(pools, world, request)
    candidates = add_sizing(make_candidates(variants, world, request), assume)
    candidates = _with_licences(candidates, assume)
    candidates = _with_dates(candidates, request, assume)
    facts = fact_grid(variants, world.platform, world.index)
    judged = judge(DECIDING, candidates, len(world.sizes), facts)
    out = _rejected(judged)
    candidates = candidates.assign(verdict=verdicts(candidates, judged), rejected=out)
    candidates = add_stranded(_with_once(candidates), list(variants["id"]), held, world, request, assume)
    candidates = add_money(candidates, request.price_model, request.horizon_months, assume)
    of_pools = (variants["variant"] == BASE).to_numpy()  # only these are put in words
    candidates = candidates.assign(nearest_smaller=pd.Series(_nearest_smaller(candidates, of_pools), dtype=object))
    fit = candidates.loc[~out & candidates["tco"].notna()]
    return Stages(
        pools=pools,
        variants=variants,
        candidates=candidates,
        judged=judged,
        ranked=add_rank(fit.assign(row=fit.index), request.strategy),
        held=held,
        facts=facts,
    )


def _with_dates(c: pd.DataFrame, request: AdviceRequest, assume: dict[str, float]) -> pd.DataFrame:
    """Add the day of the advice, the end of the horizon and the constants that rules compare with.

    A stay is judged by the newest Microsoft page, a target by the earliest date that any source gives.
    """
    horizon = add_months(request.as_of, request.horizon_months).toordinal()
    ends = c["own_ends"].where(c["stay"], c["ends"])
    return c.assign(
        as_of_day=float(request.as_of.toordinal()),
        as_of_year=float(request.as_of.year),
        horizon_day=float(horizon),
        ends=ends,
        short_lived=ends <= horizon,
        seat_slack=assume["seat_slack"],
        job_slack=assume["job_slack"],
        slowest_job=assume["slowest_job"],
        basis=request.price_model,
        asked_for=c["target"].isin(request.include),
        host_floor=assume["host_floor"],
        oversized_factor=assume["oversized_factor"],
    )


def _with_licences(c: pd.DataFrame, assume: dict[str, float]) -> pd.DataFrame:
    """Add grid_month, and take the Windows licence out where it costs nothing.

    GRID is counted unless a page says that the series includes it. Whoever stays with graphics on a series without it
    owns the licence already, so that only a known price counts.
    """
    grid = assume["grid_licence"]
    needs = ((c["kind"] == "graphics") & (c["vendor"] == "nvidia") & ~(c["grid_included"] == 1)).to_numpy()
    stay = c["stay"].to_numpy(dtype=bool)
    kind = c["kind"].to_numpy(dtype=object)
    free = licence_is_free(kind, assume)
    return c.assign(
        grid_month=np.where(needs, np.where(stay & np.isnan(grid), 0.0, grid), 0.0),
        grid_price=grid,
        hourly_licence=np.where(free, 0.0, c["hourly_licence"].to_numpy(dtype=float)),
        licence_free=np.broadcast_to(free, len(c)),
        dev_offer=np.broadcast_to(has_dev_offer(kind, assume), len(c)),
    )


def _with_once(c: pd.DataFrame) -> pd.DataFrame:
    """Add what is paid once: a second forced move where the size ends inside the horizon, data that goes far."""
    ends, today = c["ends"].to_numpy(dtype=float), c["as_of_day"].to_numpy(dtype=float)
    inside = (ends > today) & (ends <= c["horizon_day"].to_numpy(dtype=float))
    return c.assign(
        second_at=np.where(inside, (ends - today) / DAYS_PER_MONTH, np.nan),
        goes_far=(c["region"] != c["from_region"]).to_numpy(),
    )


def _nearest_smaller(c: pd.DataFrame, of_pools: Any) -> Any:
    """For each candidate the rankable size of its pool that comes nearest below it in work per VM, None if none does.

    Ties: the cheapest. Variants that are not `of_pools` have none.
    """
    power, tco = (c[name].to_numpy(dtype=float) for name in ("replaces", "tco"))
    fit = ~c["rejected"].to_numpy(dtype=bool) & ~np.isnan(tco) & ~np.isnan(power)
    names, pools = c["target"].to_numpy(dtype=object), c["pool_index"].to_numpy()
    nearest = np.full(len(c), None, dtype=object)
    fitting = np.flatnonzero(fit & of_pools[pools])
    for rows in np.split(fitting, np.flatnonzero(np.diff(pools[fitting])) + 1):
        ordered = rows[np.lexsort((-tco[rows], power[rows]))]
        below = np.searchsorted(power[ordered] * (1 + 1e-9), power[ordered]) - 1
        nearest[ordered[below >= 0]] = names[ordered[below[below >= 0]]]
    return nearest


def verdicts(candidates: pd.DataFrame, judged: Judged) -> Any:
    """What the move to each candidate takes, 0 to 4 as money.VERDICTS; nothing on a stay."""
    return np.where(candidates["stay"].to_numpy(dtype=bool), 0, effort(DECIDING, judged))


def _rejected(judged: Judged) -> Any:
    out = rejects(DECIDING[0], judged)
    for rule in DECIDING[1:]:
        out = out | rejects(rule, judged)
    return out
