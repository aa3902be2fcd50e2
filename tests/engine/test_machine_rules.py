"""Rules that read facts of the source machine: each public case, and that nothing known is never a pass."""

from __future__ import annotations

import json
from typing import Any

import pytest

from advisor.engine.answer import Option, PoolAdvice, Reason
from advisor.engine.rulebook import BY_CODE, DECIDING, RULES
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of, rejected_codes


def told(option: Option, code: str) -> Reason:
    (found,) = (reason for reason in option.rules if reason.code == code)
    return found


def of(ask: Ask, size: str, target: str, facts: dict[str, Any] | None = None, **more: Any) -> Option:
    """The option of one machine with these facts; `columns` of its row may be given beside them."""
    return option_of(pool_of(ask, size, facts, **more), target)


def pool_of(ask: Ask, size: str, facts: dict[str, Any] | None = None, **more: Any) -> PoolAdvice:
    columns = more.pop("columns", {}) | ({"facts": json.dumps(facts)} if facts else {})
    return ask(size, more.pop("count", 1), more.pop("region", "westeurope"), columns=columns, **more)


def test_there_are_at_least_thirty_kinds_of_rule() -> None:
    assert len(RULES) >= 100
    assert all(rule.decides == (rule in DECIDING) for rule in RULES)


# Image


@pytest.mark.parametrize("target", ["NC24ads_A100_v4", "NC40ads_H100_v5"])
def test_u14_generation_1_needs_a_new_image_and_says_where_conversion_is_excluded(ask: Ask, target: str) -> None:
    option = of(ask, "NC6s_v3", target, {"image": "debian 11"}, columns={"generation": 1.0}, workload="training")
    assert option.verdict == "rebuild"
    assert "Trusted Launch" in told(option, "generation").fix
    assert "debian 11 cannot be converted" in told(option, "conversion-excluded").message
    ubuntu = of(ask, "NC6s_v3", target, {"image": "ubuntu 22.04"}, columns={"generation": 1.0}, workload="training")
    assert "conversion-excluded" not in codes_of(ubuntu)


def test_u24_an_image_that_was_seen_to_find_no_gpu_is_a_warning(ask: Ask) -> None:
    # azhpc-images issue 398: ubuntu-hpc 22.04 on NV72ads_A10_v5; the same image works on NC96ads_A100_v4
    facts = {"image": "ubuntu-hpc 22.04"}
    a10 = of(ask, "NC6s_v3", "NV36ads_A10_v5", facts, workload="inference")
    assert "find no GPU of the kind A10" in told(a10, "image-blind").message
    assert "image-blind" not in codes_of(of(ask, "NC6s_v3", "NC24ads_A100_v4", facts, workload="inference"))


def test_a_guest_system_older_than_any_that_is_named_is_a_rebuild(ask: Ask) -> None:
    # the page of NC A100 v4 names RHEL 8.8 to 9.2
    old = of(ask, "NC6s_v3", "NC24ads_A100_v4", {"image": "rhel 7.9"}, columns={"generation": 2.0}, workload="training")
    assert (told(old, "system-old").severity, old.verdict) == ("step", "rebuild")
    named = of(
        ask, "NC6s_v3", "NC24ads_A100_v4", {"image": "rhel 8.8"}, columns={"generation": 2.0}, workload="training"
    )
    assert not codes_of(named) & {"system-old", "system"}


@pytest.mark.parametrize("image", [None, "rocky 9", "ubuntu 24.04"])
def test_a_guest_system_that_no_page_names_is_unknown_and_not_refused(ask: Ask, image: str | None) -> None:
    facts = {"image": image} if image else None
    found = told(of(ask, "NC6s_v3", "NC24ads_A100_v4", facts, workload="training"), "system")
    assert (found.severity, found.field) == ("unknown", "image")


def test_secure_boot_and_grid_on_linux_do_not_go_together(ask: Ask) -> None:
    def asked(value: float | None, os: str = "linux") -> set[tuple[str, str]]:
        facts = {} if value is None else {"secure_boot": value}
        columns = {"generation": 2.0, "os": os}
        option = of(ask, "NV12s_v3", "NV12ads_A10_v5", facts, columns=columns, workload="graphics")
        return {(reason.code, reason.severity) for reason in option.rules if reason.code == "secure-boot"}

    assert asked(1.0) == {("secure-boot", "step")}
    assert asked(0.0) == set()
    assert asked(None) == {("secure-boot", "unknown")}
    assert asked(1.0, "windows") == set()


def test_the_driver_extension_has_to_be_installed_anew(ask: Ask) -> None:
    option = of(ask, "NC6", "NC4as_T4_v3", {"extensions": "nvidia-driver+other"}, workload="training")
    assert "never updates a driver" in told(option, "extensions").message
    assert "extensions" not in codes_of(of(ask, "NC6", "NC4as_T4_v3", {"extensions": "none"}, workload="training"))


# Software


def test_u25_no_bf16_below_compute_capability_8(ask: Ask) -> None:
    pool = pool_of(ask, "NC24ads_A100_v4", workload="training", precision="bf16", gpu_memory_gib=12.0)
    assert "dtype" in rejected_codes(pool, "NC4as_T4_v3")  # T4: 7.5
    assert "dtype" not in rejected_codes(pool, "NV36ads_A10_v5")  # A10: 8.6
    (refused,) = (entry for entry in pool.rejected if entry.size == "Standard_NC4as_T4_v3")
    assert any("bf16" in reason.message and "T4" in reason.message for reason in refused.reasons)
    fp16 = pool_of(ask, "NC24ads_A100_v4", workload="training", precision="fp16", gpu_memory_gib=12.0)
    assert "dtype" not in rejected_codes(fp16, "NC4as_T4_v3")


@pytest.mark.parametrize(
    ("cuda", "target", "code"),
    [
        ("10.2", "NC24ads_A100_v4", "cuda-floor"),  # A100 begins at 11.0
        ("11.0", "NC24ads_A100_v4", None),
        ("11.4", "NC40ads_H100_v5", "cuda-floor"),  # H100 begins at 11.8
        ("9.0", "NC4as_T4_v3", "cuda-floor"),  # T4 begins at 10.0
    ],
)
def test_u25_the_cuda_of_the_code_is_held_against_that_of_the_gpu(
    ask: Ask, cuda: str, target: str, code: str | None
) -> None:
    columns = {"generation": 2.0}
    option = of(ask, "NC6s_v3", target, {"cuda": cuda}, columns=columns, workload="inference", gpu_memory_gib=10.0)
    assert codes_of(option) & {"cuda-floor", "cuda-unknown", "cuda-minimum"} == ({code} if code else set())
    if code:
        assert (option.verdict, cuda in told(option, code).message) == ("rebuild", True)


def test_u25_unknown_cuda_is_asked_for_only_where_the_gpu_asks_for_a_newer_one(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC24ads_A100_v4", workload="training")  # V100 9.0, A100 11.0
    assert (told(option, "cuda-unknown").severity, told(option, "cuda-unknown").field) == ("unknown", "cuda")
    same = of(ask, "NC4as_T4_v3", "NC8as_T4_v3", workload="training")
    assert "cuda-unknown" not in codes_of(same)


def test_u25_cuda_13_code_cannot_stay_on_volta(ask: Ask) -> None:
    stay = of(ask, "ND40rs_v2", "ND40rs_v2", {"cuda": "13.0"}, workload="training")
    assert "12.9 is the last" in told(stay, "cuda-ceiling").message
    assert "cuda-ceiling" not in codes_of(of(ask, "ND40rs_v2", "ND40rs_v2", {"cuda": "12.8"}, workload="training"))


def test_u26_staying_tells_when_frameworks_leave_the_gpu(ask: Ask) -> None:
    found = told(of(ask, "ND40rs_v2", "ND40rs_v2", workload="training"), "framework-end").message
    assert "CUDA 12.9 is the last toolkit" in found
    assert "drivers end with R580" in found and "PyTorch's CUDA 13 wheels leave it out" in found
    turing = of(ask, "NC4as_T4_v3", "NC4as_T4_v3", workload="training")
    assert "framework-end" not in codes_of(turing)  # T4 is in every current wheel


def test_old_tensorflow_does_not_know_the_gpu(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC24ads_A100_v4", {"tensorflow": "1.15"}, workload="training")  # 2.4 is the first
    assert "2.4" in told(option, "tensorflow-floor").message
    assert "tensorflow-floor" not in codes_of(
        of(ask, "NC6s_v3", "NC24ads_A100_v4", {"tensorflow": "2.11"}, workload="training")
    )


@pytest.mark.parametrize(
    ("driver", "code"),
    [
        ("535.161", "guest-driver-old"),  # vGPU 16 on a host of vGPU 18: Xid 78
        ("570.195", "guest-driver-fits"),
        (None, "guest-driver"),
    ],
)
def test_u20_u21_guest_and_host_branch_are_compared(ask: Ask, driver: str | None, code: str) -> None:
    facts = {"driver": driver} if driver else None
    option = of(ask, "NV12ads_A10_v5", "NV36ads_A10_v5", facts, workload="inference")
    assert codes_of(option) & {"guest-driver-old", "guest-driver-behind", "guest-driver-fits", "guest-driver"} == {code}
    assert "vGPU 18.5" in told(option, code).message  # the branch of the host is always told


def test_u20_two_releases_behind_is_a_warning(ask: Ask) -> None:
    # T4 hosts run vGPU 20.2 for Windows; a guest on R570 has vGPU 18
    columns = {"os": "windows"}
    more = {"workload": "graphics", "assume": (("grid_licence", 30.0),)}
    option = of(ask, "NV12s_v3", "NC8as_T4_v3", {"driver": "570.195"}, columns=columns, **more)
    assert "two releases behind" in told(option, "guest-driver-behind").message


def test_a_driver_branch_that_has_ended_is_told(ask: Ask) -> None:
    option = of(ask, "NC4as_T4_v3", "NC4as_T4_v3", {"driver": "535.161"}, workload="training")
    assert "R535 ended in June 2026" in told(option, "driver-ended").message


# Disks


def test_u36_an_ephemeral_os_disk_must_fit_the_local_disk(ask: Ask) -> None:
    # azure-docs issue 115366: 360 GB refused on NC8as_T4_v3, whose temporary disk is 352 GiB, not 360
    def codes(gib: float, **more: Any) -> set[str]:
        facts = {"ephemeral_os_disk": 1.0, "os_disk_gib": gib, **more}
        return rejected_codes(pool_of(ask, "NC6s_v3", facts, workload="inference"), "NC8as_T4_v3")

    assert "ephemeral-too-large" in codes(360.0)
    assert "ephemeral-too-large" not in codes(352.0)
    assert "ephemeral-too-large" in codes(352.0, security_type="trusted-launch")  # 1 GiB is kept for the guest state


def test_u36_an_ephemeral_os_disk_of_unknown_size_is_unknown_and_the_move_a_redeployment(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC8as_T4_v3", {"ephemeral_os_disk": 1.0}, workload="inference")
    assert told(option, "ephemeral-size-unknown").severity == "unknown"
    assert (told(option, "ephemeral-anew").severity, option.verdict) == ("step", "redeploy")


def test_u37_both_sizes_of_the_temporary_disk_are_told(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC8as_T4_v3", {"temp_used_gib": 200.0}, workload="inference")
    found = told(option, "temp-disk-disputed").message
    assert "360" in found and "352" in found and "352 counts" in found


def test_u38_both_numbers_of_data_disks_are_told_and_the_api_counts(ask: Ask) -> None:
    found = told(of(ask, "NC6", "NC24ads_A100_v4", workload="training"), "data-disks-disputed").message
    assert "12 and 24" in found and "8 and 16" in found and found.endswith("8 counts.")


def test_what_is_kept_on_the_temporary_disk_is_lost(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC4as_T4_v3", {"temp_used_gib": 500.0}, workload="inference")
    assert "500 GiB" in told(option, "temp-disk-kept").message
    assert "176 GiB" in told(option, "temp-disk-too-small").message
    assert told(of(ask, "NC6s_v3", "NC4as_T4_v3", workload="inference"), "temp-disk-use-unknown").severity == "unknown"
    nothing = of(ask, "NC6s_v3", "NC4as_T4_v3", {"temp_used_gib": 0.0}, workload="inference")
    assert not codes_of(nothing) & {"temp-disk-kept", "temp-disk-use-unknown", "temp-disk-too-small"}


def test_azure_disk_encryption_does_not_go_to_rtx(ask: Ask) -> None:
    def asked(value: float | None) -> set[str]:
        facts = {} if value is None else {"disk_encryption": value}
        option = of(ask, "NC6", "NC24lds_xl_RTXPRO6000BSE_v6", facts, count=12, workload="training")
        return {reason.severity for reason in option.rules if reason.code == "disk-encryption"}

    assert (asked(1.0), asked(0.0), asked(None)) == ({"step"}, set(), {"unknown"})


# Network


def test_network_cards_are_counted_against_the_limit(ask: Ask) -> None:
    # NC24ads_A100_v4 takes 2
    assert "nics" in rejected_codes(pool_of(ask, "NC24s_v3", {"nics": 3.0}, workload="training"), "NC24ads_A100_v4")
    assert "nics" not in rejected_codes(pool_of(ask, "NC24s_v3", {"nics": 2.0}, workload="training"), "NC24ads_A100_v4")
    unknown = of(ask, "NC24s_v3", "NC40ads_H100_v5", workload="training")  # takes 2, today's size 8
    assert told(unknown, "nics-unknown").field == "nics"


def test_u29_the_kind_of_infiniband_is_told(ask: Ask) -> None:
    option = of(ask, "NC24r", "ND96asr_v4", region="southcentralus", count=2, workload="training", multi_node=True)
    found = told(option, "infiniband-kind").message
    assert "Network Direct" in found and "SR-IOV" in found
    rs = of(ask, "NC24rs_v2", "ND96asr_v4", region="southcentralus", count=2, workload="training", multi_node=True)
    assert "infiniband-kind" not in codes_of(rs)  # SR-IOV on both sides


def test_u28_a_size_with_infiniband_has_an_order_of_drivers(ask: Ask) -> None:
    option = of(ask, "NC24r", "ND96asr_v4", region="southcentralus", count=2, workload="training", multi_node=True)
    fix = told(option, "infiniband-order").fix
    assert fix.index("InfiniBand driver") < fix.index("GPU driver") < fix.index("MPI")


def test_u30_topology_files_do_not_move_between_nd_and_nc(ask: Ask) -> None:
    option = of(ask, "ND96asr_v4", "NC24ads_A100_v4", workload="inference", gpu_memory_gib=40.0)
    assert "NCCL_TOPO_FILE" in told(option, "nccl-topology").fix
    assert "nccl-topology" not in codes_of(of(ask, "NC6", "NC4as_T4_v3", workload="training"))


def test_nvlink_that_is_lost_is_a_warning(ask: Ask) -> None:
    option = of(ask, "NC48ads_A100_v4", "NC288ds_xl_RTXPRO6000BSE_v6", workload="training")
    assert told(option, "nvlink-lost").severity == "warning"


# Who owns the machines, and where they stand


@pytest.mark.parametrize("fact", ["availability_set", "proximity_group"])
def test_u41_a_set_is_a_group_that_is_deployed_anew(ask: Ask, fact: str) -> None:
    option = of(ask, "NC6", "NC4as_T4_v3", {fact: 1.0}, workload="training")
    code = fact.replace("_", "-")
    assert (told(option, code).severity, option.verdict) == ("step", "redeploy")
    neither = {"availability_set": 0.0, "proximity_group": 0.0}
    plain = of(ask, "NC6", "NC4as_T4_v3", neither, workload="training")
    assert (plain.verdict, "placement-unknown" in codes_of(plain)) == ("resize", False)


def test_u41_a_set_that_is_not_known_is_asked_for(ask: Ask) -> None:
    pool = pool_of(ask, "NC6", workload="training")
    assert told(option_of(pool, "NC4as_T4_v3"), "placement-unknown").severity == "unknown"
    assert "availability_set" in {question.field for question in pool.questions}


def test_u42_an_aks_pool_is_made_anew_beside_the_old_one(ask: Ask) -> None:
    option = of(ask, "NC4as_T4_v3", "NC8as_T4_v3", count=3, columns={"service": "aks"}, workload="inference")
    found = told(option, "aks-node-pool")
    assert (found.severity, option.verdict) == ("step", "redeploy")
    assert [word in found.fix for word in ("new pool", "drain", "delete", "both are paid")] == [True] * 4
    assert option.tco.components["parallel_running"] > 0
    assert "resize" not in codes_of(option)  # no VM of an AKS pool is resized by hand


@pytest.mark.parametrize(
    ("service", "code", "verdict"),
    [("batch", "batch-pool", "redeploy"), ("aml", "aml-compute", "redeploy"), ("vmss", "scale-set", "resize")],
)
def test_each_service_has_its_own_way(ask: Ask, service: str, code: str, verdict: str) -> None:
    option = of(ask, "NC6", "NC4as_T4_v3", columns={"service": service}, workload="training")
    assert (code in codes_of(option), option.verdict) == (True, verdict)


@pytest.mark.parametrize("service", ["aks", "batch"])
def test_a_service_that_does_not_offer_a_series_refuses_it(ask: Ask, service: str) -> None:
    target = "NC24lds_xl_RTXPRO6000BSE_v6"
    pool = pool_of(ask, "NC6", count=12, columns={"service": service}, workload="training")
    assert f"{service}-not-offered" in rejected_codes(pool, target)
    assert f"{service}-not-offered" not in rejected_codes(pool_of(ask, "NC6", count=12, workload="training"), target)


def test_u46_a_zone_is_that_of_the_subscription_and_never_a_place(ask: Ask) -> None:
    option = of(ask, "NC6", "NC4as_T4_v3", {"zone": "2"}, workload="training")
    found = told(option, "zone")
    assert "zone 2 as their own subscription numbers zones" in found.message
    assert "in the subscription of the machines" in found.fix
    assert told(of(ask, "NC6", "NC4as_T4_v3", workload="training"), "zone-unknown").field == "zone"
    assert not codes_of(of(ask, "NC6", "NC4as_T4_v3", {"zone": "none"}, workload="training")) & {"zone", "zone-unknown"}


def test_u47_the_preflight_says_what_it_does_not_prove(ask: Ask) -> None:
    found = told(of(ask, "NC6", "NC4as_T4_v3", workload="training"), "preflight").message
    assert [word in found for word in ("quota", "capacity", "zone", "image")] == [True] * 4


def test_a_reservation_is_exchanged_and_both_dates_of_the_end_are_told(ask: Ask) -> None:
    option = of(ask, "NC24ads_A100_v4", "NC40ads_H100_v5", columns={"price_model": "ri_3y"}, workload="training")
    fix = told(option, "reservation").fix
    assert "2027-02-01" in fix and "2024-01-01" in fix


# Pools whose machines differ


@pytest.mark.parametrize("code", sorted({"cuda-floor", "availability-set", "nics", "dtype", "ephemeral-too-large"}))
def test_rules_that_refuse_or_cost_work_judge_every_candidate(code: str) -> None:
    assert BY_CODE[code].decides
