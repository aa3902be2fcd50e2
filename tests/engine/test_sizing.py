"""Sizing: counts and hours of design 4.5, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from advisor.engine.arrays import Table
from advisor.engine.assumptions import values_with
from advisor.engine.sizing import add_sizing
from advisor.engine.words import Row
from tests.engine.conftest import Ask
from tests.factories import option_of

#: 12 VMs with one GPU each, all month, to a size with one GPU of the same speed; nothing known of utilisation.
PLAIN: dict[str, Any] = {
    "vms": 12,
    "k0": 1.0,
    "hours_per_vm_month": 730.0,
    "utilisation": np.nan,
    "units": 1.0,
    "gpus": 1.0,
    "speed": 1.0,
    "shape": "queue",
    "pattern": "steady",
    "kind": "training",
    "job_gpus": 1.0,
    "min_vms": 1.0,
    "stay": False,
    "infiniband": 0.0,
    "from_infiniband": 0.0,
    "gpu_link": "pcie",
    "from_gpu_link": "pcie",
}


def sized(**changes: Any) -> dict[str, Any]:
    table = Table.of({name: [value] for name, value in (PLAIN | changes).items()})
    return dict(Row(add_sizing(table, values_with()), 0))


def test_count_is_work_over_speed_rounded_up() -> None:
    assert sized(speed=1.57)["n"] == 8  # 12 / 1.57 = 7.64


def test_an_exact_fit_is_not_rounded_up_by_a_grain_of_dust() -> None:
    assert sized(vms=3, speed=0.1 + 0.2)["n"] == 10  # 3 / 0.30000000000000004
    assert sized(vms=9, speed=3 * 1.1 / 1.1)["n"] == 3


def test_utilisation_counts_against_the_target_of_70_percent() -> None:
    row = sized(vms=10, utilisation=0.1, shape="stream", min_vms=2.0)
    assert row["asked"] == pytest.approx(10 * 0.1 / 0.7)  # 1.43
    assert row["n"] == 2


def test_busier_than_the_target_asks_for_no_more_than_today() -> None:
    assert sized(utilisation=0.9)["asked"] == 12


def test_demand_is_source_gpu_hours() -> None:
    assert sized()["demand"] == 12 * 730
    assert sized(k0=4.0, utilisation=0.25, hours_per_vm_month=100.0)["demand"] == 12 * 4 * 0.25 * 100


def test_a_stream_keeps_two_and_a_queue_may_keep_one() -> None:
    assert sized(speed=100.0, shape="stream", min_vms=2.0)["n"] == 2
    assert sized(speed=100.0)["n"] == 1


def test_a_seat_keeps_every_vm_whatever_the_speed() -> None:
    for speed in (0.5, 1.0, 50.0):
        assert sized(shape="seat", speed=speed, min_vms=12.0)["n"] == 12


def test_hours_of_a_steady_pool() -> None:
    assert sized(speed=1.57)["hours"] == 8 * 730


def test_hours_of_a_burst_stream_are_those_of_its_vms() -> None:
    # n = ceil(12 / 0.6) = 20: the peak needs 20 VMs for the same 80 hours
    row = sized(speed=0.6, shape="stream", pattern="burst", hours_per_vm_month=80.0, min_vms=2.0)
    assert (row["n"], row["hours"]) == (20, 20 * 80)


def test_more_seats_than_today_where_the_user_wants_to_keep_more() -> None:
    kept = sized(shape="seat", min_vms=15.0, pattern="burst", hours_per_vm_month=80.0)
    assert (kept["n"], kept["hours"]) == (15, 15 * 80)
    assert sized(shape="seat", min_vms=5.0)["n"] == 12  # fewer than people is not wanted by asking for at least 5


def test_hours_of_a_burst_seat() -> None:
    assert sized(speed=9.0, shape="seat", pattern="burst", hours_per_vm_month=80.0)["hours"] == 12 * 80


def test_hours_of_a_burst_queue_are_work_and_starts() -> None:
    # D = 12 x 80 = 960, r = 2: 480 h, and 6 VMs x 20 starts x 0.25 h = 30 h
    row = sized(speed=2.0, pattern="burst", hours_per_vm_month=80.0)
    assert (row["n"], row["hours"]) == (6, 480 + 30)


def test_hours_of_a_burst_queue_never_pass_the_month() -> None:
    row = sized(vms=1, pattern="burst", hours_per_vm_month=729.0)
    assert row["hours"] == 730  # 729 + 5


def test_a_stay_pays_no_start_hours() -> None:
    assert sized(stay=True, pattern="burst", hours_per_vm_month=80.0)["hours"] == 12 * 80


def test_unknown_speed_gives_no_count_and_no_hours() -> None:
    row = sized(speed=np.nan)
    assert np.isnan(row["n"]) and np.isnan(row["hours"]) and np.isnan(row["replaces"])


# Jobs that span GPUs


def test_efficiency_is_target_over_source() -> None:
    # a 4-GPU job, PCIe today (0.85), NVLink then (0.95)
    row = sized(k0=4.0, units=4.0, gpus=4.0, job_gpus=4.0, gpu_link="nvlink")
    assert row["efficiency"] == pytest.approx(0.95 / 0.85)
    assert row["replaces"] == pytest.approx(4 * 0.95 / 0.85)


def test_streams_and_seats_pay_nothing_for_the_way_gpus_are_joined() -> None:
    row = sized(kind="inference", shape="stream", k0=4.0, units=4.0, job_gpus=4.0)
    assert row["efficiency"] == 1.0


def test_a_job_that_fits_on_one_faster_gpu_has_no_links_to_pay() -> None:
    row = sized(k0=4.0, job_gpus=4.0, speed=3.2)  # 1.25 x 3.2 = 4
    assert row["efficiency"] == pytest.approx(1 / 0.85)


def test_a_job_too_large_for_one_vm_spans_several() -> None:
    row = sized(vms=4, k0=4.0, job_gpus=16.0, units=8.0, from_infiniband=1.0, infiniband=1.0)
    assert row["spans"]  # 1.25 x 8 x 0.85 / 0.9 = 9.4 < 16
    assert row["efficiency"] == pytest.approx(1.0)  # InfiniBand on both sides
    assert row["n"] == 2


def test_without_infiniband_spanning_costs_half() -> None:
    row = sized(vms=4, k0=4.0, job_gpus=16.0, units=8.0, from_infiniband=1.0)
    assert row["efficiency"] == pytest.approx(0.5 / 0.9)
    assert row["n"] == 4  # 16 / (8 x 0.556) = 3.6


def test_one_spanning_job_never_gets_fewer_vms_than_it_needs() -> None:
    # hardly busy, but the one job of 16 GPUs needs 16 / (1.25 x 8) = 1.6 VMs
    row = sized(vms=4, k0=4.0, job_gpus=16.0, units=8.0, utilisation=0.05, from_infiniband=1.0, infiniband=1.0)
    assert row["n"] == 2


@pytest.mark.parametrize("job", [1.0, 4.0, 5.0, 8.0, 16.0])
@pytest.mark.parametrize("infiniband", [0.0, 1.0])
def test_a_stay_is_exactly_today(job: float, infiniband: float) -> None:
    """Two VMs of a job across slow Ethernet once counted as 1.7 of themselves."""
    row = sized(
        vms=4, k0=4.0, units=4.0, gpus=4.0, job_gpus=job, stay=True, pattern="burst", hours_per_vm_month=100.0,
        infiniband=infiniband, from_infiniband=infiniband,
    )  # fmt: skip
    assert (row["n"], row["hours"], row["efficiency"]) == (4, 400, 1.0)


def test_a_stay_on_two_vms_over_ethernet_keeps_its_hours(ask: Ask) -> None:
    columns = {"hours": 100.0}
    pool = ask("ND40rs_v2", 2, columns=columns, workload="training", multi_node=True)
    stay = option_of(pool, "ND40rs_v2")
    assert (stay.vms, stay.hours_per_month, stay.monthly_cost) == (2, 200, pool.baseline.monthly_cost)
    pool = ask("NC48ads_A100_v4", 2, "eastus", columns=columns, workload="training", multi_node=True)  # no InfiniBand
    stay = option_of(pool, "NC48ads_A100_v4")
    assert (stay.vms, stay.hours_per_month, stay.monthly_cost) == (2, 200, pool.baseline.monthly_cost)


def test_below_one_gpu_a_slice_counts_with_its_own_speed(ask: Ask) -> None:
    pool = ask("NC6s_v3", 2, columns={}, workload="inference", utilisation=0.1, gpu_memory_gib=7.0)
    slices = option_of(pool, "NV12ads_A10_v5")
    whole = option_of(pool, "NV36ads_A10_v5")
    assert slices.speedup.expected == pytest.approx(whole.speedup.expected / 3)
    assert slices.gpus == pytest.approx(slices.vms / 3)
