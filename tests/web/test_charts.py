"""Charts as plain numbers: marks stand where their values say."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.charts.bars import bars
from advisor.charts.scale import Scale, doublings, round_steps
from advisor.charts.scatter import Point, scatter
from advisor.charts.spark import spark
from advisor.charts.timeline import CHARACTER, right_of, timeline
from advisor.engine.catalogue import Catalogue
from advisor.engine.life import lanes_of


@pytest.mark.parametrize("highest", [0.7, 1, 9.99, 10, 74450, 3e7])
def test_steps_begin_at_0_and_hold_the_highest(highest):
    steps = round_steps(highest)
    assert steps[0] == 0
    assert steps[-2] < highest <= steps[-1]
    assert 3 <= len(steps) <= 7


def test_a_log_scale_puts_equal_factors_at_equal_distances():
    scale = Scale(low=0.25, high=4, start=0, end=100, log=True)
    assert [scale.at(value) for value in (0.25, 0.5, 1, 2, 4, 9, 0.1)] == [0, 25, 50, 75, 100, 100, 0]


def test_doublings_hold_all_values_and_1():
    assert doublings([3, 5]) == (1, 2, 4, 8)
    assert doublings([0.3]) == (0.25, 0.5, 1, 2)


def test_bars_are_as_long_as_their_values():
    drawing = bars([("Now", 100.0, 6), ("After", 50.0, 1)], width=500)
    now, after = drawing.bars
    assert now.width == pytest.approx(2 * after.width, abs=0.2)
    assert drawing.ticks[0].at == drawing.left


def test_figures_of_a_narrow_axis_do_not_run_into_each_other():
    def ticks(width: int) -> list[float]:
        return [tick.value for tick in bars([("Before", 91_115.0, 5)], width=width).ticks]

    assert ticks(640) == [0, 25_000, 50_000, 75_000, 100_000]
    assert ticks(340) == [0, 50_000, 100_000]


def test_a_short_bar_has_its_figure_beside_it():
    long, short = bars([("Now", 1000.0, 6), ("After", 1.0, 1)], width=500).bars
    assert long.inside
    assert not short.inside
    assert short.figure_at > short.width


def test_nothing_to_draw_is_drawn_all_the_same():
    assert bars([("Now", 0.0, 6)], width=350).bars[0].width == 1


def test_a_spark_stands_at_one_when_nothing_is_gained():
    assert spark(1, 1, 1).expected == spark(1, 1, 1).one
    assert spark(0.01, 1, 100).low == 0


POINTS = [
    Point(label="H100", low=2.8, speed=3.8, high=5.1, money=16000, chosen=True),
    Point(label="A100", low=1.5, speed=2.0, high=2.7, money=16200),
    Point(label="V100 today", low=1, speed=1, high=1, money=26000, today=True),
]


@pytest.mark.parametrize(("width", "height"), [(620, 330), (340, 300)])
def test_points_stand_inside_their_drawing(width, height):
    drawing = scatter(POINTS, width=width, height=height)
    for mark in drawing.marks:
        assert drawing.left <= mark.low_x <= mark.x <= mark.high_x <= drawing.right
        assert drawing.top <= mark.y <= drawing.base
    fast, middle, today = drawing.marks
    assert fast.x > middle.x > today.x
    assert today.y == drawing.today_y < middle.y


def test_points_differ_in_shape():
    assert len({mark.shape for mark in scatter(POINTS, width=620, height=330).marks}) == 3


def test_a_chart_needs_a_point():
    with pytest.raises(ValueError, match="at least one point"):
        scatter([], width=620, height=330)


def test_the_two_dates_under_a_bar_never_meet(catalogue: Catalogue) -> None:
    drawn = 0
    for name in catalogue.sizes:
        lanes = lanes_of(catalogue, name, date(2026, 11, 30))
        for bar in timeline(lanes, date(2026, 11, 30), 340).bars:
            if len(bar.ends) == 2:
                drawn += 1
                earlier, later = bar.ends
                begins = later.x - (CHARACTER * len(later.text) if later.anchor == "e" else 0)
                assert right_of(earlier) <= begins, f"{name}: {earlier.text} runs into {later.text}"
    assert drawn
