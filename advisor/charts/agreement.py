"""What a model expects against what was measured: a point per pair on logarithmic axes; on the diagonal it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.charts.scale import Scale, Tick, doublings

LEFT, TOP, BELOW, RIGHT = 52, 12, 40, 12
MOST_TICKS = 8
#: With no more points than this each shows its range.
RANGES = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One measured factor and what was expected of it, with the range."""

    measured: float
    low: float
    expected: float
    high: float

    @property
    def inside(self) -> bool:
        return self.low <= self.measured <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A drawing: points inside their range as small squares in one path, points outside as crosses in another.

    Ranges are upright lines in a third path, empty where there are too many points to tell them apart.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    base: int
    tick_y: int
    middle: int
    title_y: int
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    inside: str
    outside: str
    ranges: str


def agreement(pairs: Sequence[Pair], *, width: int, height: int) -> Agreement:
    """The pairs in their places; raises ValueError without pairs."""
    if not pairs:
        raise ValueError("a chart needs at least one point")
    base, right = height - BELOW, width - RIGHT
    few = len(pairs) <= RANGES
    shown = [v for p in pairs for v in ((p.measured, p.expected, p.low, p.high) if few else (p.measured, p.expected))]
    steps = doublings(shown)
    x = Scale(low=steps[0], high=steps[-1], start=LEFT, end=right, log=True)
    y = Scale(low=steps[0], high=steps[-1], start=base, end=TOP, log=True)
    every = -(-len(steps) // MOST_TICKS)
    ticks = steps[::every]
    at = [(x.at(p.measured), y.at(p.expected), p) for p in pairs]
    return Agreement(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=TOP,
        base=base,
        tick_y=base + 16,
        middle=round((LEFT + right) / 2),
        title_y=height - 4,
        x_ticks=x.ticks(ticks),
        y_ticks=y.ticks(ticks),
        inside="".join(f"M{px - 1.5:g} {py - 1.5:g}h3v3h-3z" for px, py, p in at if p.inside),
        outside="".join(f"M{px - 3:g} {py - 3:g}l6 6m0-6l-6 6" for px, py, p in at if not p.inside),
        ranges="".join(f"M{px:g} {y.at(p.low):g}V{y.at(p.high):g}" for px, _py, p in at) if few else "",
    )
