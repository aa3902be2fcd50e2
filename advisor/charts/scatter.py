"""Money a month against speed: one point for each GPU, with the interval of its speed; today as a dashed line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.charts.scale import Scale, Tick, doublings, round_steps

LEFT, TOP, BELOW = 52, 14, 40
#: How wide a letter of a label is taken to be, and how high a line.
LETTER, LINE = 6.4, 14
SHAPES = ("circle", "diamond", "triangle", "square", "ring")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point: speed of one GPU against today's with its interval, and money a month."""

    label: str
    low: float
    speed: float
    high: float
    money: float
    chosen: bool = False
    today: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point in its place; its label is to be set at label_x and label_y, from there or ending there."""

    point: Point
    shape: str
    colour: int
    x: float
    y: float
    low_x: float
    high_x: float
    label_x: float
    label_y: float
    anchor: str  # "", m for the middle, e for the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """A drawing; `today_y` is None where today's cost is unknown."""

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
    marks: tuple[Mark, ...]
    today_y: float | None


def scatter(points: Sequence[Point], *, width: int, height: int) -> Scatter:
    """The points in their places, labels moved apart; raises ValueError without points."""
    if not points:
        raise ValueError("a chart needs at least one point")
    base, right = height - BELOW, width - 14
    speeds = doublings([v for p in points for v in (p.low, p.high)])
    if len(speeds) > 7:
        speeds = speeds[:: (len(speeds) + 5) // 6] + (
            (speeds[-1],) if (len(speeds) - 1) % ((len(speeds) + 5) // 6) else ()
        )
    sums = round_steps(max(p.money for p in points))
    x = Scale(low=speeds[0], high=speeds[-1], start=LEFT, end=right, log=True)
    y = Scale(low=0.0, high=sums[-1], start=base, end=TOP)
    taken: list[tuple[float, float, float, float]] = [
        (x.at(p.speed) - 8, y.at(p.money) - 8, x.at(p.speed) + 8, y.at(p.money) + 8) for p in points
    ]
    taken += [(x.at(p.low), y.at(p.money) - 3, x.at(p.high), y.at(p.money) + 3) for p in points]
    marks = []
    others = 0
    for point in points:
        number, others = (0, others) if point.chosen else (6, others) if point.today else (others + 1, others + 1)
        at = (x.at(point.speed), y.at(point.money))
        label_x, label_y, anchor = _place(point.label, at, taken, (LEFT, right, TOP, base))
        marks.append(
            Mark(
                point=point,
                shape="square" if point.today else SHAPES[number % len(SHAPES)],
                colour=6 if point.today else number % 5 + 1,
                x=at[0],
                y=at[1],
                low_x=x.at(point.low),
                high_x=x.at(point.high),
                label_x=label_x,
                label_y=label_y,
                anchor=anchor,
            )
        )
    today = next((mark.y for mark in marks if mark.point.today), None)
    return Scatter(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        top=TOP,
        base=base,
        tick_y=base + 16,
        middle=round((LEFT + right) / 2),
        title_y=height - 4,
        x_ticks=x.ticks(speeds),
        y_ticks=y.ticks(sums),
        marks=tuple(marks),
        today_y=today,
    )


def _place(
    label: str, at: tuple[float, float], taken: list[tuple[float, float, float, float]], room: tuple[int, int, int, int]
) -> tuple[float, float, str]:
    """Where a label stands free: below, above, right or left of its point, then further off; its box is then taken."""
    width, (x, y) = LETTER * len(label), at
    left, right, top, base = room
    found = None
    for far in (0, LINE, 2 * LINE, 3 * LINE, 4 * LINE):
        for dx, dy, anchor in ((0, 24 + far, "m"), (0, -14 - far, "m"), (12, 4 + far, ""), (-12, 4 - far, "e")):
            start = x + dx - {"m": width / 2, "": 0, "e": width}[anchor]
            box = (start, y + dy - 11, start + width, y + dy + 3)
            fits = box[0] >= left and box[2] <= right + 14 and box[1] >= top - 12 and box[3] <= base
            free = not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken)
            if fits and (free or found is None):
                found = (box, (round(x + dx, 1), round(y + dy, 1), anchor))
            if fits and free:
                taken.append(box)
                return round(x + dx, 1), round(y + dy, 1), anchor
    if found is None:
        return round(x, 1), round(y - 14, 1), "m"
    taken.append(found[0])
    return found[1]
