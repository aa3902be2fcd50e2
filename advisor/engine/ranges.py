"""Ranges: how far the cost of ownership may be off, and how sure the first choice is (design 4.6, docs/adr/0011).

The formulas are those of the answer: `size_up` with an axis of draws, and the lines of `ownership`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from advisor.engine.answer import Spread
from advisor.engine.arrays import Table
from advisor.engine.draws import BETWEEN_ENDS, DRAWS, draw, spread
from advisor.engine.money import money_facts
from advisor.engine.money_lines import cost_lines
from advisor.engine.pools import HOURS_PER_MONTH, Pool
from advisor.engine.prices import COMMITMENTS
from advisor.engine.request import AdviceRequest
from advisor.engine.sizing import size_up, work_facts

Numbers = np.ndarray[Any, Any]
T = TypeVar("T")
#: Amounts that differ by less are the same.
CENT = 0.005
#: Options of a pool that have a range, from the first.
RANGED = 12
#: Rows worked on at once: 1,000 draws of each fit into a processor's cache.
_BLOCK = 48
#: Blocks from which a second thread pays.
_MANY = 8
#: Places of the quantiles 10, 50 and 90 % among sorted draws.
_PLACES = (DRAWS // 10 - 1, DRAWS // 2 - 1, DRAWS * 9 // 10 - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """What the draws say; keyed by the row of the ranked table, and by the place of the pool."""

    tco: Mapping[int, Spread] = field(default_factory=dict)
    chance_first: Mapping[int, float] = field(default_factory=dict)
    chance_saves: Mapping[int, float] = field(default_factory=dict)  # that the first option costs less than today
    total: Spread | None = None  # of the first options of all pools whose cost today is known
    saving: Spread | None = None  # of today's cost less that


#: What says which draws belong to an option.
_TEXT = ("gpu", "share", "from_gpu", "from_share")


class _Shown:
    """The first options of all pools as arrays with an axis of 1 for the draws, each made once."""

    def __init__(self, rows: Table, request: AdviceRequest, assume: Mapping[str, float]) -> None:
        self.request, self.assume = request, assume
        self.work = work_facts(rows, assume)
        self.costs = cost_lines(money_facts(rows), request.price_model, request.horizon_months, assume)
        sigmas = (np.log(rows["speed_high"] / rows["speed_low"]) / BETWEEN_ENDS)[:, 0].tolist()
        text = {name: rows.flat(name).tolist() for name in _TEXT}
        kinds = [work.kind for work in rows.flat("work").tolist()]
        self.gpus = list(zip(text["gpu"], text["share"], strict=True))
        own = list(zip(text["from_gpu"], text["from_share"], strict=True))
        self.speeds = list(zip(kinds, self.gpus, own, sigmas, strict=True))
        self.factors: dict[tuple[Any, ...], Numbers] = {}
        self.from_gpu = text["from_gpu"]
        self.expected, self.short_lived = rows.flat("tco").tolist(), rows.flat("short_lived").tolist()
        self.prices: dict[str, Numbers] = {}
        self.labour = np.exp(spread(assume["range_labour"]) * draw("labour"))

    def price(self, gpu: str | None) -> Numbers:
        """Factor on the prices of a GPU, the same for all sizes that have it."""
        name = str(gpu)
        if name not in self.prices:
            self.prices[name] = np.exp(spread(self.assume["range_price"]) * draw("price", name))
        return self.prices[name]

    def speed(self, case: tuple[Any, ...]) -> Numbers:
        """Factor on the speed of one GPU against another on a kind of work, the same for all pools that ask for it."""
        if case not in self.factors:
            kind, gpu, source, sigma = case
            self.factors[case] = np.exp(sigma * (_speed(kind, gpu) - _speed(kind, source)) / np.sqrt(2))
        return self.factors[case]

    def outcome(self, rows: slice, hours: Numbers) -> Numbers:
        """Cost of ownership of some rows in every world; `hours` are the factors of each row.

        One draw per GPU and kind of work, the source's shared by all options; one per GPU for prices, one for labour.
        """
        work = {name: values[rows] for name, values in self.work.items()}
        fixed = self.request.price_model in COMMITMENTS
        price = 1.0 if fixed else np.array([self.price(gpu) for gpu, _ in self.gpus[rows]])
        factors = np.array([self.speed(case) for case in self.speeds[rows]])
        sized = size_up(work, self.assume, speed=work["speed"] * factors, busier=hours)
        return np.asarray(self.costs.take(rows).at(sized["n"], sized["hours"], price, self.labour[None, :]))

    def chances(self, rows: slice, outcome: Numbers) -> list[float]:
        """The share of worlds in which each option of a pool is the cheapest.

        Of options with the same GPU only the one that costs least is in the race: more money for the same GPU is never
        first. One that ends inside the horizon is in it only when it leads the ranking.
        """
        gpus, expected = self.gpus[rows], self.expected[rows]
        late = [False, *self.short_lived[rows][1:]]
        race: list[int] = []
        for i in sorted(range(len(gpus)), key=expected.__getitem__):
            if not late[i] and all(gpus[i] != gpus[other] for other in race):
                race.append(i)
        chances = [0.0] * len(gpus)
        for i, won in zip(race, np.bincount(np.argmin(outcome[race], axis=0), minlength=len(race)), strict=True):
            chances[i] = float(won) / outcome.shape[1]
        return chances

    def reference(self, pool: Mapping[Any, Any], row: int, hours: Numbers) -> Numbers:
        """Today's cost of ownership in every world: hours, prices and labour vary as for the options."""
        parts, each = pool["reference_parts"], pool["hours_per_vm_month"]
        machines = parts["compute"] + parts["windows_licence"]
        steady = pool["pattern"] == "steady" or each <= 0
        longer = 1.0 if steady else np.minimum(each * hours, HOURS_PER_MONTH) / each
        fixed = pool["retired"] or self.request.price_model in COMMITMENTS
        price = 1.0 if fixed else self.price(self.from_gpu[row])
        rest = pool["reference_tco"] - machines - parts["operations"]
        return np.asarray(machines * longer * price + parts["operations"] * self.labour + rest)


def _speed(kind: str, gpu: tuple[str | None, float]) -> Numbers:
    return draw("speed", kind, str(gpu[0]), f"{gpu[1]:.4f}")


def ranges(
    ranked: Table,
    pools: Sequence[Pool],
    places: Sequence[range],
    request: AdviceRequest,
    assume: Mapping[str, float],
) -> Ranges:
    """Ranges of the first options of each pool; `places` are the rows of each pool in the `ranked` table.

    `pools` stand in the order of `places`; money, also that of `assume`, is in the book's currency.
    """
    firsts = [place[:RANGED] for place in places]
    rows = [row for place in firsts for row in place]
    if not rows:
        return Ranges()
    shown = _Shown(ranked.take(rows), request, assume)
    found = _in_turn(partial(_of_block, shown, firsts, pools), list(_blocks(firsts)))
    tco: dict[int, Spread] = {}
    chance: dict[int, float] = {}
    saves: dict[int, float] = {}
    after, today = np.zeros(DRAWS), np.zeros(DRAWS)
    for of_pool in chain.from_iterable(found):
        rows_of = firsts[of_pool.pool]
        tco |= dict(zip(rows_of, of_pool.spreads, strict=True))
        chance |= dict(zip(rows_of, of_pool.chances, strict=True))
        if of_pool.today is not None:
            saves[of_pool.pool] = float(np.mean(of_pool.today - of_pool.first > CENT))
            after, today = after + of_pool.first, today + of_pool.today
    return Ranges(
        tco=tco,
        chance_first=chance,
        chance_saves=saves,
        total=_spread(after) if saves else None,
        saving=_spread(today - after) if saves else None,
    )


@dataclass(frozen=True, slots=True)
class _OfPool:
    """What the draws say of one pool: its options, and the first one and today's machines in every world."""

    pool: int
    spreads: list[Spread]
    chances: list[float]
    first: Numbers
    today: Numbers | None


def _of_block(
    shown: _Shown, firsts: Sequence[range], pools: Sequence[Pool], block: tuple[list[int], int]
) -> list[_OfPool]:
    """Some pools, whose options begin at a place among all that are shown."""
    numbers, start = block
    hours = [_hours(pools[i], shown.assume) for i in numbers]
    counts = [len(firsts[i]) for i in numbers]
    outcome = shown.outcome(slice(start, start + sum(counts)), np.repeat(hours, counts, axis=0))
    quantiles = np.partition(outcome, _PLACES, axis=1)[:, _PLACES].tolist()
    spreads = [Spread(p10=low, p50=middle, p90=high) for low, middle, high in quantiles]
    found = []
    place = 0
    for i, number, longer in zip(numbers, counts, hours, strict=True):
        own, rows = slice(place, place + number), slice(start + place, start + place + number)
        known = np.isfinite(pools[i]["reference_tco"])
        today = shown.reference(pools[i], rows.start, longer) if known else None
        chances = shown.chances(rows, outcome[own])
        found.append(_OfPool(i, spreads[own], chances, outcome[place].copy(), today))
        place += number
    return found


def _in_turn(work: Callable[[Any], T], blocks: Sequence[Any]) -> Iterator[T]:
    """The answers in the order of the blocks; many blocks are worked on two at a time: numpy lets threads run."""
    if len(blocks) < _MANY:
        yield from map(work, blocks)
        return
    with ThreadPoolExecutor(max_workers=2) as threads:
        yield from threads.map(work, blocks)


def _blocks(firsts: Sequence[range]) -> Iterator[tuple[list[int], int]]:
    """Pools with options, so many at a time that their rows fit, and the place of their first row among all."""
    block: list[int] = []
    size = start = 0
    for i, place in enumerate(firsts):
        if not place:
            continue
        if block and size + len(place) > _BLOCK:
            yield block, start
            block, size, start = [], 0, start + size
        block.append(i)
        size += len(place)
    if block:
        yield block, start


def _spread(values: Numbers) -> Spread:
    p10, p50, p90 = np.partition(values, _PLACES)[list(_PLACES)].tolist()
    return Spread(p10=p10, p50=p50, p90=p90)


def _hours(pool: Mapping[Any, Any], assume: Mapping[str, float]) -> Numbers:
    share = assume["range_hours_assumed" if pool["hours_basis"] == "assumed" else "range_hours"]
    return np.exp(spread(share) * draw("hours", pool["id"]))
