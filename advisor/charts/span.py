"""Costs with their ranges in the cells of one column, all on one scale, with a line at what today costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.charts.scale import Scale
from advisor.engine.answer import Tco

WIDTH = 104
#: Room for half a mark at both ends.
EDGE = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Places along the line; `today` is None where today's cost is unknown."""

    low: float
    expected: float
    high: float
    today: float | None


def spans(costs: Sequence[Tco], today: float | None) -> list[Span | None]:
    """A span for each cost of ownership, None where it has no range; a log scale, where all costs are above 0."""
    known = [value for cost in costs for value in (cost.p10, cost.expected, cost.p90) if value is not None]
    known += [] if today is None else [today]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if not high > low:
        return [None] * len(costs)
    scale = Scale(low=low, high=high, start=EDGE, end=WIDTH - EDGE, log=low > 0)

    def span(cost: Tco) -> Span | None:
        if cost.p10 is None or cost.p90 is None:
            return None
        line = None if today is None else scale.at(today)
        return Span(low=scale.at(cost.p10), expected=scale.at(cost.expected), high=scale.at(cost.p90), today=line)

    return [span(cost) for cost in costs]
