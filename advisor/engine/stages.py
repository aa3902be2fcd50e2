"""The stages in a row: readings to pools to candidates to a ranking. Each stage adds columns; none reaches back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.baseline import add_baseline
from advisor.engine.candidates import World, add_months, make_candidates
from advisor.engine.fact_grid import fact_columns
from advisor.engine.held_use import HeldUse, share_out
from advisor.engine.money import DAYS_PER_MONTH, add_money, has_dev_offer, licence_is_free
from advisor.engine.pools import Pool, make_pools
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

    pools: Sequence[Pool]
    variants: Table
    candidates: Table
    judged: Judged
    ranked: Table
    held: HeldUse


def run_stages(readings: Sequence[Reading], world: World, request: AdviceRequest) -> Stages | None:
    """Every stage in a row; None when no file has a GPU row of the pools asked for."""
    pools = make_pools(readings, world.catalogue, request)
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    held = share_out(request.held, pools, world, request, assume["refund_cap"])  # over all pools, also with `only`
    if request.only:
        pools = [pool for pool in pools if pool["id"] in request.only]
    if not pools:
        return None
    pools = add_baseline(pools, world, request)
    variants = with_variants(pools, world, request)
    candidates = add_sizing(make_candidates(variants, world, request), assume)
    candidates = _with_licences(candidates, assume)
    candidates = _with_dates(candidates, request, assume)
    candidates = candidates.with_columns(**fact_columns(variants, world.platform, world.index))
    judged = judge(DECIDING, candidates)
    out = np.broadcast_to(_rejected(judged), candidates.shape)
    candidates = candidates.with_columns(verdict=verdicts(candidates, judged), rejected=out)
    candidates = add_stranded(_with_once(candidates), variants.flat("id").tolist(), held, world, request, assume)
    candidates = add_money(candidates, request.price_model, request.horizon_months, assume)
    of_pools = (variants.flat("variant") == BASE).astype(bool)  # only these are put in words
    fit = np.flatnonzero(~out & ~np.isnan(candidates["tco"]))
    candidates = candidates.with_columns(nearest_smaller=_nearest_smaller(candidates, fit, of_pools))
    return Stages(
        pools=pools,
        variants=variants,
        candidates=candidates,
        judged=judged,
        ranked=add_rank(candidates.take(fit).with_columns(row=fit), request.strategy, of_pools),
        held=held,
    )


def _with_dates(c: Table, request: AdviceRequest, assume: dict[str, float]) -> Table:
    """Add the day of the advice, the end of the horizon and the constants that rules compare with.

    A stay is judged by the newest Microsoft page, a target by the earliest date that any source gives.
    """
    horizon = add_months(request.as_of, request.horizon_months).toordinal()
    ends = np.where(c["stay"], c["own_ends"], c["ends"])
    return c.with_columns(
        as_of_day=float(request.as_of.toordinal()),
        as_of_year=float(request.as_of.year),
        horizon_day=float(horizon),
        ends=ends,
        short_lived=ends <= horizon,
        seat_slack=assume["seat_slack"],
        job_slack=assume["job_slack"],
        slowest_job=assume["slowest_job"],
        basis=np.array(request.price_model, dtype=object),
        asked_for=np.array([[name in request.include for name in c["target"][0]]]),
        host_floor=assume["host_floor"],
        oversized_factor=assume["oversized_factor"],
    )


def _with_licences(c: Table, assume: dict[str, float]) -> Table:
    """Add grid_month, and take the Windows licence out where it costs nothing.

    GRID is counted unless a page says that the series includes it. Whoever stays with graphics on a series without it
    owns the licence already, so that only a known price counts.
    """
    grid = assume["grid_licence"]
    graphics, nvidia = (c["kind"] == "graphics").astype(bool), (c["vendor"] == "nvidia").astype(bool)
    needs = graphics & nvidia & ~(c["grid_included"] == 1)
    owned = c["stay"] & np.isnan(grid)
    free = np.asarray(licence_is_free(c["kind"], assume), dtype=bool)
    return c.with_columns(
        grid_month=np.where(needs, np.where(owned, 0.0, grid), 0.0),
        grid_price=grid,
        hourly_licence=np.where(free, 0.0, c["hourly_licence"]),
        licence_free=free,
        dev_offer=np.asarray(has_dev_offer(c["kind"], assume), dtype=bool),
    )


def _with_once(c: Table) -> Table:
    """Add what is paid once: a second forced move where the size ends inside the horizon, data that goes far."""
    ends, today = c["ends"], c["as_of_day"]
    inside = (ends > today) & (ends <= c["horizon_day"])
    return c.with_columns(
        second_at=np.where(inside, (ends - today) / DAYS_PER_MONTH, np.nan),
    )


def _nearest_smaller(c: Table, fit: Any, of_pools: Any) -> Any:
    """For each candidate the rankable size of its pool that comes nearest below it in work per VM, None if none does.

    `fit` are the entries that can be ranked. Ties: the cheapest. Variants that are not `of_pools` have none.
    """
    power, tco = c.flat("replaces"), c.flat("tco")
    names = c["target"][0]
    nearest = np.full(len(c), None, dtype=object)
    fitting = fit[of_pools[fit // len(names)]]
    for rows in np.split(fitting, np.flatnonzero(np.diff(fitting // len(names))) + 1):
        ordered = rows[np.lexsort((-tco[rows], power[rows]))]
        below = np.searchsorted(power[ordered] * (1 + 1e-9), power[ordered]) - 1
        nearest[ordered[below >= 0]] = names[ordered[below[below >= 0]] % len(names)]
    return nearest


def verdicts(candidates: Table, judged: Judged) -> Any:
    """What the move to each candidate takes, 0 to 4 as money.VERDICTS; nothing on a stay."""
    return np.where(candidates["stay"], 0, effort(DECIDING, judged))


def _rejected(judged: Judged) -> Any:
    out = rejects(DECIDING[0], judged)
    for rule in DECIDING[1:]:
        out = out | rejects(rule, judged)
    return out
