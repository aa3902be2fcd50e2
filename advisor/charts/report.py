"""The cost over time and the way from today's cost to that of the first choices, as drawings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.charts.drawing import Box, Drawing, Path, Text, at, fitting
from advisor.charts.scale import round_steps
from advisor.engine.answer import Advice, Spread
from advisor.engine.report_figures import Deadline, PathPoint, ReportPool, cost_path, paid_back
from advisor.templatetags.figures import change, money, short

#: Pools with a bar of their own; the others share one.
BARS = 8
#: Deadlines with a marker of their own.
MARKERS = 4
DAYS_PER_MONTH = 365 / 12
#: Of the two lines of text beside the end of a line.
LABEL_HEIGHT = 34
#: Months between two rows of the table behind the cost over time.
TABLE_STEP = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CostChart:
    """The cost over time in two widths, and the rows of the table behind it."""

    wide: Drawing
    narrow: Drawing
    rows: tuple[PathPoint, ...]
    paid_back: int | None  # months after which the moves have paid for themselves; None: not within the horizon


@dataclass(frozen=True, slots=True)
class Ending:
    """Where a line ends, and what stands beside it."""

    name: str
    amount: float
    x: float
    y: float
    css: str


def in_short(value: float, highest: float) -> str:
    """An axis label: 0, 20k, 1.5M; one unit for the whole axis."""
    if value == 0:
        return "0"
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if highest >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def cost_chart(advice: Advice, ends: Sequence[Deadline]) -> CostChart | None:
    """The cost over time with the days on which sizes end; None where there is no known cost to draw."""
    path = cost_path(advice)
    if not path or max(path[-1].now, path[-1].then) <= 0:
        return None
    last, off = path[-1].month, advice.totals.recommended_tco_range
    return CostChart(
        wide=path_drawing(path, ends, off, width=640, height=320),
        narrow=path_drawing(path, ends, off, width=340, height=330),
        rows=tuple(point for point in path if point.month % TABLE_STEP == 0 or point.month == last),
        paid_back=paid_back(path),
    )


def path_drawing(
    path: Sequence[PathPoint], deadlines: Sequence[Deadline], off: Spread | None = None, *, width: int, height: int
) -> Drawing:
    """Cost paid until each month, today's machines against the first choices, with the days on which sizes end.

    `off` is how far the first choices' cost of the whole horizon may be off: a bar at their end.
    """
    left, right, bottom = 52, width - 96, height - 40
    horizon = path[-1].month
    coming = [deadline for deadline in deadlines if 0 < deadline.days_left <= horizon * DAYS_PER_MONTH][:MARKERS]
    top = 16 + 15 * len(coming)
    scale = round_steps(max(*(max(point.now, point.then) for point in path), off.p90 if off else 0.0))
    drawing = Drawing(width, height)

    def x(month: float) -> float:
        return left + (right - left) * month / horizon

    def y(amount: float) -> float:
        return bottom - (bottom - top) * amount / scale[-1]

    for amount in scale:
        drawing.paths.append(Path(f"M{left} {at(y(amount))}H{right}", "gr"))
        drawing.texts.append(Text(str(left - 6), at(y(amount) + 4), in_short(amount, scale[-1]), "t2 e"))
    step = max(1, math.ceil(horizon / 6 / 6) * 6) if horizon > 6 else 1
    for month in range(0, horizon + 1, step):
        drawing.paths.append(Path(f"M{at(x(month))} {bottom}v6", "ax"))
        drawing.texts.append(Text(at(x(month)), str(bottom + 20), str(month), "t2 m"))
    for css, values in (("l dash k6", [p.now for p in path]), ("l k1", [p.then for p in path])):
        points = "L".join(f"{at(x(month))} {at(y(value))}" for month, value in enumerate(values))
        drawing.paths.append(Path(f"M{points}", css))
    if off is not None:
        drawing.paths.append(Path(f"M{right - 4} {at(y(off.p10))}h8m-4 0V{at(y(off.p90))}m-4 0h8", "er k1"))
    for row, deadline in enumerate(coming):
        _marker(drawing, x(deadline.days_left / DAYS_PER_MONTH), 15 * row, bottom, deadline)
    drawing.texts.append(Text(at((left + right) / 2), str(bottom + 37), "months from now", "t2 m"))
    last = path[-1]
    _ends(
        drawing,
        Ending("today", last.now, right, y(last.now), "t2"),
        Ending("first choices", last.then, right, y(last.then), "b"),
    )
    return drawing


def _marker(drawing: Drawing, place: float, top: int, bottom: int, deadline: Deadline) -> None:
    drawing.paths.append(Path(f"M{at(place)} {top + 10}V{bottom}", "er k2"))
    drawing.paths.append(Path(f"M{at(place - 4)} {top + 6}h8l-4 8z", "f k2"))
    machines = "machine" if deadline.vms == 1 else "machines"
    text = f"{deadline.day.isoformat()}: {deadline.vms} {machines}"
    late = place > drawing.width * 0.6
    drawing.texts.append(Text(at(place - 8 if late else place + 8), str(top + 14), text, "e" if late else ""))


def _ends(drawing: Drawing, now: Ending, then: Ending) -> None:
    """The two lines named beside their ends, far enough apart to be read."""
    upper, lower = sorted((now, then), key=lambda ending: ending.y)
    gap = max(0.0, LABEL_HEIGHT - (lower.y - upper.y)) / 2
    for ending, y in ((upper, upper.y - gap), (lower, lower.y + gap)):
        drawing.texts.append(Text(at(ending.x + 6), at(y), ending.name, ending.css))
        drawing.texts.append(Text(at(ending.x + 6), at(y + 14), money(ending.amount), ending.css))


@dataclass(frozen=True, slots=True)
class Step:
    """One bar of the waterfall: from `start` to `end`; `change` None for the sums at both ends."""

    name: str
    start: float
    end: float
    change: float | None


def steps(pools: Sequence[ReportPool], before: float, after: float) -> tuple[Step, ...]:
    """From today's cost of ownership to that of the first choices, the largest changes first.

    Pools without a change and those without a price have no bar; beyond BARS pools the rest share one.
    """
    changes = []
    for pool in pools:
        if pool.priced and pool.first is not None and pool.pool.baseline.tco is not None:
            changes.append(
                (f"{pool.number}: {short(pool.first.size)}", pool.first.tco.expected - pool.pool.baseline.tco)
            )
    changes = sorted((entry for entry in changes if round(entry[1])), key=lambda entry: -abs(entry[1]))
    if len(changes) > BARS:
        changes = [*changes[: BARS - 1], ("other pools", sum(amount for _, amount in changes[BARS - 1 :]))]
    found, level = [Step("today", 0.0, before, None)], before
    for name, amount in changes:
        found.append(Step(name, level, level + amount, amount))
        level += amount
    return (*found, Step("first choices", 0.0, after, None))


def waterfall_drawing(found: Sequence[Step], *, width: int, left: int) -> Drawing:
    """A bar for each step; falling bars are green, rising ones orange, and every bar carries its figure."""
    row, right = 30, width - 78
    drawing = Drawing(width, row * len(found) + 26)
    bottom = row * len(found) + 4
    scale = round_steps(max(max(step.start, step.end) for step in found))

    def x(amount: float) -> float:
        return left + (right - left) * amount / scale[-1]

    for amount in scale:
        drawing.paths.append(Path(f"M{at(x(amount))} 0V{bottom}", "gr"))
        drawing.texts.append(Text(at(x(amount)), str(bottom + 16), in_short(amount, scale[-1]), "t2 m"))
    for place, step in enumerate(found):
        y, low, high = row * place + 5, x(min(step.start, step.end)), x(max(step.start, step.end))
        css = "f k6" if place == 0 else "f k1" if step.change is None else "f k3" if step.change < 0 else "f k2"
        bold = "" if step.change is not None else " b"
        figure = money(step.end) if step.change is None else change(step.change)
        drawing.boxes.append(Box(at(low), str(y), at(max(2.0, high - low)), "20", css))
        drawing.texts.append(Text(str(left - 8), str(y + 14), fitting(step.name, left - 8), f"e{bold}"))
        drawing.texts.append(Text(at(max(high, low + 2) + 6), str(y + 14), figure, bold.strip()))
        if place < len(found) - 1:
            drawing.paths.append(Path(f"M{at(x(step.end))} {y + 20}v10", "er thin k6"))
    return drawing
