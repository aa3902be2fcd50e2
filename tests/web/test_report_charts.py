"""The drawings of a report: everything stands inside its frame, and many pools share a bar."""

from __future__ import annotations

import itertools
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from advisor.charts.drawing import Drawing, fitting
from advisor.charts.report import BARS, Step, in_short, path_drawing, steps, waterfall_drawing
from advisor.engine.report_figures import Deadline, PathPoint


def inside(drawing: Drawing) -> bool:
    places = [(float(text.x), float(text.y)) for text in drawing.texts]
    places += [(float(box.x) + float(box.width), float(box.y) + float(box.height)) for box in drawing.boxes]
    places += [(float(box.x), float(box.y)) for box in drawing.boxes]
    return all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in places)


def pool(number: int, before: float, after: float) -> Any:
    first = SimpleNamespace(size=f"Standard_NC{number}", tco=SimpleNamespace(expected=after))
    baseline = SimpleNamespace(tco=before)
    return SimpleNamespace(number=number, priced=True, first=first, pool=SimpleNamespace(baseline=baseline))


@pytest.mark.parametrize("width", [340, 640])
@pytest.mark.parametrize("months", [1, 12, 36, 120])
@pytest.mark.parametrize(("now", "then"), [(10.0, 4.0), (0.0, 900.0), (2e6, 2e6), (5.0, 5e7)])
def test_the_path_stays_in_its_frame(width: int, months: int, now: float, then: float) -> None:
    path = [PathPoint(month=m, now=now * m / months, then=1.0 + then * m / months) for m in range(months + 1)]
    ends = [Deadline(day=date(2026, 12, day), days_left=day, vms=day, pools=()) for day in (1, 20, 28)]
    assert inside(path_drawing(path, ends, width=width, height=320))


def test_names_at_the_ends_of_equal_lines_stand_apart() -> None:
    path = [PathPoint(month=m, now=100.0 * m, then=100.0 * m) for m in range(13)]
    texts = path_drawing(path, [], width=640, height=320).texts[-4:]
    heights = sorted(float(text.y) for text in texts)
    assert all(b - a >= 14 for a, b in itertools.pairwise(heights))


@pytest.mark.parametrize("width", [340, 640])
def test_the_waterfall_leads_from_today_to_the_first_choices(width: int) -> None:
    pools = [pool(1, 100.0, 60.0), pool(2, 50.0, 90.0), pool(3, 10.0, 10.2)]
    found = steps(pools, 160.0, 160.2)
    assert [step.name for step in found] == ["today", "1: NC1", "2: NC2", "first choices"]
    assert found[-2].end == pytest.approx(160.0)
    assert inside(waterfall_drawing(found, width=width, left=132))


def test_many_pools_share_a_bar() -> None:
    found = steps([pool(number, 100.0, 100.0 - number) for number in range(1, 31)], 3000.0, 2535.0)
    assert len(found) == BARS + 2
    assert found[-2].name == "other pools"
    assert found[-2].end == pytest.approx(2535.0)


def test_one_unit_for_an_axis() -> None:
    assert [in_short(value, 2e6) for value in (0.0, 500_000.0, 2e6)] == ["0", "0.5M", "2M"]
    assert fitting("today", 100) == "today"
    assert fitting("6: NC24lds_xl_RTXPRO6000BSE_v6", 100).endswith("…")
    assert Step("a", 0.0, 1.0, None).change is None
