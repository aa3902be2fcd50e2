"""The lifecycle timeline: from lanes and a day to bars, ticks and labels in a drawing of a given width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from advisor.engine.life import Lane, Mark

TOP, LANE, FOOT, LEFT, RIGHT = 26, 62, 22, 10, 16
BAR_TOP, BAR_HIGH = 8, 14  # of a bar, below the label of its lane
MARK_GAP = 9  # marks nearer than this to the box before share it
CHARACTER = 6.6  # width of one character at 12 px, a little generous
EDGE_DAYS = 150  # room before the first and after the last day


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A text at a place; `anchor` is "" (starts there), "m" (middle) or "e" (ends there)."""

    x: float
    y: float
    text: str
    anchor: str = ""
    struck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """The letters of events of one day, or of days that stand too close, in a box on the bar."""

    x: float  # middle
    y: float  # middle
    text: str
    struck: bool

    @property
    def wide(self) -> float:
        return 7.0 + 8.5 * len(self.text.replace(" ", ""))

    @property
    def left(self) -> float:
        return round(self.x - self.wide / 2, 1)

    @property
    def top(self) -> float:
        return self.y - 9

    @property
    def baseline(self) -> float:
        return self.y + 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """The life of one lane: solid to the first end, dashed to the last, a tick where it ends."""

    y: float
    start: float
    solid: float  # where the solid part ends
    dashed: float | None  # where the dashed part ends; None: there is none
    tick: float | None  # None: no end is known
    colour: str
    label: Label
    ends: tuple[Label, ...]
    badges: tuple[Badge, ...]
    unknown: bool

    @property
    def middle(self) -> float:
        return self.y + BAR_HIGH / 2

    @property
    def tick_top(self) -> float:
        return self.y - 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A drawing."""

    width: int
    height: int
    years: tuple[Label, ...]
    bottom: float
    today: float
    today_label: Label
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Days to x."""

    first: date
    last: date
    width: int

    def x(self, day: date) -> float:
        share = (day - self.first).days / (self.last - self.first).days
        return round(LEFT + share * (self.width - LEFT - RIGHT), 1)


def timeline(lanes: Sequence[Lane], today: date, width: int, names: Sequence[str] = ()) -> Timeline:
    """The drawing of `lanes` as seen from `today`; all x lie within `width`. `names` stand over the lanes instead."""
    days = [today, *(day for lane in lanes for day in days_of(lane))]
    scale = Scale(min(days) - timedelta(EDGE_DAYS), max(days) + timedelta(EDGE_DAYS), width)
    bottom = TOP + LANE * len(lanes) + 4
    return Timeline(
        width=width,
        height=bottom + FOOT,
        years=tuple(years_of(scale, bottom)),
        bottom=bottom,
        today=scale.x(today),
        today_label=_beside(scale.x(today), 13, f"seen on {today}", width, middle=True),
        bars=tuple(
            bar_of(lane, number, scale, names[number] if names else lane.label) for number, lane in enumerate(lanes)
        ),
    )


def days_of(lane: Lane) -> list[date]:
    """Every day that a lane draws."""
    ends = (lane.first_end, lane.last_end, lane.status.forced_stop)
    return [day for day in ends if day] + [mark.on for mark in lane.marks]


def years_of(scale: Scale, bottom: float) -> list[Label]:
    """The first of January of each year, of every second one where they stand too close."""
    years = range(scale.first.year + 1, scale.last.year + 1)
    room = (scale.width - LEFT - RIGHT) / max(1, len(years))
    step = 1 if room >= 40 else 2
    return [Label(x=scale.x(date(year, 1, 1)), y=bottom + 16, text=str(year)) for year in years[::step]]


def bar_of(lane: Lane, number: int, scale: Scale, name: str) -> Bar:
    """One lane: where its bar starts, turns dashed and ends, with its texts."""
    y = TOP + LANE * number + 14
    first, last = lane.first_end, lane.last_end
    edge = float(scale.width - RIGHT)
    solid = scale.x(min(day for day in (first, last) if day)) if first or last else edge
    dashed = scale.x(last) if last and first and first < last else None
    if last is None and first is not None:
        dashed = edge  # only a third party gives an end
    unknown = lane.status.status == "unknown"
    return Bar(
        y=y + BAR_TOP,
        start=float(LEFT),
        solid=float(LEFT) if unknown else solid,
        dashed=edge if unknown else dashed,
        tick=scale.x(last) if last else None,
        colour="k6" if lane.status.status == "retired" else ("k2", "k1", "k3", "k4", "k5")[number % 5],
        label=Label(x=LEFT, y=y, text=_cut(name, scale.width)),
        ends=tuple(_ends(lane, y + BAR_TOP + BAR_HIGH + 14, scale, edge)),
        badges=tuple(_badges(lane.marks, y + BAR_TOP + BAR_HIGH / 2, scale)),
        unknown=unknown,
    )


def _ends(lane: Lane, y: float, scale: Scale, edge: float) -> list[Label]:
    """The dates under a bar; the earlier one to the left of its place, so that the two never meet."""
    first, last = lane.first_end, lane.last_end
    if lane.status.status == "unknown":
        return [Label(x=LEFT, y=y, text="unknown: no source says how it stands")]
    if last is None and first is None:
        return [Label(x=edge, y=y, text="no end announced", anchor="e")]
    if last is None and first is not None:
        return [_before(scale.x(first), y, f"{first}, a third party only", scale.width)]
    labels = []
    if first and last and first < last:
        labels.append(_before(scale.x(first) - 3, y, f"or {first}", scale.width))
    if last:
        at = scale.x(last)
        start = max([at + 4, *(right_of(label) + 8 for label in labels)])
        fits = start + CHARACTER * 10 <= scale.width
        labels.append(Label(x=start if fits else at, y=y, text=str(last), anchor="" if fits else "e"))
    return labels


def right_of(label: Label) -> float:
    """Where a text ends, about."""
    return label.x + CHARACTER * len(label.text) * {"": 1.0, "m": 0.5, "e": 0.0}[label.anchor]


def _badges(marks: Sequence[Mark], y: float, scale: Scale) -> list[Badge]:
    """Boxes on the bar; marks that would overlap share one, superseded ones stand beside it."""
    found: list[Badge] = []
    for mark in marks:
        x = scale.x(mark.on)
        last = found[-1] if found else None
        if last is None or x - last.x - last.wide / 2 >= MARK_GAP:
            found.append(Badge(x=x, y=y, text=mark.letter, struck=mark.superseded))
        elif last.struck == mark.superseded:
            letters = last.text if mark.letter in last.text else last.text + mark.letter
            found[-1] = Badge(x=last.x, y=y, text=letters, struck=last.struck)
        else:
            found.append(Badge(x=last.x + last.wide / 2 + 9, y=y, text=mark.letter, struck=mark.superseded))
    return found


def _cut(text: str, width: int) -> str:
    """A text that fits into the drawing; what is left out stands in the table beside it."""
    room = int((width - LEFT - RIGHT) / CHARACTER)
    return text if len(text) <= room else text[: room - 1] + "…"


def _before(x: float, y: float, text: str, width: int) -> Label:
    """A text that ends at x, or starts at the left edge where it would leave the drawing."""
    return Label(x=x, y=y, text=text, anchor="e") if x - CHARACTER * len(text) >= 0 else _beside(x, y, text, width)


def _beside(x: float, y: float, text: str, width: int, *, middle: bool = False) -> Label:
    half = CHARACTER * len(text) / 2
    if middle and x - half >= 0 and x + half <= width:
        return Label(x=x, y=y, text=text, anchor="m")
    if x + 2 * half <= width:
        return Label(x=x, y=y, text=text)
    return Label(x=min(x, width - 2), y=y, text=text, anchor="e")
