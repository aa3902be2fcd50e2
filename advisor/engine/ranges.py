"""Ranges: how far the cost of ownership may be off, and how sure the first choice is (design 4.6, docs/adr/0011).

The formulas are those of the answer, `size_up` and `ownership`, with an axis of draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.answer import Spread
from advisor.engine.candidates import speed_kind
from advisor.engine.draws import BETWEEN_ENDS, DRAWS, draw, spread
from advisor.engine.money import money_facts, ownership, total
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import COMMITMENTS
from advisor.engine.request import AdviceRequest
from advisor.engine.sizing import size_up, work_facts

Numbers = np.ndarray[Any, Any]
#: Amounts that differ by less are the same.
CENT = 0.005
#: Options of a pool that have a range, from the first.
RANGED = 12
#: Rows worked on at once: 1,000 draws of each fit into a processor's cache.
_BLOCK = 48
#: Places of the quantiles 10, 50 and 90 % among sorted draws.
_PLACES = (DRAWS // 10 - 1, DRAWS // 2 - 1, DRAWS * 9 // 10 - 1)


#: What of a pool the draws look at.
_OF_POOL = ("id", "hours_basis", "pattern", "hours_per_vm_month", "retired", "reference_parts", "reference_tco")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """What the draws say; keyed by the row of the ranked table, and by the place of the pool."""

    tco: Mapping[int, Spread] = field(default_factory=dict)
    chance_first: Mapping[int, float] = field(default_factory=dict)
    chance_saves: Mapping[int, float] = field(default_factory=dict)  # that the first option costs less than today
    total: Spread | None = None  # of the first options of all pools whose cost today is known
    saving: Spread | None = None  # of today's cost less that


@dataclass(frozen=True, kw_only=True)
class _Worlds:
    """What varies, for some rows: factors with one row each (or one for all) and an axis of draws."""

    speed: Numbers
    hours: Numbers
    price: Numbers
    labour: Numbers


def ranges(
    ranked: pd.DataFrame,
    pools: pd.DataFrame,
    places: Sequence[range],
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> Ranges:
    """Ranges of the first options of each pool; `places` are the rows of each pool in the `ranked` table.

    `pools` stand in the order of `places`; money, also that of `assume`, is in the book's currency.
    """
    firsts = [place[:RANGED] for place in places]
    tco: dict[int, Spread] = {}
    chance: dict[int, float] = {}
    saves: dict[int, float] = {}
    known = np.zeros(DRAWS)
    today = np.zeros(DRAWS)
    counted = False
    facts: list[dict[Any, Any]] = pools[list(_OF_POOL)].to_dict("records")
    for block in _blocks(firsts):
        rows = np.concatenate([np.arange(firsts[i].start, firsts[i].stop) for i in block])
        outcome = _outcome(ranked.iloc[rows], [facts[i] for i in block for _ in firsts[i]], request, assume)
        sorted_draws = np.partition(outcome, _PLACES, axis=1)[:, _PLACES]
        tco |= {int(r): Spread(p10=q[0], p50=q[1], p90=q[2]) for r, q in zip(rows, sorted_draws.tolist(), strict=True)}
        start = 0
        for i in block:
            part = outcome[start : start + len(firsts[i])]
            start += len(firsts[i])
            own = ranked.iloc[firsts[i].start : firsts[i].stop]
            chance |= dict(zip(firsts[i], _chances(own, part), strict=True))
            if np.isfinite(facts[i]["reference_tco"]):
                reference = _reference(facts[i], own, request, assume)
                saves[i] = float(np.mean(reference - part[0] > CENT))
                known, today, counted = known + part[0], today + reference, True
    return Ranges(
        tco=tco,
        chance_first=chance,
        chance_saves=saves,
        total=_spread(known) if counted else None,
        saving=_spread(today - known) if counted else None,
    )


def _blocks(firsts: Sequence[range]) -> Iterator[list[int]]:
    """Pools with options, so many at a time that their rows fit."""
    block: list[int] = []
    size = 0
    for i, place in enumerate(firsts):
        if not place:
            continue
        if block and size + len(place) > _BLOCK:
            yield block
            block, size = [], 0
        block.append(i)
        size += len(place)
    if block:
        yield block


def _spread(values: Numbers) -> Spread:
    p10, p50, p90 = np.partition(values, _PLACES)[list(_PLACES)].tolist()
    return Spread(p10=p10, p50=p50, p90=p90)


def _outcome(
    rows: pd.DataFrame, pools: Sequence[Mapping[Any, Any]], request: AdviceRequest, assume: Mapping[str, float]
) -> Numbers:
    """Cost of ownership of every row in every world."""
    worlds = _worlds(rows, pools, request, assume)
    return evaluate(rows, worlds.speed, worlds.hours, worlds.price, worlds.labour, request, assume)


def evaluate(
    rows: pd.DataFrame,
    speed: Numbers,
    hours: Numbers,
    price: Numbers,
    labour: Numbers,
    request: AdviceRequest,
    assume: Mapping[str, Any],
    **facts: Numbers,
) -> Numbers:
    """Cost of ownership of every row in every world: `speed` as drawn, the others as factors; `facts` are laid over."""
    work = {name: values[:, None] for name, values in work_facts(rows, assume).items()} | facts
    sized = size_up(work, assume, speed=speed, busier=hours)
    money = {name: values[:, None] for name, values in money_facts(rows).items()}
    parts = ownership(
        money,
        sized["n"],
        sized["hours"],
        request.price_model,
        request.horizon_months,
        assume,
        price=price,
        labour=labour,
    )
    return np.asarray(total(parts))


def _worlds(
    rows: pd.DataFrame, pools: Sequence[Mapping[Any, Any]], request: AdviceRequest, assume: Mapping[str, float]
) -> _Worlds:
    """One draw per GPU and kind of work, the source's shared by all options; one per GPU for prices, one per pool for
    hours, one for labour."""
    columns = ("kind", "shape", "precision", "gpu", "share", "from_gpu", "from_share")
    speed = rows["speed"].to_numpy(dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        sigma = (
            np.log(rows["speed_high"].to_numpy(dtype=float) / rows["speed_low"].to_numpy(dtype=float)) / BETWEEN_ENDS
        )
    errors = [
        draw("speed", speed_kind(kind, shape, precision), str(gpu), f"{share:.4f}")
        - draw("speed", speed_kind(kind, shape, precision), str(own), f"{own_share:.4f}")
        for kind, shape, precision, gpu, share, own, own_share in zip(*(rows[c] for c in columns), strict=True)
    ]
    fixed = request.price_model in COMMITMENTS
    return _Worlds(
        speed=speed[:, None] * np.exp(sigma[:, None] * np.array(errors) / np.sqrt(2)),
        hours=np.array([_hours(pool, assume) for pool in pools]),
        price=np.ones((len(rows), 1)) if fixed else np.array([_price(str(gpu), assume) for gpu in rows["gpu"]]),
        labour=_labour(assume)[None, :],
    )


def _hours(pool: Mapping[Any, Any], assume: Mapping[str, float]) -> Numbers:
    share = assume["range_hours_assumed" if pool["hours_basis"] == "assumed" else "range_hours"]
    return np.exp(spread(share) * draw("hours", pool["id"]))


def _price(gpu: str, assume: Mapping[str, float]) -> Numbers:
    return np.exp(spread(assume["range_price"]) * draw("price", gpu))


def _labour(assume: Mapping[str, float]) -> Numbers:
    return np.exp(spread(assume["range_labour"]) * draw("labour"))


def _chances(options: pd.DataFrame, outcome: Numbers) -> list[float]:
    """The share of worlds in which each option is the cheapest.

    Of options with the same GPU only the one that costs least is in the race: more money for the same GPU is never
    first. One that ends inside the horizon is in it only when it leads the ranking.
    """
    gpus = list(zip(options["gpu"], options["share"], strict=True))
    expected = options["tco"].tolist()
    late = options["short_lived"].tolist()
    late[0] = False
    in_race = np.zeros(len(gpus), dtype=bool)
    seen: set[Any] = set()
    for i in sorted(range(len(gpus)), key=lambda i: expected[i]):
        if not late[i] and gpus[i] not in seen:
            in_race[i] = True
            seen.add(gpus[i])
    winner = np.argmin(np.where(in_race[:, None], outcome, np.inf), axis=0)
    return [float(won) / outcome.shape[1] for won in np.bincount(winner, minlength=len(gpus))]


def _reference(
    pool: Mapping[Any, Any], options: pd.DataFrame, request: AdviceRequest, assume: Mapping[str, float]
) -> Numbers:
    """Today's cost of ownership in every world: hours, prices and labour vary as for the options."""
    parts = pool["reference_parts"]
    machines = parts["compute"] + parts["windows_licence"]
    each = pool["hours_per_vm_month"]
    steady = pool["pattern"] == "steady" or each <= 0
    hours = 1.0 if steady else np.minimum(each * _hours(pool, assume), HOURS_PER_MONTH) / each
    fixed = pool["retired"] or request.price_model in COMMITMENTS
    price = 1.0 if fixed else _price(str(options["from_gpu"].iloc[0]), assume)
    rest = pool["reference_tco"] - machines - parts["operations"]
    return np.asarray(machines * hours * price + parts["operations"] * _labour(assume) + rest)
