"""Where along a range the order of a pair turns: found by trying, so that it is exact for whatever is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from advisor.engine.contrast.pairs import Numbers, Pairs, Ranges, Tried, joined

#: Something that both sides, worked out at some values, say of each of them.
Told = Callable[[Tried, Numbers], Any]
#: A turning point is known to this part of itself.
PRECISION = 1e-12
#: Values tried at once: more for few ranges, where the calls cost more than the arithmetic.
MOST, LEAST, TOGETHER = 65, 9, 6_000


def cut(pairs: Pairs, ranges: Ranges, told: Told) -> Ranges:
    """The ranges, each that `told` answers differently at its two ends divided where the answer turns.

    Within a range the answer must turn once at the most. Of two parts the lower ends with the last value that has the
    old answer, the upper begins with the first that has the new one.
    """
    if not len(ranges):
        return ranges
    ends = np.broadcast_to(told(pairs.tried(ranges), np.column_stack((ranges.low, ranges.high))), (len(ranges), 2))
    turns = ends[:, 0] != ends[:, 1]
    if not turns.any():
        return ranges
    below, above = _turning(pairs, ranges.take(turns), told)
    some = ranges.take(turns)
    return joined(ranges.take(~turns), some.changed(high=below), some.changed(low=above))


def _turning(pairs: Pairs, ranges: Ranges, told: Told) -> tuple[Numbers, Numbers]:
    """The last value with the old answer and the first with the new one; each turn of the loop narrows it."""
    steps = np.linspace(0.0, 1.0, int(np.clip(TOGETHER // len(ranges), LEAST, MOST)))
    tried, rows = pairs.tried(ranges), np.arange(len(ranges))
    low, high = ranges.low, ranges.high
    while True:
        values = low[:, None] * (high / low)[:, None] ** steps
        values[:, 0], values[:, -1] = low, high
        answers = told(tried, values)
        first_new = np.argmax(answers != answers[:, :1], axis=1)
        before = high / low
        low, high = values[rows, first_new - 1], values[rows, first_new]
        if np.all((high / low - 1 <= PRECISION) | (high / low >= before)):
            return low, high
