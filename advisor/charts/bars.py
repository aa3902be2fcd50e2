"""A few horizontal bars on one scale from 0: money now and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.charts.scale import Scale, Tick, round_steps

ROW, BAR, LABEL = 32, 20, 84
#: Width that a figure needs inside its bar, else it stands beside it.
INSIDE = 90
#: Up to this width the figures of four lines would run into each other.
NARROW = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar; the figure stands at `figure_at`, inside the bar or right of it."""

    label: str
    value: float
    colour: int  # 1 to 6, as in the stylesheet
    y: float
    text_y: float
    width: float
    figure_at: float
    inside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A drawing `width` wide."""

    width: int
    height: int
    left: int
    label_at: int
    base: float
    axis_y: float
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]


def bars(rows: Sequence[tuple[str, float, int]], *, width: int) -> Bars:
    """Bars for (label, value, colour), top down; the drawing is as high as it has bars."""
    highest = max((value for _, value, _ in rows), default=0.0)
    steps = round_steps(highest, lines=4 if width > NARROW else 2)
    scale = Scale(low=0.0, high=steps[-1], start=LABEL, end=width - 14)
    base = ROW * len(rows) + 0.0
    return Bars(
        width=width,
        height=round(base) + 20,
        left=LABEL,
        label_at=LABEL - 8,
        base=base,
        axis_y=base + 16,
        bars=tuple(_bar(number, row, scale) for number, row in enumerate(rows)),
        ticks=scale.ticks(steps),
    )


def _bar(number: int, row: tuple[str, float, int], scale: Scale) -> Bar:
    label, value, colour = row
    end = scale.at(value)
    inside = end - LABEL >= INSIDE
    return Bar(
        label=label,
        value=value,
        colour=colour,
        y=ROW * number + 6.0,
        text_y=ROW * number + 20.0,
        width=max(1.0, round(end - LABEL, 1)),
        figure_at=LABEL + 8.0 if inside else end + 8,
        inside=inside,
    )
