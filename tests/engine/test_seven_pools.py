"""The seven pools that must come out right, with their arithmetic (design 4.9).

Linux pay-as-you-go in US dollars on 2026-11-30, horizon 36 months at 8 % a year. One dollar at the end of each month
is worth (1 - 1.08 ** -3) / (1.08 ** (1 / 12) - 1) = 32.0433 today.
"""

from __future__ import annotations

import math

import pytest

from advisor.engine.answer import PoolAdvice
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of, rejected_codes

ANNUITY = (1 - 1.08**-3) / (1.08 ** (1 / 12) - 1)
LABOUR_RATE = 95.0


def needs_infiniband(pool: PoolAdvice) -> bool:
    return "spans-infiniband" in codes_of(pool.options[0])


def test_the_annuity_is_the_one_of_the_design() -> None:
    assert pytest.approx(32.0433, abs=1e-4) == ANNUITY


class TestExpert1:
    """12 x NC6, steady training, westeurope."""

    @pytest.fixture(scope="class")
    @classmethod
    def pool(cls, ask: Ask) -> PoolAdvice:
        return ask("NC6", 12, workload="training", pattern="steady")

    def test_expert_1_first_choice(self, pool: PoolAdvice) -> None:
        assert pool.options[0].size in ("Standard_NC4as_T4_v3", "Standard_NC24ads_A100_v4")

    def test_expert_1_baseline_is_the_last_known_price(self, pool: PoolAdvice) -> None:
        assert pool.baseline.kind == "last_known"
        assert pool.baseline.monthly_cost == pytest.approx(12 * 730 * 1.166)  # 10,214.16
        assert pool.baseline.cost_now == 0.0  # it can no longer be run
        assert pool.options[0].saving is not None and pool.options[0].saving.against == "before"

    def test_expert_1_about_eight_t4(self, pool: PoolAdvice) -> None:
        t4 = option_of(pool, "NC4as_T4_v3")
        assert t4.vms in (7, 8, 9)
        assert t4.vms == math.ceil(12 / t4.speedup.expected)
        assert t4.hours_per_month == t4.vms * 730
        assert t4.monthly_cost == pytest.approx(t4.vms * 730 * 0.658)
        assert not codes_of(t4) & {"no-new-capacity"}

    def test_expert_1_one_a100_for_all(self, pool: PoolAdvice) -> None:
        a100 = option_of(pool, "NC24ads_A100_v4")
        assert a100.vms == 1
        assert {"consolidates", "no-new-capacity"} <= codes_of(a100)
        consolidates = next(reason for reason in a100.rules if reason.code == "consolidates")
        assert "12 VMs become 1" in consolidates.message
        assert a100.monthly_cost == pytest.approx(730 * 4.775)  # 3,485.75
        labour = (40 + 1 * 3 + 4) * LABOUR_RATE  # the image once, one VM, half a day of training: 4,465
        # a month beside the price: 1 system and 12 data disks, traffic of the 12, half an hour of work
        running = (1 + 12) * 19.71 + 12 * 50 * 0.087 + 0.5 * LABOUR_RATE  # 355.93
        assert a100.verdict == "rebuild"
        assert a100.tco.expected == pytest.approx((730 * 4.775 + running) * ANNUITY + labour)  # nothing beside it
        today = 12 * 730 * 1.166 + (12 + 12) * 19.71 + 12 * 50 * 0.087 + 12 * 0.5 * LABOUR_RATE  # 11,309.40
        fixed = (12 * 19.71 + 12 * 50 * 0.087) * ANNUITY + (40 + 4) * LABOUR_RATE  # whatever the count
        each = (730 * 4.775 + 19.71 + 0.5 * LABOUR_RATE) * ANNUITY + 3 * LABOUR_RATE
        most = math.floor((today * ANNUITY - fixed) / each)  # floor(3.05)
        assert a100.break_even_speedup == pytest.approx(12 / most)


class TestExpert2:
    """4 x NC24rs_v2, multi-node training, southcentralus: the 16 P100 fit into one VM."""

    @pytest.fixture(scope="class")
    @classmethod
    def pool(cls, ask: Ask) -> PoolAdvice:
        return ask("NC24rs_v2", 4, "southcentralus", workload="training", multi_node=True)

    def test_expert_2_one_job_of_sixteen_gpus(self, pool: PoolAdvice) -> None:
        assert pool.workload.job_gpus == 16

    def test_expert_2_first_choice_is_one_vm_without_infiniband(self, pool: PoolAdvice) -> None:
        first = pool.options[0]
        assert first.size in ("Standard_NC96ads_A100_v4", "Standard_NC80adis_H100_v5")
        assert first.vms == 1
        assert "infiniband-lost" in codes_of(first)
        assert not needs_infiniband(pool)

    def test_expert_2_room_to_grow(self, pool: PoolAdvice) -> None:
        assert option_of(pool, "ND96asr_v4").vms == 1

    def test_expert_2_costs(self, pool: PoolAdvice) -> None:
        assert option_of(pool, "NC96ads_A100_v4").monthly_cost == pytest.approx(730 * 17.63)
        assert option_of(pool, "NC80adis_H100_v5").monthly_cost == pytest.approx(730 * 16.76)

    def test_expert_2_t4_cannot_hold_the_job(self, pool: PoolAdvice) -> None:
        assert "spans-vms" in rejected_codes(pool, "NC64as_T4_v3")


class TestExpert3:
    """20 x NV12s_v3 graphics, westeurope: one VM per seat, GRID included."""

    @pytest.fixture(scope="class", params=["linux", "windows"])
    @classmethod
    def pool(cls, ask: Ask, request: pytest.FixtureRequest) -> PoolAdvice:
        return ask("NV12s_v3", 20, columns={"os": request.param}, workload="graphics")

    def test_expert_3_twenty_a10_thirds(self, pool: PoolAdvice) -> None:
        first = pool.options[0]
        assert (first.size, first.vms, first.gpus) == ("Standard_NV12ads_A10_v5", 20, pytest.approx(20 / 3))
        hourly = 1.18 if pool.os == "linux" else 1.732  # the Windows row: 1.18 + 12 x 0.046
        assert first.monthly_cost == pytest.approx(20 * 730 * hourly)

    def test_expert_3_every_option_has_one_vm_per_seat(self, pool: PoolAdvice) -> None:
        assert {option.vms for option in pool.options} == {20}

    def test_expert_3_speed_changes_no_cost(self, pool: PoolAdvice) -> None:
        assert pool.options[0].break_even_speedup is None
        assert "seat" in pool.options[0].break_even_why


class TestExpert4:
    """6 x NC6s_v3, online inference, 80 hours a month."""

    @pytest.fixture(scope="class")
    @classmethod
    def pool(cls, ask: Ask) -> PoolAdvice:
        return ask("NC6s_v3", 6, columns={"hours": 80.0}, workload="inference")

    def test_expert_4_t4_or_a100(self, pool: PoolAdvice) -> None:
        assert pool.options[0].size.endswith(("as_T4_v3", "ads_A100_v4"))

    def test_expert_4_the_peak_is_never_stretched(self, pool: PoolAdvice) -> None:
        assert pool.options
        for option in pool.options:
            assert option.hours_per_month == pytest.approx(option.vms * 80)

    def test_expert_4_peak_power_is_kept(self, pool: PoolAdvice) -> None:
        t4 = option_of(pool, "NC4as_T4_v3")
        assert t4.vms == math.ceil(6 / t4.speedup.expected)
        assert t4.monthly_cost == pytest.approx(t4.vms * 80 * 0.658)

    def test_expert_4_two_vms_remain_at_least(self, pool: PoolAdvice) -> None:
        assert min(option.vms for option in pool.options) == 2


class TestExpert5:
    """2 x ND40rs_v2 training, westeurope."""

    @pytest.fixture(scope="class")
    @classmethod
    def one_job(cls, ask: Ask) -> PoolAdvice:
        return ask("ND40rs_v2", 2, workload="training", multi_node=True)

    @pytest.fixture(scope="class")
    @classmethod
    def eight_gpu_jobs(cls, ask: Ask) -> PoolAdvice:
        return ask("ND40rs_v2", 2, workload="training", multi_node=False)

    def test_expert_5_one_two_node_job_fits_one_vm(self, one_job: PoolAdvice) -> None:
        assert (one_job.options[0].size, one_job.options[0].vms) == ("Standard_ND96asr_v4", 1)

    def test_expert_5_eight_gpu_jobs_go_to_one_nd_a100(self, eight_gpu_jobs: PoolAdvice) -> None:
        # The expert names ND96amsr_A100_v4; the 40 GB sister does the work at a lower price and keeps today's 32 GiB.
        first = eight_gpu_jobs.options[0]
        assert first.size in ("Standard_ND96amsr_A100_v4", "Standard_ND96asr_v4")
        assert first.vms == 1
        assert option_of(eight_gpu_jobs, "ND96amsr_A100_v4").rank <= 2

    def test_expert_5_the_larger_sister_wins_where_its_memory_is_needed(self, ask: Ask) -> None:
        pool = ask("ND40rs_v2", 2, workload="training", gpu_memory_gib=64.0)
        assert (pool.options[0].size, pool.options[0].vms) == ("Standard_ND96amsr_A100_v4", 1)

    def test_expert_5_never_three_of_the_same(self, one_job: PoolAdvice, eight_gpu_jobs: PoolAdvice) -> None:
        for pool in (one_job, eight_gpu_jobs):
            stay = option_of(pool, "ND40rs_v2")
            assert (stay.vms, stay.verdict) == (2, "stay")
            assert stay.monthly_cost == pytest.approx(2 * 730 * 27.526) == pool.baseline.monthly_cost

    def test_expert_5_the_dispute_is_shown(self, one_job: PoolAdvice) -> None:
        assert any(dispute.fact == "status" for dispute in one_job.lifecycle.conflicts)
        assert "retirement-disputed" in codes_of(option_of(one_job, "ND40rs_v2"))


class TestExpert6:
    """10 x NC24ads_A100_v4, online inference at 10 %, westeurope."""

    @pytest.fixture(scope="class")
    @classmethod
    def pool(cls, ask: Ask) -> PoolAdvice:
        return ask("NC24ads_A100_v4", 10, workload="inference", utilisation=0.10)

    def test_expert_6_two_of_the_same(self, pool: PoolAdvice) -> None:
        first = pool.options[0]
        # A = 10 x 0.1 / 0.7 = 1.43 GPUs: two VMs
        assert (first.size, first.vms, first.verdict) == ("Standard_NC24ads_A100_v4", 2, "stay")
        assert first.monthly_cost == pytest.approx(2 * 730 * 4.775)
        assert {"consolidates", "same-model"} <= codes_of(first)

    def test_expert_6_memory_is_asked_first(self, pool: PoolAdvice) -> None:
        assert (pool.questions[0].field, pool.questions[0].changes_first_choice) == ("gpu_memory_gib", True)

    def test_expert_6_a_small_model_goes_to_a_t4_or_a_slice(self, ask: Ask) -> None:
        pool = ask("NC24ads_A100_v4", 10, workload="inference", utilisation=0.10, gpu_memory_gib=14.0)
        first = pool.options[0]
        assert "T4" in first.size or first.gpus < first.vms
        assert first.tco.expected < option_of(pool, "NC24ads_A100_v4").tco.expected


class TestExpert7:
    """1 x NC6, a student, 40 hours a month, westeurope."""

    @pytest.fixture(scope="class", params=[None, "training", "dev"])
    @classmethod
    def pool(cls, ask: Ask, request: pytest.FixtureRequest) -> PoolAdvice:
        return ask("NC6", 1, columns={"hours": 40.0}, workload=request.param)

    def test_expert_7_one_t4_off_when_idle(self, pool: PoolAdvice) -> None:
        first = pool.options[0]
        assert (first.size, first.vms) == ("Standard_NC4as_T4_v3", 1)
        assert "off when idle" in first.why
        assert first.hours_per_month <= 45

    def test_expert_7_a_queue_runs_faster_and_pays_its_starts(self, ask: Ask) -> None:
        first = ask("NC6", 1, columns={"hours": 40.0}, workload="training").options[0]
        assert first.hours_per_month == pytest.approx(40 / first.speedup.expected + 20 * 0.25)
        assert first.monthly_cost == pytest.approx(first.hours_per_month * 0.658)

    def test_expert_7_a_seat_keeps_its_hours(self, ask: Ask) -> None:
        first = ask("NC6", 1, columns={"hours": 40.0}, workload="dev").options[0]
        assert first.hours_per_month == 40
        assert first.monthly_cost == pytest.approx(40 * 0.658)
