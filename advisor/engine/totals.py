"""Totals of an advice: sums over the pools whose baseline and recommendation are both known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.engine.answer import PoolAdvice, Totals
from advisor.engine.ranges import Ranges


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum, or None when there is nothing to add or a value is unknown."""
    known = list(values)
    return None if not known or any(v is None for v in known) else float(sum(v for v in known if v is not None))


def total(pools: Sequence[PoolAdvice], ranges: Ranges) -> Totals:
    """Sums over the same pools on both sides; the pools left out are counted and named."""
    priced = [pool for pool in pools if pool.options and pool.baseline.monthly_cost is not None]
    ids = {pool.id for pool in priced}
    unpriced = tuple(pool.id for pool in pools if pool.id not in ids)
    firsts = [pool.options[0] for pool in priced]
    return Totals(
        vms=sum(pool.vms for pool in pools),
        gpus=_sum(pool.gpus for pool in pools),
        cost_now_monthly=_sum(pool.baseline.cost_now for pool in priced),
        baseline_monthly_cost=_sum(pool.baseline.monthly_cost for pool in priced),
        recommended_monthly_cost=_sum(option.monthly_cost for option in firsts),
        baseline_tco=_sum(pool.baseline.tco for pool in priced),
        recommended_tco=_sum(option.tco.expected for option in firsts),
        baseline_gpu_hours=_sum(pool.gpu_hours_per_month for pool in priced),
        recommended_gpu_hours=_sum(option.gpu_hours_per_month for option in firsts),
        unpriced_pools=len(unpriced),
        unpriced_pool_ids=unpriced,
        recommended_tco_range=ranges.total,
        saving_range=ranges.saving,
    )
