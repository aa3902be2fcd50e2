"""Scales: from values to places in a drawing, and the round values at which to draw a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One line of the grid."""

    at: float
    value: float


def round_steps(highest: float, lines: int = 4) -> tuple[float, ...]:
    """0 and the multiples of 1, 2, 2.5 or 5 times a power of ten up to the first at or above `highest`.

    >>> round_steps(74450)
    (0.0, 20000.0, 40000.0, 60000.0, 80000.0)
    """
    if not highest > 0:
        return (0.0, 1.0)
    rough = highest / lines
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * (1 - 1e-9))
    return tuple(step * number for number in range(math.ceil(highest / step - 1e-9) + 1))


def doublings(values: Sequence[float]) -> tuple[float, ...]:
    """The powers of two that enclose all values, 1 among them.

    >>> doublings([0.6, 3.1])
    (0.5, 1.0, 2.0, 4.0)
    """
    low = min(0, math.floor(math.log2(min(values)) + 1e-9))
    high = max(1, math.ceil(math.log2(max(values)) - 1e-9))
    return tuple(2.0**power for power in range(low, high + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values between `low` and `high` at places between `start` and `end`; logarithmic where asked for."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a value to a tenth; values outside stand on the edge."""
        value = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, values: Sequence[float]) -> tuple[Tick, ...]:
        return tuple(Tick(at=self.at(value), value=value) for value in values)
