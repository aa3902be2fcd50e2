"""Ranking: which candidates may be ranked, in which order, by which strategy (design 4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.request import Strategy

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Numbers = np.ndarray[Any, Any]
#: What the keys of each strategy stand for, most important first.
KEYS: Mapping[Strategy, tuple[str, ...]] = {
    "lowest_cost": ("cost",),
    "same_count": ("count", "cost"),
    "lowest_hourly_price": ("hourly", "cost"),
    "least_change": ("effort", "cost"),
    "fastest": ("work", "cost"),
    "longest_lived": ("life", "release", "cost"),
}
#: Columns that the keys are made of.
_READ = ("tco", "n", "vms", "hourly_price", "verdict", "replaces", "ends", "release_year")


def strategy_keys(options: Mapping[str, Any], strategy: str) -> list[Numbers]:
    """Sort keys of a strategy as KEYS names them; smaller is better. `options` are the columns they read."""
    c = {name: np.asarray(options[name], dtype=float) for name in _READ}
    tco = np.round(c["tco"], 6)
    lives = np.where(np.isnan(c["ends"]), -np.inf, -c["ends"])
    keys: dict[str, list[Numbers]] = {
        "lowest_cost": [tco],
        "same_count": [c["n"] != c["vms"], tco],
        "lowest_hourly_price": [np.round(c["hourly_price"], 9), tco],
        "least_change": [c["verdict"], tco],
        "fastest": [-np.round(c["replaces"], 9), tco],
        "longest_lived": [lives, -c["release_year"], tco],
    }
    return keys[strategy]


def order(options: Table, strategy: str) -> Numbers:
    """Row positions in the order of the ranking, pool by pool.

    A stay that retires inside the horizon comes after everything that outlives it. Ties: fewer GPUs bought, then the
    smaller VM, then the name.
    """
    keys = [
        options.flat("pool_index"),
        options.flat("short_lived"),
        *strategy_keys({name: options.flat(name) for name in _READ}, strategy),
        options.flat("gpus_bought"),
        options.flat("vcpus"),
        options.flat("target_index"),
    ]
    return np.lexsort(tuple(reversed(keys)))


def add_rank(options: Table, strategy: str, of_pools: Numbers | None = None) -> Table:
    """The rankable rows in order, with rank (1 is best) and the strategies in which a row is its pool's best.

    `of_pools` says by pool_index whose strategies are asked for; None: all. A pool of which no size needs as many VMs
    as today has no best of the same count.
    """
    ordered = options.take(order(options, strategy))
    pools = ordered.flat("pool_index")
    starts = _starts(pools)
    same = ordered.flat("n") == ordered.flat("vms")
    chosen: dict[int, list[str]] = {}
    asked = np.flatnonzero(of_pools[pools]) if of_pools is not None else np.arange(len(ordered))
    some = ordered.take(asked)
    for name in STRATEGIES:
        positions = asked[order(some, name)]
        for first in positions[_starts(pools[positions])].tolist():
            if name != "same_count" or same[first]:
                chosen.setdefault(first, []).append(name)
    strategies = np.empty(len(ordered), dtype=object)
    strategies.fill(())
    for first, names in chosen.items():
        strategies[first] = tuple(names)
    rank = np.arange(len(ordered)) - np.repeat(starts, np.diff([*starts, len(ordered)])) + 1
    return ordered.with_columns(rank=rank, strategies=strategies)


def _starts(pools: Numbers) -> Numbers:
    """Positions at which a new pool begins."""
    return np.flatnonzero(np.diff(pools, prepend=-1))
