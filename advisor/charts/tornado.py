"""Which inputs move a cost most: a bar for each, from the cost at its low end to the cost at its high end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.charts.drawing import LETTER_WIDTH, Box, Drawing, Path, Text, at, fitting
from advisor.engine.swings import SwingRow
from advisor.templatetags.answers import shown
from advisor.templatetags.figures import money

BAR, TOP, GAP = 16, 24, 6
#: Height of a row whose words stand beside its bar, and of one whose words stand above.
BESIDE, ABOVE = 38, 42
#: A shorter end is no bar, in pixels.
LEAST = 0.5


def tornado_drawing(rows: Sequence[SwingRow], expected: float, *, width: int, left: int) -> Drawing:
    """The rows from the top; words stand in the `left` pixels beside the bars, above them where `left` is 0.

    Filled is an input's high end, outlined its low end. Each end carries its cost, and a line the expected one.
    """
    height = BESIDE if left else ABOVE
    drawing = Drawing(width, TOP + height * len(rows) + 4)
    costs = [expected, *(cost for row in rows for cost in (row.tco_low, row.tco_high))]
    low, high = min(costs), max(costs)
    margin = LETTER_WIDTH * max(len(money(low)), len(money(high))) + 2 * GAP

    def x(cost: float) -> float:
        start, end = left + margin, width - margin
        return start + (end - start) * ((cost - low) / (high - low) if high > low else 0.5)

    middle = x(expected)
    _title(drawing, f"expected {money(expected)}", middle)
    for place, row in enumerate(rows):
        top = TOP + height * place
        _words(drawing, row, top, left)
        bar = top + height - BAR - GAP
        drawing.paths.append(Path(f"M{at(middle)} {top - GAP if left else bar - 3}V{bar + BAR + 3}", "ax"))
        _bar(drawing, row, (x(row.tco_low), x(row.tco_high), middle), bar)
    return drawing


def ends(row: SwingRow) -> str:
    """Both ends of an input, its unit once.

    Money has its unit before the first: USD 9 to 27; all else after the last: 30 to 100 %.
    """
    low, high = (replace(end, unit="") for end in (row.low, row.high))
    if row.low.is_money:
        return f"{shown(row.low)} to {shown(high).strip()}"
    return f"{shown(low).strip()} to {shown(row.high)}"


def _title(drawing: Drawing, text: str, middle: float) -> None:
    """A text over a place, moved so that it stays inside."""
    half = LETTER_WIDTH * len(text) / 2
    drawing.texts.append(Text(at(min(max(middle, half), drawing.width - half)), "12", text, "t2 m"))


def _words(drawing: Drawing, row: SwingRow, top: int, left: int) -> None:
    if left:
        drawing.texts.append(Text("0", str(top + 14), fitting(row.words, left), "b"))
        drawing.texts.append(Text("0", str(top + 30), fitting(ends(row), left), "t2"))
    else:
        drawing.texts.append(Text("0", str(top + 13), fitting(f"{row.words}: {ends(row)}", drawing.width)))


def _bar(drawing: Drawing, row: SwingRow, places: tuple[float, float, float], y: int) -> None:
    """The two ends from the middle, the longer one below the shorter, and their costs outside."""
    low, high, middle = places
    boxes = sorted(((low, "o k1"), (high, "f k1")), key=lambda end: -abs(end[0] - middle))
    for end, css in boxes:
        if abs(end - middle) >= LEAST:
            start, length = min(end, middle), abs(end - middle)
            drawing.boxes.append(Box(at(start), str(y), at(length), str(BAR), css))
    (first, first_cost), (last, last_cost) = sorted(((low, row.tco_low), (high, row.tco_high)))
    if middle - first >= LEAST:
        drawing.texts.append(Text(at(first - GAP), str(y + 12), money(first_cost), "e"))
    if last - middle >= LEAST:
        drawing.texts.append(Text(at(last + GAP), str(y + 12), money(last_cost)))
