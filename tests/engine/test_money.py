"""Money: present value, cost of ownership and break-even, worked out by hand (design 4.6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from advisor.engine.arrays import Table
from advisor.engine.assumptions import values_with
from advisor.engine.money import COMPONENTS, add_money, money_facts, ownership, paid_hours, present_value, total
from advisor.engine.money_lines import cost_lines
from advisor.engine.words import Row
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
    "vms": 4.0,
    "grid_month": 0.0,
    "data_disks": np.nan,
    "hours_per_vm_month": 365.0,
    "second_at": np.nan,
    "stranded": 0.0,
    "goes_far": False,
}


def priced(model: str = "payg", months: int = 12, rate: float = 0.0, **changes: Any) -> dict[str, Any]:
    table = Table.of({name: [value] for name, value in (PLAIN | changes).items()})
    return dict(Row(add_money(table, model, months, values_with([("discount_rate", rate)])), 0))


# Lines


@pytest.mark.parametrize("model", ["payg", "ri_3y"])
@pytest.mark.parametrize(
    "case",
    [(3.0, 900.0, 1.0, 1.0), (8.0, 5840.0, 1.2, 0.7), (1.0, 0.0, 0.9, 2.0), (0.0, 0.0, 1.5, 0.5)],
    ids=["as expected", "dear and quick", "idle", "none"],
)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"verdict": 4, "goes_far": True, "stranded": 250.0},
        {"second_at": 7.0, "grid_month": 40.0, "data_disks": 2.0},
    ],
    ids=["plain", "port to another region", "ends inside the horizon"],
)
def test_the_lines_say_what_the_formulas_say(model: str, case: tuple[float, ...], changes: dict[str, Any]) -> None:
    """Lines are found at seven points; here they are asked at others."""
    n, hours, price, labour = case
    facts = money_facts(Table.of({name: [value] for name, value in (PLAIN | changes).items()}))
    assume = values_with([])
    parts = ownership(facts, n, hours, model, 36, assume, price=price, labour=labour)
    found = cost_lines(facts, model, 36, assume).at(n, hours, price, labour)
    assert float(found[0, 0]) == pytest.approx(float(np.ravel(total(parts))[0]), rel=1e-12)


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


#: (payment, rate a year, months): 25 cases of every kind.
CASES = [
    (p, r, m) for p in (1.0, 97.5, 12_345.67) for r, m in ((0.0, 36), (0.03, 12), (0.08, 36), (0.12, 60), (0.5, 1))
]
CASES += [(100.0, 0.08, 0), (100.0, 0.08, 1), (100.0, 0.08, 120), (0.0, 0.08, 36), (-50.0, 0.08, 36)]
CASES += [(1e9, 0.08, 36), (0.01, 0.2, 24), (250.0, -0.02, 36), (250.0, 1e-9, 36), (250.0, 0.079, 37)]


@pytest.mark.parametrize(("payment", "rate", "months"), CASES)
def test_each_payment_discounted_by_itself_gives_the_same(payment: float, rate: float, months: int) -> None:
    one_by_one = math.fsum(payment / (1 + rate) ** (month / 12) for month in range(1, months + 1))
    assert present_value(payment, rate, months) == pytest.approx(one_by_one, rel=1e-6, abs=1e-9)


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


def test_running_the_machines_costs_more_than_their_price() -> None:
    row = priced()
    assert row["tco_disks"] == pytest.approx(12 * (2 + 4 * 1) * 19.71)  # a system disk each, one data disk of today's 4
    assert row["tco_network"] == pytest.approx(12 * 4 * 25 * 0.087)  # today's 4 run half the month
    assert row["tco_operations"] == pytest.approx(12 * 2 * 0.5 * 95)
    assert row["tco_grid_licence"] == row["tco_second_move"] == row["tco_data_transfer"] == 0


#: Each cause and the components it brings, worked out by hand; without the cause they are 0.
CAUSES: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "a Windows licence": ({"hourly_licence": 0.1}, {"windows_licence": 12 * 146}),
    "a GRID licence": ({"grid_month": 30.0}, {"grid_licence": 12 * 2 * 30}),
    "another region": ({"goes_far": True}, {"data_transfer": 4 * 256 * 0.02}),
    "a commitment left behind": ({"stranded": 777.0}, {"stranded_commitments": 777.0}),
    "a new driver": ({"verdict": 3}, {"staff_training": 4 * 95}),
    "another vendor": ({"verdict": 4}, {"staff_training": 40 * 95}),
    "an end inside the horizon": ({"second_at": 6.0}, {"second_move": 22 * 95 + 1460 * 14 / (365 / 12)}),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_a_component_appears_and_disappears_with_its_cause(cause: str) -> None:
    changes, brings = CAUSES[cause]
    with_cause, without = priced(**changes), priced()
    for name, amount in brings.items():
        assert without[f"tco_{name}"] == 0
        assert with_cause[f"tco_{name}"] == pytest.approx(amount)
    assert with_cause["tco"] == pytest.approx(sum(with_cause[f"tco_{name}"] for name in COMPONENTS))


def test_a_second_move_is_worth_less_the_later_it_comes() -> None:
    # (22 h x 95 + 14 days of 1,460 a month) in 12 months at 8 %
    row = priced(second_at=12.0, rate=8.0)
    assert row["tco_second_move"] == pytest.approx((22 * 95 + 1460 * 14 / (365 / 12)) / 1.08)


def test_machines_that_never_run_cost_their_disks() -> None:
    row = priced(hours=0.0, hours_per_vm_month=0.0, verdict=0)
    assert row["tco"] == row["tco_disks"] == pytest.approx(12 * 6 * 19.71)


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
    assert stay.tco.components == pool.baseline.components
    once = ("migration_labour", "staff_training", "parallel_running", "data_transfer", "second_move")
    assert {stay.tco.components[name] for name in once} == {0.0}


def test_a_baseline_of_nothing_has_no_percentage(ask: Ask) -> None:
    pool = ask("NC4as_T4_v3", 3, "eastus", columns={"deallocated": 3}, assume=(("disk_price", 0.0),))
    assert (pool.baseline.monthly_cost, pool.baseline.tco) == (0, 0)
    assert all(option.saving is not None and option.saving.percent is None for option in pool.options)


def test_horizon_and_rate_change_the_present_value_only(ask: Ask) -> None:
    one = option_of(ask("NC24ads_A100_v4", 1, workload="training", horizon_months=12), "NC24ads_A100_v4")
    flat = option_of(
        ask("NC24ads_A100_v4", 1, workload="training", assume=(("discount_rate", 0.0),)), "NC24ads_A100_v4"
    )
    # a month: the machine, a system and a data disk, 50 GiB of traffic, half an hour of work
    monthly = 730 * 4.775 + 2 * 19.71 + 50 * 0.087 + 0.5 * 95
    assert one.tco.expected == pytest.approx(monthly * (1 - 1 / 1.08) / (1.08 ** (1 / 12) - 1))
    assert flat.tco.expected == pytest.approx(36 * monthly)
    assert math.isclose(one.monthly_cost, flat.monthly_cost)
