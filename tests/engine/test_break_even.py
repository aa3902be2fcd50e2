"""Break-even: the least speed at which an option costs no more than today's machines, by hand and by trying."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engine.assumptions import values_with
from advisor.engine.break_even import Line, break_even_speedup
from advisor.engine.money import ownership, total
from tests.engine.conftest import Ask

#: A line of USD 1,000 for the move and 3,650 per VM, nothing by the hour.
LINE = Line(fixed=1_000.0, per_vm=3_650.0, per_hour=0.0)
ROW: dict[str, Any] = {
    "shape": "queue",
    "pattern": "steady",
    "units": 2.0,
    "efficiency": 0.5,
    "asked": 12.0,
    "demand": 1_000.0,
    "min_vms": 1.0,
    "hours_per_vm_month": 100.0,
}
NO_STARTS = values_with([("starts_per_month", 0.0)])


def even(line: Line = LINE, reference: float = 10_000.0, **changes: Any) -> tuple[float | None, str]:
    return break_even_speedup(ROW | changes, line, reference, NO_STARTS)


def test_break_even_of_a_steady_pool() -> None:
    # n_max = floor(9,000 / 3,650) = 2; s* = 12 / (2 x 0.5 x 2) = 6
    assert even() == (6.0, "")


def test_break_even_of_a_burst_stream() -> None:
    # c = 5 x 100 = 500; n_max = 18; s* = 12 / (1 x 18)
    line = Line(fixed=1_000.0, per_vm=0.0, per_hour=5.0)
    assert even(line, shape="stream", pattern="burst")[0] == pytest.approx(12 / 18)


def test_break_even_of_a_burst_queue_that_its_hours_decide() -> None:
    # one machine is enough from speed 2 on; its hours, 1,000 / s x 30, must fit into 10,000 - 1,000 - 1,500: s* = 4
    line = Line(fixed=1_000.0, per_vm=1_500.0, per_hour=30.0)
    assert even(line, pattern="burst", asked=2.0)[0] == pytest.approx(4.0)


def test_break_even_of_a_burst_queue_that_its_machines_decide() -> None:
    # 2 machines at most; hours cost next to nothing, but 2 machines are enough only from 12 / 2 on
    line = Line(fixed=1_000.0, per_vm=4_000.0, per_hour=0.001)
    assert even(line, pattern="burst")[0] == pytest.approx(6.0)


@pytest.mark.parametrize(
    ("reference", "changes", "told"),
    [
        (10_000.0, {"shape": "seat"}, "seat"),
        (float("nan"), {}, "unknown"),
        (1_000.0, {}, "move itself"),
        (4_000.0, {}, "not even one"),
        (8_000.0, {"min_vms": 2.0}, "not even 2"),
    ],
)
def test_no_break_even_says_why(reference: float, changes: dict[str, Any], told: str) -> None:
    speed, why = even(reference=reference, **changes)
    assert speed is None
    assert told in why


@given(
    asked=st.floats(0.5, 40),
    demand=st.floats(1, 20_000),
    per_vm=st.floats(200, 5_000),
    per_hour=st.floats(0.01, 400),
    least=st.integers(1, 4),
)
def test_a_queue_costs_more_just_below_its_break_even(
    asked: float, demand: float, per_vm: float, per_hour: float, least: int
) -> None:
    """The cost at a speed is that of the cheapest count that is fast enough; tried at speeds around the answer."""
    line, reference = Line(fixed=1_000.0, per_vm=per_vm, per_hour=per_hour), 50_000.0
    row = {"pattern": "burst", "units": 1.0, "efficiency": 1.0, "asked": asked, "demand": demand, "min_vms": least}
    speed, _ = even(line, reference, **row)

    def affordable(at: float) -> bool:
        counts = range(least, 260)
        return any(
            n * at >= asked * (1 - 1e-12) and line.cost(n, min(demand / at, n * 730)) <= reference * (1 + 1e-9)
            for n in counts
        )

    if speed is None:
        assert not affordable(1e9)
    else:
        assert affordable(speed)
        assert not affordable(speed * 0.999)


def test_the_line_of_ownership_is_its_cost(ask: Ask) -> None:
    """The two ends of the shipped case: at the break-even speed the count of the option pays for itself."""
    pool = ask("NC6", 12, workload="training", pattern="steady")
    for option in pool.options:
        if option.break_even_speedup is not None and pool.baseline.tco is not None:
            cheaper = option.speedup.expected >= option.break_even_speedup
            assert cheaper == (option.tco.expected <= pool.baseline.tco), option.size


def test_ownership_is_a_line_in_machines_and_hours() -> None:
    facts = {"vms": 4.0, "hourly_compute": 2.0, "hourly_licence": 0.3, "grid_month": 5.0, "data_disks": 2.0}
    facts |= {
        "hours_per_vm_month": 365.0,
        "second_at": 7.0,
        "stranded": 50.0,
        "verdict": 3,
        "running": 1.0,
        "goes_far": 1.0,
    }

    def cost(n: float, hours: float) -> float:
        return float(total(ownership(facts, n, hours, "payg", 36, values_with())))

    assert cost(5, 900) - cost(2, 900) == pytest.approx(3 * (cost(3, 0) - cost(2, 0)))
    assert cost(5, 900) - cost(5, 100) == pytest.approx(800 * (cost(5, 1) - cost(5, 0)))
