"""A speed with its interval in a table cell, on a log scale from a quarter to eight, with a line at 1."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.charts.scale import Scale

WIDTH = 104
_SCALE = Scale(low=0.25, high=8.0, start=0.0, end=WIDTH, log=True)
ONE = _SCALE.at(1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    """Places along the line; values outside the scale stand on its edge."""

    low: float
    expected: float
    high: float
    one: float = ONE


def spark(low: float, expected: float, high: float) -> Spark:
    return Spark(low=_SCALE.at(low), expected=_SCALE.at(expected), high=_SCALE.at(high))
