"""Money: present value, cost of ownership and break-even, worked out by hand (design 4.6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from advisor.engine.assumptions import values_with
from advisor.engine.money import COMPONENTS, add_money, break_even_speedup, paid_hours, present_value
from tests.engine.conftest import Ask
from tests.factories import option_of

YEAR = 12 * 100.0
#: Two VMs at 1 USD an hour all month, moved by a redeployment while today's machines run.
PLAIN: dict[str, Any] = {
    "n": 2.0,
    "hours": 1460.0,
    "hourly_compute": 1.0,
    "hourly_licence": 0.0,
    "verdict": 2,
    "running": True,
    "demand": 2920.0,
}


def priced(model: str = "payg", months: int = 12, rate: float = 0.0, **changes: Any) -> dict[str, Any]:
    table = add_money(pd.DataFrame([PLAIN | changes]), model, months, values_with([("discount_rate", rate)]))
    return {str(name): value for name, value in table.to_dict("records")[0].items()}


# Present value


def test_without_a_rate_months_add_up() -> None:
    assert present_value(100.0, 0.0, 12) == YEAR


def test_one_payment_in_a_year_at_eight_percent() -> None:
    # a payment at the end of each of 12 months less one of 11 months is the last one: 100 / 1.08
    last = present_value(100.0, 0.08, 12) - present_value(100.0, 0.08, 11)
    assert last == pytest.approx(100 / 1.08)


def test_a_negative_time_or_rate_is_refused() -> None:
    for rate, months in ((0.08, -1), (-1.0, 12)):
        with pytest.raises(ValueError, match="must"):
            present_value(100.0, rate, months)


# Monthly cost


def test_pay_as_you_go_and_spot_pay_what_is_used() -> None:
    assert paid_hours("payg", 2, 100) == paid_hours("spot", 2, 100) == 100


@pytest.mark.parametrize("model", ["ri_1y", "ri_3y", "sp_1y", "sp_3y"])
def test_commitments_pay_every_hour(model: str) -> None:
    assert paid_hours(model, 2, 100) == 1460


def test_the_windows_licence_is_paid_for_hours_used_only() -> None:
    row = priced("ri_3y", hours=100.0, hourly_licence=0.5)
    assert row["monthly_cost"] == 1460 * 1.0 + 100 * 0.5


def test_cost_per_work_unit_is_money_per_gpu_hour_of_today() -> None:
    assert priced()["cost_per_work_unit"] == 1460 / 2920
    assert np.isnan(priced(demand=0.0)["cost_per_work_unit"])


# Cost of ownership


def test_components_of_a_redeployment() -> None:
    row = priced(hourly_licence=0.1)
    assert row["tco_compute"] == 12 * 1460
    assert row["tco_windows_licence"] == pytest.approx(12 * 146)
    assert row["tco_migration_labour"] == (16 + 2 * 3) * 95
    assert row["tco_parallel_running"] == pytest.approx((1460 + 146) * 14 / (365 / 12))
    assert row["tco"] == pytest.approx(sum(row[f"tco_{name}"] for name in COMPONENTS))


@pytest.mark.parametrize(
    ("verdict", "hours"),
    [(0, 0), (1, 4 + 2 * 1), (2, 16 + 2 * 3), (3, 40 + 2 * 3), (4, 240 + 2 * 3)],
)
def test_u17_labour_grows_with_the_verdict(verdict: int, hours: float) -> None:
    assert priced(verdict=verdict)["tco_migration_labour"] == hours * 95


def test_a_stay_and_a_resize_run_nothing_beside() -> None:
    assert priced(verdict=0)["tco_parallel_running"] == priced(verdict=1)["tco_parallel_running"] == 0


def test_machines_that_are_off_have_nothing_to_run_beside() -> None:
    assert priced(running=False)["tco_parallel_running"] == 0


@pytest.mark.parametrize("name", ["hourly_compute", "hourly_licence", "n"])
def test_u55_an_unknown_figure_leaves_the_whole_unknown(name: str) -> None:
    row = priced(**{name: np.nan})
    assert np.isnan(row["tco"])


# Break-even


def even(**changes: Any) -> tuple[float | None, str]:
    facts = {
        "reference_tco": 10_000.0,
        "tco_migration_labour": 1_000.0,
        "tco_parallel_running": 0.0,
        "shape": "queue",
        "pattern": "steady",
        "units": 2.0,
        "efficiency": 0.5,
        "asked": 12.0,
        "demand": 1_000.0,
        "hourly_price": 0.5,
        "hours_per_vm_month": 100.0,
    }
    return break_even_speedup(facts | changes, 10, values_with([("discount_rate", 0.0)]))


def test_break_even_of_a_steady_pool() -> None:
    # c = 0.5 x 730 x 10 = 3,650; n_max = floor(9,000 / 3,650) = 2; s* = 12 / (2 x 0.5 x 2) = 6
    assert even() == (6.0, "")


def test_break_even_of_a_burst_stream() -> None:
    # c = 0.5 x 100 x 10 = 500; n_max = 18; s* = 12 / (1 x 18)
    assert even(shape="stream", pattern="burst")[0] == pytest.approx(12 / 18)


def test_break_even_of_a_burst_queue() -> None:
    # s* = 1,000 x 0.5 x 10 / (2 x 0.5 x 9,000)
    assert even(pattern="burst")[0] == pytest.approx(5_000 / 9_000)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"shape": "seat"}, "seat"),
        ({"reference_tco": np.nan}, "unknown"),
        ({"reference_tco": 1_000.0}, "move itself"),
        ({"reference_tco": 4_000.0}, "not even one"),
    ],
)
def test_no_break_even_says_why(changes: dict[str, Any], told: str) -> None:
    speed, why = even(**changes)
    assert speed is None
    assert told in why


# In the whole


def test_components_add_up_in_every_option(ask: Ask) -> None:
    for option in ask("NC24rs_v2", 4, columns={"os": "windows"}, workload="hpc").options:
        assert option.tco.expected == pytest.approx(sum(option.tco.components.values()))
        assert set(option.tco.components) == set(COMPONENTS)


def test_the_stay_of_a_living_pool_costs_the_baseline(ask: Ask) -> None:
    pool = ask("NC24ads_A100_v4", 3, workload="training")
    stay = option_of(pool, "NC24ads_A100_v4")
    assert (stay.tco.expected, stay.monthly_cost) == (pool.baseline.tco, pool.baseline.monthly_cost)
    assert stay.saving is not None
    assert (stay.saving.amount, stay.saving.against) == (0.0, "now")
    assert sum(stay.tco.components.values()) == stay.tco.components["compute"]


def test_a_baseline_of_nothing_has_no_percentage(ask: Ask) -> None:
    pool = ask("NC4as_T4_v3", 3, "eastus", columns={"deallocated": 3})
    assert pool.baseline.monthly_cost == 0
    assert all(option.saving is not None and option.saving.percent is None for option in pool.options)


def test_horizon_and_rate_change_the_present_value_only(ask: Ask) -> None:
    one = option_of(ask("NC24ads_A100_v4", 1, workload="training", horizon_months=12), "NC24ads_A100_v4")
    flat = option_of(
        ask("NC24ads_A100_v4", 1, workload="training", assume=(("discount_rate", 0.0),)), "NC24ads_A100_v4"
    )
    assert one.tco.expected == pytest.approx(730 * 4.775 * (1 - 1 / 1.08) / (1.08 ** (1 / 12) - 1))
    assert flat.tco.expected == pytest.approx(36 * 730 * 4.775)
    assert math.isclose(one.monthly_cost, flat.monthly_cost)
