"""At which prices, hours and speeds the other size of a pair is at least as good as the first: exact, in pieces.

Hours and speed change the cost in pieces: machines come in whole numbers, a job changes its layout at some speed, and
no machine runs longer than a month. Ranges are first cut where such a piece ends; inside a piece the cost goes one way,
so that the order turns once at the most.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.contrast.cuts import cut
from advisor.engine.contrast.pairs import FIRST_PRICE, HOURS, OTHER_PRICE, SPEED, Numbers, Pairs, Ranges, Tried, joined
from advisor.engine.contrast.values import WHATS, Span
from advisor.engine.pools import HOURS_PER_MONTH, SHORTEST_HOURS
from advisor.engine.rulebook import DECIDING
from advisor.engine.rules import judge
from advisor.engine.sizing import add_sizing
from advisor.engine.stages import verdicts

#: Where each figure is looked for: money per VM-hour, hours per VM and month, speed. Beyond it nothing is told apart.
#: A speed that is known is looked for from there upwards: a slower size may be refused, and nobody hopes for it.
DOMAIN: Mapping[int, tuple[float, float]] = {
    OTHER_PRICE: (1e-9, 1e9),
    FIRST_PRICE: (1e-9, 1e9),
    HOURS: (SHORTEST_HOURS, HOURS_PER_MONTH),
    SPEED: (1e-6, 1e6),
}


def spans_of(pairs: Pairs, candidates: Table) -> list[list[tuple[Span, ...]]]:
    """For each pair, and each figure of WHATS, all values at which the other is at least as good as the first.

    `candidates` are the rows of the others. Prices are those of the machines alone, without Windows.
    """
    ranges = joined(*(_whole(pairs, what) for what in DOMAIN))
    for piece in (_first_step, _second_step, _fewer, _at_most_as_many):
        ranges = cut(pairs, ranges, piece)
    ranges = _judged(pairs, ranges, candidates)
    ranges = cut(pairs, ranges, _as_good)
    good = _as_good(pairs.tried(ranges), ranges.low[:, None])[:, 0]
    found: list[list[tuple[Span, ...]]] = [[()] * len(WHATS) for _ in range(len(pairs))]
    ordered = np.lexsort((ranges.low, ranges.what, ranges.pair)).tolist()
    for (pair, what), places in groupby(ordered, key=lambda i: (int(ranges.pair[i]), int(ranges.what[i]))):
        found[pair][what] = _merged(ranges, list(places), good)
    return found


def _whole(pairs: Pairs, what: int) -> Ranges:
    number = len(pairs)
    low, high = (np.full(number, end) for end in DOMAIN[what])
    if what == SPEED:
        low = np.where(np.isnan(pairs.other["speed"]), low, pairs.other["speed"])
    verdict = pairs.other["verdict"]
    return Ranges(pair=np.arange(number), what=np.full(number, what), low=low, high=high, verdict=verdict)


def _as_good(tried: Tried, values: Numbers) -> Numbers:
    return tried.pairs.as_good(*tried.at(values))


def _first_step(tried: Tried, values: Numbers) -> Numbers:
    """Speed: one job spans several VMs. Hours: the first choice runs all month."""
    first, other = tried.at(values)
    return np.where(tried.is_speed, other["spans"], _all_month(first))


def _second_step(tried: Tried, values: Numbers) -> Numbers:
    """Speed: how well the job's GPUs work together. Hours: the other runs all month."""
    _, other = tried.at(values)
    return np.where(tried.is_speed, other["efficiency"], _all_month(other))


def _fewer(tried: Tried, values: Numbers) -> Numbers:
    """Fewer VMs than today: another number of VMs is another kind of move than the same number."""
    _, other = tried.at(values)
    return np.asarray(tried.is_speed & (other["n"] < other["vms"]))


def _at_most_as_many(tried: Tried, values: Numbers) -> Numbers:
    _, other = tried.at(values)
    return np.asarray(tried.is_speed & (other["n"] <= other["vms"]))


def _all_month(side: Mapping[str, Numbers]) -> Numbers:
    return np.asarray(side["hours"] >= side["n"] * HOURS_PER_MONTH)


def _judged(pairs: Pairs, ranges: Ranges, candidates: Table) -> Ranges:
    """The ranges of speed with the verdict that the rules give at that many machines; it is the same all through."""
    speed = ranges.what == SPEED
    rows = candidates.take(ranges.pair[speed]).with_columns(speed=ranges.low[speed])
    rows = add_sizing(rows, pairs.assume)
    verdict = ranges.verdict.copy()
    verdict[speed] = verdicts(rows, judge(DECIDING, rows))[:, 0]
    return ranges.changed(verdict=verdict)


def _merged(ranges: Ranges, places: list[int], good: Numbers) -> tuple[Span, ...]:
    """The ranges of one figure of one pair, in their order, in which the other is as good; neighbours are one."""
    least, most = ranges.low[places[0]], ranges.high[places[-1]]
    spans = []
    for is_good, same in groupby(places, key=lambda place: bool(good[place])):
        if is_good:
            own = list(same)
            low, high = float(ranges.low[own[0]]), float(ranges.high[own[-1]])
            spans.append(Span(at_least=None if low == least else low, at_most=None if high == most else high))
    return tuple(spans)
