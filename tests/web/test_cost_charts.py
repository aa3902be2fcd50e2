"""Drawings of how far a cost may be off: bars stand where their costs say, inside the frame, and words stay apart."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import pytest

from advisor.charts.drawing import LETTER_WIDTH, Drawing
from advisor.charts.report import path_drawing
from advisor.charts.span import EDGE, WIDTH, spans
from advisor.charts.tornado import ends, tornado_drawing
from advisor.engine.answer import Spread, Tco
from advisor.engine.report_figures import Deadline, PathPoint
from advisor.engine.swings import SwingRow
from advisor.engine.worked import Figure, Shown

SIZES = [(640, 210), (340, 0)]


def row(words: str, low: float, high: float, *, shown: Shown = "count", unit: str = "%", at: Any = (30, 100)) -> Any:
    return SwingRow(
        words=words,
        low=Figure(value=at[0], shown=shown, unit=unit),
        high=Figure(value=at[1], shown=shown, unit=unit),
        tco_low=low,
        tco_high=high,
        assumption="",
    )


ROWS = [
    row("GPUs busy at peak", 203_064, 599_985),  # its high end is what is expected
    row("Speed of one GPU", 700_000, 401_525, shown="factor", unit="\u00d7", at=(4.55, 8.86)),
    row("Hours", 580_000, 590_000, unit="h per VM and month", at=(72.7, 88.0)),  # both ends below
    row("Price of a disk a month", 597_775, 602_196, shown="hourly", unit="USD", at=(9.855, 29.565)),
]
EXPECTED = 599_985.0


def drawing(width: int, left: int) -> Drawing:
    return tornado_drawing(ROWS, EXPECTED, width=width, left=left)


def boxes_of(found: Drawing, css: str) -> list[tuple[float, float, float]]:
    """Row, start and length of the boxes of a class."""
    height = (found.height - 28) / len(ROWS)
    return [(int((float(b.y) - 24) / height), float(b.x), float(b.width)) for b in found.boxes if b.css.startswith(css)]


@pytest.mark.parametrize(("width", "left"), SIZES)
def test_everything_of_a_tornado_stands_inside(width: int, left: int) -> None:
    found = drawing(width, left)
    for box in found.boxes:
        assert left <= float(box.x) and float(box.x) + float(box.width) <= width
    for text in found.texts:
        length, x = LETTER_WIDTH * len(text.text), float(text.x)
        start = x - length if text.css == "e" else x - length / 2 if text.css.endswith("m") else x
        assert start >= -0.1 and start + length <= width + 0.1, text


@pytest.mark.parametrize(("width", "left"), SIZES)
def test_a_bar_reaches_from_the_expected_cost_to_the_cost_at_its_end(width: int, left: int) -> None:
    """700,000 lies 100,015 above the expected cost, 401,525 lies 198,460 below: the bars are as 100,015 to 198,460."""
    found = drawing(width, left)
    outlined = {place: (start, length) for place, start, length in boxes_of(found, "o")}
    filled = {place: (start, length) for place, start, length in boxes_of(found, "f")}
    middle = outlined[1][0]
    assert outlined[1][1] / filled[1][1] == pytest.approx(100_015 / 198_460, abs=0.01)
    assert filled[1][0] + filled[1][1] == pytest.approx(middle, abs=0.11)
    assert 0 not in filled  # what changes nothing has no bar
    assert outlined[0][0] + outlined[0][1] == pytest.approx(middle, abs=0.11)


def test_of_two_ends_on_one_side_the_shorter_lies_on_top() -> None:
    found = drawing(640, 210)
    hours = [box.css for box in found.boxes if int((float(box.y) - 24) / 38) == 2]
    assert hours == ["o k1", "f k1"]  # 580,000 at the low end is farther away than 590,000 at the high end
    costs = [text.text for text in found.texts if "," in text.text]
    assert "580,000" in costs and "590,000" not in costs


def test_each_end_carries_its_cost_and_the_line_the_expected_one() -> None:
    texts = [text.text for text in drawing(640, 210).texts]
    assert "expected 599,985" in texts
    assert {"203,064", "401,525", "700,000"} <= set(texts)


def test_the_unit_of_two_ends_stands_once() -> None:
    assert [ends(found) for found in ROWS] == [
        "30 to 100 %",
        "4.55 to 8.86 \u00d7",
        "72.7 to 88 h per VM and month",
        "USD 9.855 to 29.565",
    ]


@pytest.mark.parametrize(("width", "left"), SIZES)
def test_words_of_a_tornado_have_a_line_each(width: int, left: int) -> None:
    texts = drawing(width, left).texts
    at_left = sorted(float(text.y) for text in texts if text.x == "0")
    assert all(later - earlier >= 14 for earlier, later in itertools.pairwise(at_left))


def test_a_cost_that_nothing_moves_is_drawn_all_the_same() -> None:
    found = tornado_drawing([row("Hours", 5.0, 5.0)], 5.0, width=340, left=0)
    assert found.boxes == []


def tco(low: float | None, expected: float, high: float | None) -> Tco:
    return Tco(expected=expected, p10=low, p50=expected, p90=high, components={})


def test_spans_share_one_scale() -> None:
    """On a log scale from 100 to 1,600 twice as much is a quarter of the way."""
    quarter = (WIDTH - 2 * EDGE) / 4
    first, second, without = spans([tco(100, 200, 400), tco(400, 800, 1600), tco(None, 900, None)], 400)
    assert without is None
    assert first is not None and second is not None
    assert (first.low, first.expected, first.high) == (EDGE, EDGE + quarter, EDGE + 2 * quarter)
    assert (second.low, second.high) == (first.high, WIDTH - EDGE)
    assert first.today == second.low


def test_spans_of_costs_that_reach_0_are_linear() -> None:
    (found,) = spans([tco(0, 50, 100)], None)
    assert found is not None
    assert (found.low, found.expected, found.today) == (EDGE, WIDTH / 2, None)
    assert spans([tco(7, 7, 7)], 7) == [None]


@pytest.mark.parametrize("width", [340, 640])
def test_the_range_stands_at_the_end_of_the_path(width: int) -> None:
    """The axis has lines at 0, 1,000, 2,000 and 3,000, so that the bar reaches from the second to the fourth."""
    path = [PathPoint(month=month, now=50.0 * month, then=40.0 * month) for month in range(37)]
    day = Deadline(day=date(2027, 1, 31), days_left=62, vms=10, pools=())
    off = path_drawing(path, [day], Spread(p10=1000.0, p50=1500.0, p90=3000.0), width=width, height=320)
    (bar,) = (p.d for p in off.paths if p.css == "er k1")
    grid = [float(p.d.split()[1].split("H")[0]) for p in off.paths if p.css == "gr"]
    assert len(grid) == 4
    assert float(bar.split()[1].split("h")[0]) == pytest.approx(grid[1], abs=0.11)
    assert float(bar.split("V")[1].split("m")[0]) == pytest.approx(grid[3], abs=0.11)
