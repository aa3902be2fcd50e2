"""Rules on CUDA, frameworks and drivers where a floor, a ceiling or a release is not that of the target."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import numpy as np
import pytest

from advisor.engine.answer import Option, Reason
from advisor.engine.candidates import World
from advisor.engine.rulebook.software import guest_vgpu
from tests.engine.conftest import Ask
from tests.factories import codes_of, option_of


def of(ask: Ask, size: str, target: str, facts: dict[str, Any] | None = None, **more: Any) -> Option:
    columns = more.pop("columns", {}) | ({"facts": json.dumps(facts)} if facts else {})
    region = more.pop("region", "westeurope")
    return option_of(ask(size, more.pop("count", 1), region, columns=columns, **more), target)


def told(option: Option, code: str) -> Reason:
    (found,) = (reason for reason in option.rules if reason.code == code)
    return found


# CUDA of GPUs whose own first toolkit no page gives


@pytest.mark.parametrize(
    ("cuda", "code"),
    [("10.1", "cuda-floor"), (None, "cuda-unknown"), ("11.0", None), ("11.2", None), ("12.4", None)],
)
def test_the_a10_needs_cuda_11_as_the_a100_does(ask: Ask, cuda: str | None, code: str | None) -> None:
    # the row of 8.6: binaries for 8.0 run on 8.6, any CUDA 11.x is safe
    option = of(ask, "NC12", "NV36ads_A10_v5", {"cuda": cuda} if cuda else None, workload="inference")
    assert codes_of(option) & {"cuda-floor", "cuda-unknown"} == ({code} if code else set())
    if code:
        assert "11.0" in told(option, code).message


def test_every_nvidia_gpu_has_a_first_cuda(world: World) -> None:
    # T4 10.0, A100 11.0, H100 11.8; no GPU is passed because nothing is known of it
    nvidia = world.facts["vendor"] == "nvidia"
    known = np.array([gpu is not None for gpu in world.facts["gpu"]])
    assert not np.isnan(world.facts["min_cuda"][nvidia & known]).any()
    floors = {gpu: floor for gpu, floor in zip(world.facts["gpu"], world.facts["min_cuda"], strict=True) if gpu}
    assert (floors["A10"], floors["T4"], floors["H100 NVL 94GB"]) == (1100, 1000, 1108)


# First and last branch of the driver


@pytest.mark.parametrize(
    ("source", "target", "driver", "last"),
    [
        ("ND40rs_v2", "ND40rs_v2", "595.58", "R580"),  # V100
        ("NC6", "NC6_Promo", "535.161", "R470"),  # K80, to itself
        ("NV12s_v3", "NV12s_v3", "595.58", "R580"),  # M60
    ],
)
def test_branches_that_dropped_the_gpu_are_told_where_it_runs(
    ask: Ask, source: str, target: str, driver: str, last: str
) -> None:
    found = told(of_stay(ask, source, target, driver), "driver-ceiling")
    assert (found.severity, last in found.message, last in found.fix) == ("step", True, True)


def of_stay(ask: Ask, source: str, target: str, driver: str) -> Option:
    day = date(2026, 6, 1) if source != "NC6" else date(2023, 6, 1)
    return of(ask, source, target, {"driver": driver}, workload="training", as_of=day, horizon_months=1)


def test_branches_that_dropped_the_gpu_are_told_of_a_target(ask: Ask) -> None:
    option = of(ask, "NC16as_T4_v3", "ND40rs_v2", {"driver": "595.58"}, workload="training")
    assert "R580" in told(option, "driver-ceiling").message
    fits = of(ask, "NC16as_T4_v3", "ND40rs_v2", {"driver": "580.95"}, workload="training")
    assert not codes_of(fits) & {"driver-ceiling", "driver-unknown"}
    asked = of(ask, "NC16as_T4_v3", "ND40rs_v2", workload="training")
    assert told(asked, "driver-unknown").field == "driver"


def test_vgpu_17_does_not_work_on_the_m60(ask: Ask) -> None:
    # NVv3 ends at vGPU 16.5, R535 on Linux; R550 is below the last branch of the chip
    option = of_stay(ask, "NV12s_v3", "NV12s_v3", "550.90")
    assert "R535" in told(option, "guest-driver-new").message
    assert not codes_of(option) & {"guest-driver-fits", "driver-ceiling"}


@pytest.mark.parametrize(("driver", "code"), [("470.82", "driver-floor"), ("535.161", None), (None, "driver-unknown")])
def test_a_driver_older_than_the_gpu_is_told(ask: Ask, driver: str | None, code: str | None) -> None:
    facts = {"generation": 2.0} | ({"driver": driver} if driver else {})
    option = of(ask, "NC24s_v3", "NC40ads_H100_v5", facts, workload="training")
    assert codes_of(option) & {"driver-floor", "driver-floor-unknown", "driver-unknown"} == ({code} if code else set())
    if code == "driver-floor":
        assert "R525" in told(option, code).message  # H100: MIG user guide


def test_a_first_branch_that_no_source_gives_is_unknown(ask: Ask) -> None:
    # T4: pages name R580 for the series and no first branch
    option = of(ask, "NC6s_v3", "NC8as_T4_v3", {"driver": "390.12"}, workload="inference")
    assert "390.12" in told(option, "driver-floor-unknown").question
    named = of(ask, "NC6s_v3", "NC8as_T4_v3", {"driver": "580.95"}, workload="inference")
    assert not codes_of(named) & {"driver-floor-unknown", "driver-unknown"}


# A CUDA driver is of no vGPU release


def test_a_cuda_driver_is_not_read_as_grid(ask: Ask) -> None:
    h100 = of(ask, "NC40ads_H100_v5", "NC144ds_xl_RTXPRO6000BSE_v6", {"driver": "580.95"}, workload="inference")
    k80 = of(ask, "NC12", "NV36ads_A10_v5", {"driver": "470.82"}, workload="inference")
    for option in (h100, k80):
        assert not {code for code in codes_of(option) if code.startswith("guest-driver")}
        assert "grid-driver-only" in codes_of(option)


@pytest.mark.parametrize(("branch", "release"), [(535, 16), (538, 16), (570, 18), (596, 20), (580, None), (550, None)])
def test_a_branch_outside_the_table_has_no_release(branch: float, release: float | None) -> None:
    found = float(guest_vgpu(np.array([branch]))[0])
    assert np.isnan(found) if release is None else found == release


def test_a_grid_branch_outside_the_table_is_asked_for(ask: Ask) -> None:
    option = of(ask, "NV12ads_A10_v5", "NV36ads_A10_v5", {"driver": "580.95"}, workload="inference")
    assert told(option, "guest-driver-unread").severity == "unknown"
    assert "guest-driver-fits" not in codes_of(option)


def test_a_grid_driver_is_of_no_cuda_branch(ask: Ask) -> None:
    option = of(ask, "NV12ads_A10_v5", "NC24ads_A100_v4", {"driver": "535.161"}, workload="inference")
    assert "driver-ended" not in codes_of(option)


# Secure Boot where GRID is what the work uses


@pytest.mark.parametrize(("source", "target"), [("NV12s_v3", "NC8as_T4_v3"), ("NC6s_v3", "NC64as_T4_v3")])
def test_grid_on_a_t4_needs_secure_boot_off_on_linux(ask: Ask, source: str, target: str) -> None:
    facts = {"secure_boot": 1.0, "generation": 2.0}
    more: dict[str, Any] = {"workload": "graphics", "gpu_memory_gib": 8.0, "assume": (("grid_licence", 30.0),)}
    option = of(ask, source, target, facts, **more)
    assert "Secure Boot" in told(option, "secure-boot").message
    assert "secure-boot-signed" not in codes_of(option)
    cuda = of(ask, source, target, facts, workload="inference", gpu_memory_gib=8.0)
    assert "secure-boot" not in codes_of(cuda) and "secure-boot-signed" in codes_of(cuda)


def test_graphics_on_a_t4_has_a_grid_driver_already(ask: Ask) -> None:
    option = of(ask, "NC8as_T4_v3", "NV36ads_A10_v5", {"generation": 2.0}, workload="graphics")
    assert "driver-branch" in codes_of(option)
    assert "grid-driver-only" not in codes_of(option)


# TensorFlow on Blackwell


@pytest.mark.parametrize(
    ("version", "code"), [("2.21", "tensorflow-blackwell"), ("2.22", "tensorflow-blackwell-unknown"), (None, None)]
)
def test_tensorflow_has_no_kernels_for_blackwell(ask: Ask, version: str | None, code: str | None) -> None:
    # 2.21 is tested with CUDA 12.5, Blackwell needs 12.8
    facts = {"tensorflow": version, "cuda": "12.8"} if version else {"cuda": "12.8"}
    option = of(ask, "NC40ads_H100_v5", "NC144ds_xl_RTXPRO6000BSE_v6", facts, workload="inference")
    assert {one for one in codes_of(option) if one.startswith("tensorflow")} == ({code} if code else set())
    if code == "tensorflow-blackwell":
        assert "container" in told(option, code).fix and option.verdict == "rebuild"


# InfiniBand by its card


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("NC24rs_v3", "ND96asr_v4", "infiniband-driver"),  # ConnectX-3 Pro
        ("ND24rs", "ND96asr_v4", "infiniband-driver"),
        ("ND96asr_v4", "ND96amsr_A100_v4", None),  # 8 x 200 Gb both
        ("ND96isr_H100_v5", "ND96isr_H200_v5", None),  # 8 x 400 Gb both
        ("ND40rs_v2", "ND96asr_v4", "infiniband-driver-unknown"),  # 100 Gb, no ConnectX-3
        ("ND96asr_v4", "ND96isr_H100_v5", "infiniband-driver-unknown"),
    ],
)
def test_infiniband_drivers_are_judged_by_the_card(ask: Ask, source: str, target: str, code: str | None) -> None:
    facts = {"generation": 2.0, "cuda": "12.4", "driver": "580.95"}
    region = "centralus" if target == "ND96isr_H200_v5" else "southcentralus"
    option = of(ask, source, target, facts, region=region, count=2, workload="training", gpu_memory_gib=16.0)
    assert codes_of(option) & {"infiniband-driver", "infiniband-driver-unknown"} == ({code} if code else set())
    if code is None:
        assert option.verdict == "resize"
