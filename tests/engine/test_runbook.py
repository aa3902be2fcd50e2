"""Runbooks: steps in an order that works, commands that can be pasted, and what is lost, by public cases."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.runbook.software import images_seen, software_plan
from advisor.engine.runbook.values import PHASES, Runbook, Step
from tests.engine.conftest import Ask


def book(ask: Ask, size: str, target: str, facts: dict[str, Any] | None = None, **more: Any) -> Runbook:
    """The runbook from one size to another."""
    columns = more.pop("columns", {}) | ({"facts": json.dumps(facts)} if facts else {})
    name = f"Standard_{target}"
    pool = ask(size, more.pop("count", 1), more.pop("region", "westeurope"), columns=columns, against=(name,), **more)
    return next(found for found in pool.runbooks if found.size == name)


def codes(runbook: Runbook) -> list[str]:
    return [step.code for step in runbook.steps]


def step(runbook: Runbook, code: str) -> Step:
    return next(found for found in runbook.steps if found.code == code)


def commands(steps: Any) -> str:
    return "\n".join(command.text for found in steps for command in found.commands)


def test_the_first_choice_has_a_runbook_and_so_has_a_size_that_is_asked_for(ask: Ask) -> None:
    pool = ask("NC6", 1, workload="training", against=("Standard_NC40ads_H100_v5",))
    assert [found.size for found in pool.runbooks] == [pool.options[0].size, "Standard_NC40ads_H100_v5"]


@pytest.mark.parametrize("top", [1, 2, 12, 0])
def test_a_size_that_is_asked_for_has_its_runbook_however_low_it_ranks(ask: Ask, top: int) -> None:
    every = ask("NC6", 1, workload="training", top=0)
    last = every.options[-1]
    pool = ask("NC6", 1, workload="training", top=top, against=(last.size,))
    assert [found.size for found in pool.runbooks] == [pool.options[0].size, last.size]
    assert len(pool.options) == (top or len(every.options))
    assert pool.runbooks[1].steps and pool.runbooks[1].verdict == last.verdict


@pytest.mark.parametrize(
    ("size", "target", "more"),
    [
        ("NC6", "NC4as_T4_v3", {"workload": "training"}),
        ("NC24r", "ND96asr_v4", {"workload": "training", "region": "southcentralus", "count": 2, "multi_node": True}),
        ("NC4as_T4_v3", "NC8as_T4_v3", {"workload": "inference", "count": 3, "columns": {"service": "aks"}}),
        ("NC6", "NV24ads_V710_v5", {"workload": "training", "count": 12}),
    ],
)
def test_phases_come_in_their_order_and_no_text_has_a_hole(ask: Ask, size: str, target: str, more: Any) -> None:
    runbook = book(ask, size, target, **more)
    order = list(PHASES)
    places = [order.index(found.phase) for found in runbook.steps]
    assert places == sorted(places) and places[0] == 0
    texts = [found.title + found.text for found in runbook.steps] + [loss.text for loss in runbook.lost]
    for text in texts:
        assert text.strip() and not {"None", "nan", "{", "}"} & set(text.replace(".", " ").replace(",", " ").split())
    assert len(codes(runbook)) == len(set(codes(runbook)))


def test_a_resize_deallocates_resizes_and_starts_in_this_order(ask: Ask) -> None:
    runbook = book(ask, "NC4as_T4_v3", "NC8as_T4_v3", {"availability_set": 0.0, "proximity_group": 0.0}, workload="dev")
    assert runbook.verdict == "resize"
    az = step(runbook, "resize").commands[0].text.splitlines()
    assert [line.split()[2] for line in az] == ["deallocate", "resize", "start"]
    assert "--size Standard_NC8as_T4_v3" in az[1]
    powershell = step(runbook, "resize").commands[1]
    assert powershell.tool == "powershell"
    assert "VmSize = 'Standard_NC8as_T4_v3'" in powershell.text


def test_u14_generation_1_is_converted_or_rebuilt_before_the_move(ask: Ask) -> None:
    facts = {"image": "ubuntu 22.04"}
    more: dict[str, Any] = {"columns": {"generation": 1.0}, "workload": "inference", "gpu_memory_gib": 10.0}
    found = codes(book(ask, "NC4as_T4_v3", "NC40ads_H100_v5", facts, **more))
    moved = next(place for place, code in enumerate(found) if code in ("deploy", "rebuild-vm"))
    assert found.index("generation-image") < found.index("generation-convert") < moved
    debian = book(ask, "NC4as_T4_v3", "NC40ads_H100_v5", {"image": "debian 11"}, **more)
    assert "generation-convert" not in codes(debian)  # the conversion excludes it


def test_u17_the_work_on_the_image_is_told_as_the_largest_part(ask: Ask) -> None:
    runbook = book(ask, "NC6", "NC24ads_A100_v4", workload="training")
    assert "largest part of the move" in step(runbook, "generation-image").text
    # a new image: 40 h for the pool and 3 h for the one machine, at USD 95 an hour
    assert runbook.labour_cost == (40 + 3) * 95


def test_u19_the_grid_driver_is_named_with_its_version(ask: Ask) -> None:
    runbook = book(ask, "NC6s_v3", "NV36ads_A10_v5", workload="inference")
    assert runbook.software.driver == "GRID 570.195.03, vGPU 18.5"
    assert runbook.software.cuda is None  # CUDA 12.9 needs 575.51.03; no source names an older toolkit's driver
    assert "575.51.03" in runbook.software.note
    assert codes(runbook).index("old-driver") < codes(runbook).index("driver")


@pytest.mark.parametrize(
    ("size", "system", "kind", "driver", "cuda"),
    [
        ("NC6", "linux", "training", "R470 (470.82.01)", "11.8"),  # the last of both for the K80
        ("NC6s_v3", "linux", "training", "R580", "12.9"),  # the last of both for the V100
        ("NC24ads_A100_v4", "linux", "training", "R580", "12.9"),  # 12.9 needs 575.51.03, 13.3 needs 610.43.02
        ("NC40ads_H100_v5", "aks", "training", "R580 (580.159.04)", "12.9"),
        ("NC8as_T4_v3", "windows", "graphics", "GRID vGPU 20.2", None),
        ("NC144ds_xl_RTXPRO6000BSE_v6", "linux", "training", "GRID 595.58.03, vGPU 20", "12.9"),
        ("NV4ads_V710_v5", "windows", "graphics", "AMD 25.Q4", None),
        ("NV6s_v2", "linux", "graphics", None, None),  # no page names a driver
    ],
)
def test_driver_and_cuda_are_those_of_the_published_matrix(
    catalogue: Catalogue, size: str, system: str, kind: str, driver: str | None, cuda: str | None
) -> None:
    plan = software_plan(catalogue, catalogue.sizes[f"Standard_{size}"], system, kind)
    assert (plan.driver, plan.cuda) == (driver, cuda)
    assert plan.source or driver is None


def test_u24_images_are_told_for_the_gpu_and_unknown_is_unknown(catalogue: Catalogue) -> None:
    v100 = {seen.image: seen.works for seen in images_seen(catalogue, "V100 PCIe 16GB")}
    assert (v100["ubuntu-hpc 22.04"], v100["ubuntu-hpc 20.04"], v100["centos-hpc 7.9"]) == (False, True, None)
    t4 = images_seen(catalogue, "T4")
    assert {seen.works for seen in t4} == {None} and len(t4) == len(v100)


def test_u28_infiniband_before_the_gpu_driver(ask: Ask) -> None:
    more: dict[str, Any] = {"workload": "training", "region": "southcentralus", "count": 2, "multi_node": True}
    found = codes(book(ask, "NC24r", "ND96asr_v4", **more))
    order = ["rdma-kernel", "rdma-driver", "driver", "rdma-mpi", "check"]
    assert [code for code in found if code in order] == order


def test_u29_network_direct_is_lost(ask: Ask) -> None:
    more: dict[str, Any] = {"workload": "training", "region": "southcentralus", "count": 2, "multi_node": True}
    assert "network-direct" in {loss.code for loss in book(ask, "NC24r", "ND96asr_v4", **more).lost}
    to_pcie = book(ask, "NC24rs_v2", "NC96ads_A100_v4", workload="training")
    assert "infiniband" in {loss.code for loss in to_pcie.lost}
    assert "ofed" in codes(to_pcie)


def test_u30_nccl_files_are_cleared_before_the_check(ask: Ask) -> None:
    found = codes(book(ask, "ND96asr_v4", "NC24ads_A100_v4", workload="inference", gpu_memory_gib=40.0))
    assert found.index("nccl") < found.index("check")


def test_u35_the_vm_may_be_deleted_and_its_disk_kept(ask: Ask) -> None:
    (way,) = book(ask, "NC6", "NC4as_T4_v3", workload="training").other_ways
    text = commands(way.steps)
    order = ["deleteOption=Detach", "az vm delete", '--attach-os-disk "$DISK"', '--nics "$NIC"']
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    assert "Terraform" in way.when
    assert book(ask, "NC6", "NC24ads_A100_v4", workload="training").other_ways == ()  # its image does not boot there


def test_u36_an_ephemeral_disk_offers_no_way_that_keeps_it(ask: Ask) -> None:
    runbook = book(ask, "NC6s_v3", "NC8as_T4_v3", {"ephemeral_os_disk": 1.0, "os_disk_gib": 64.0}, workload="inference")
    assert runbook.other_ways == () and "snapshot" not in codes(runbook)
    assert "os-disk" in {loss.code for loss in runbook.lost}


def test_u41_a_set_is_stopped_and_moved_as_one(ask: Ask) -> None:
    runbook = book(ask, "NC4as_T4_v3", "NC8as_T4_v3", {"availability_set": 1.0}, workload="dev")
    found = codes(runbook)
    assert found.index("group") < found.index("rebuild-vm")
    assert "az vmss" not in commands(runbook.steps)  # the documented sample for sets is wrong there


def test_u42_aks_adds_drains_and_deletes(ask: Ask) -> None:
    more: dict[str, Any] = {"workload": "inference", "count": 3, "columns": {"service": "aks"}}
    runbook = book(ask, "NC4as_T4_v3", "NC8as_T4_v3", **more)
    assert [code for code in codes(runbook) if code.startswith("aks")] == ["aks-add", "aks-drain", "aks-delete"]
    assert "--node-vm-size Standard_NC8as_T4_v3" in commands(runbook.steps)
    assert "az vm resize" not in commands(runbook.steps)
    assert "both are paid" in step(runbook, "aks-drain").text
    assert runbook.overlap_cost is not None and runbook.overlap_cost > 0


def test_u46_the_zone_is_looked_up_in_the_subscription(ask: Ask) -> None:
    runbook = book(ask, "NC6", "NC4as_T4_v3", {"zone": "2"}, workload="training")
    found = step(runbook, "zone")
    assert "az account show" in found.commands[0].text and "--zone" in found.commands[0].text
    assert '--zone "2"' not in commands(runbook.steps)  # a number means nothing in another subscription
    assert "zone" in {loss.code for loss in runbook.lost}


def test_u47_the_preflight_says_what_it_does_not_prove(ask: Ask) -> None:
    found = step(book(ask, "NC6", "NC4as_T4_v3", workload="training"), "preflight")
    assert "does not prove" in found.text and "capacity" in found.text
    assert "az vm list-usage --location westeurope" in found.commands[0].text


def test_what_a_stopped_machine_had_on_its_temporary_disk_is_gone_already(ask: Ask) -> None:
    retired = book(ask, "NC6", "NC4as_T4_v3", workload="training")
    assert "temp-disk" not in codes(retired)
    (loss,) = (loss for loss in retired.lost if loss.code == "temp-disk")
    assert "340 GiB" in loss.text and "went when the machines were stopped" in loss.text
    assert "temp-disk" in codes(book(ask, "NC4as_T4_v3", "NC8as_T4_v3", workload="dev"))


def test_staying_tells_what_ends(ask: Ask) -> None:
    runbook = book(ask, "ND40rs_v2", "ND40rs_v2", workload="training")
    assert (runbook.verdict, runbook.lost, runbook.other_ways) == ("stay", (), ())
    assert "R580" in step(runbook, "software").text


def test_no_line_breaks_out_of_its_quotes(ask: Ask) -> None:
    """Sizes and regions come from the catalogue; everything else is a variable for its owner to fill in."""
    for size, target in (("NC6", "NC4as_T4_v3"), ("NC6s_v3", "NC24ads_A100_v4")):
        runbook = book(ask, size, target, workload="inference")
        for found in runbook.steps:
            for command in found.commands:
                if command.tool == "az":
                    for line in command.text.replace("\\\n", " ").splitlines():
                        shlex.split(line.partition("  # ")[0], comments=True)


def everything(runbook: Runbook) -> list[Step]:
    return [*runbook.steps, *(found for way in runbook.other_ways for found in way.steps)]


def test_infiniband_on_amd_is_seen_by_amds_own_tools(ask: Ask) -> None:
    more: dict[str, Any] = {"workload": "training", "region": "westus", "include": ("Standard_ND96isr_MI300X_v5",)}
    runbook = book(ask, "ND96isr_H100_v5", "ND96isr_MI300X_v5", **more)
    installs = [found for found in runbook.steps if found.phase == "install"]
    assert "nvidia-smi" not in commands(installs) and "amd-smi monitor" in commands(installs)
    assert "RCCL" in step(runbook, "rdma-mpi").title


def test_amd_on_windows_is_seen_in_device_manager(ask: Ask) -> None:
    """The page of the driver (2025-05-05) names Device Manager; rocm-smi comes with ROCm, which is for Linux."""
    runbook = book(ask, "NV8as_v4", "NV4ads_V710_v5", workload="graphics", columns={"os": "windows"})
    check = step(runbook, "check")
    assert check.commands == () and "Device Manager" in check.text
    assert "n-series-amd-driver-setup.md" in check.source
    assert "--name AmdGpuDriverWindows --publisher Microsoft.HpcCompute --version 1.1" in commands(runbook.steps)
    assert "rocm-smi" not in commands(runbook.steps) and "Nvidia" not in commands(runbook.steps)


@pytest.mark.parametrize(
    ("system", "name", "left"),
    [("linux", "AmdGpuDriverLinux", "amdgpu-uninstall"), ("windows", "AmdGpuDriverWindows", "factoryresetinstall")],
)
def test_the_old_driver_that_is_removed_is_that_of_the_old_gpu(ask: Ask, system: str, name: str, left: str) -> None:
    more: dict[str, Any] = {"columns": {"os": system}, "workload": "graphics" if system == "windows" else "inference"}
    old = step(book(ask, "NV24ads_V710_v5", "NV36ads_A10_v5", **more), "old-driver")
    told = old.text + commands([old])
    assert f'az vm extension delete --resource-group "$RG" --vm-name "$VM" --name {name}' in told
    assert left in told and "nvidia" not in told.casefold().replace("nvidia driver", "")


@pytest.mark.parametrize(
    ("target", "kind", "secure", "vtpm"),
    [
        ("NC24lds_xl_RTXPRO6000BSE_v6", "inference", "false", "false"),  # facts, section 6: both off on Linux
        ("NC40ads_H100_v5", "inference", "true", "true"),
    ],
)
def test_no_step_turns_on_what_the_target_wants_off(ask: Ask, target: str, kind: str, secure: str, vtpm: str) -> None:
    facts = {"image": "ubuntu 22.04"}
    more: dict[str, Any] = {"columns": {"generation": 1.0}, "workload": kind, "gpu_memory_gib": 10.0}
    runbook = book(ask, "NC8as_T4_v3", target, facts, include=(f"Standard_{target}",), **more)
    told = commands([step(runbook, "generation-convert")])
    assert f"--enable-secure-boot {secure} --enable-vtpm {vtpm}" in told
    deploy = commands([step(runbook, "deploy")])
    assert ("--security-type TrustedLaunch --enable-secure-boot false" in deploy) == (secure == "false")
    assert ("--enable-secure-boot true" in commands(runbook.steps)) == (secure == "true")


def test_grid_on_linux_starts_without_secure_boot_and_keeps_its_vtpm(ask: Ask) -> None:
    runbook = book(ask, "NC6s_v3", "NV36ads_A10_v5", workload="inference", columns={"generation": 2.0})
    made = [line for line in commands(everything(runbook)).splitlines() if "az vm create" in line and "--image" in line]
    assert all("--enable-secure-boot false --enable-vtpm true" in line for line in made)
    windows = book(ask, "NV12s_v3", "NV12ads_A10_v5", workload="graphics", columns={"os": "windows"})
    assert "--enable-secure-boot" not in commands(windows.steps)


@pytest.mark.parametrize("zone", ["1", None, "none"])
def test_disk_and_machine_are_in_one_zone(ask: Ask, zone: str | None) -> None:
    facts = {"zone": zone} if zone else None
    runbook = book(ask, "NV8as_v4", "NV4ads_V710_v5", facts, workload="graphics", columns={"os": "windows"})
    lines = commands(everything(runbook)).splitlines()
    placed = [line for line in lines if line.startswith(("az disk create", "az vm create"))]
    assert placed
    asked = {"1": ' --zone "$ZONE"', None: ' ${ZONE:+--zone "$ZONE"}', "none": None}[zone]
    assert all(line.endswith(asked) or f"{asked} " in line if asked else "ZONE" not in line for line in placed)


MOVES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("NV8as_v4", "NV4ads_V710_v5", {"zone": "1"}, {"workload": "graphics", "columns": {"os": "windows"}}),
    ("NC6", "NC4as_T4_v3", {}, {"workload": "training", "columns": {"os": "windows"}}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {}, {"workload": "inference", "columns": {"service": "aks"}}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {}, {"workload": "inference", "columns": {"service": "vmss"}}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {}, {"workload": "inference", "columns": {"service": "batch"}}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {}, {"workload": "inference", "columns": {"service": "aml"}}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {"availability_set": 1.0}, {"workload": "dev"}),
    ("NC4as_T4_v3", "NC8as_T4_v3", {"availability_set": 0.0, "proximity_group": 0.0}, {"workload": "dev"}),
    ("NC6s_v3", "NC24ads_A100_v4", {}, {"workload": "inference", "count": 3}),
    ("NC24r", "ND96asr_v4", {}, {"workload": "training", "region": "southcentralus", "count": 2, "multi_node": True}),
]


@pytest.mark.parametrize(("size", "target", "facts", "more"), MOVES)
def test_every_variable_is_set_before_it_is_used(
    ask: Ask, size: str, target: str, facts: dict[str, Any], more: dict[str, Any]
) -> None:
    runbook = book(ask, size, target, facts, **more)
    known: dict[bool, set[str]] = {True: {"True", "False", "_"}, False: {"?"}}
    ways = [found for way in runbook.other_ways for found in way.steps]
    for command in (command for found in (*runbook.steps, *ways) for command in found.commands):
        power = command.tool == "powershell"
        for line in command.text.splitlines():
            set_here = r"\$(\w+) =" if power else r"(?:^|\s)([A-Z][A-Z_]*)="
            known[power] |= set(re.findall(set_here, line))
            used = set(re.findall(r"\$(\w+)" if power else r"\$\{?([A-Z][A-Z_]*)", line.split("enable-")[0]))
            assert used <= known[power], line


def test_new_machines_stay_in_their_set_which_is_in_no_zone(ask: Ask) -> None:
    runbook = book(ask, "NC4as_T4_v3", "NC8as_T4_v3", {"availability_set": 1.0}, workload="dev", count=3)
    lines = commands(everything(runbook)).splitlines()
    made = [line for line in lines if line.startswith("az vm create")]
    assert made and all('--availability-set "$SET_ID"' in line for line in made)
    assert not any("ZONE" in line for line in lines)


def test_a_data_disk_is_taken_off_the_old_machine_first(ask: Ask) -> None:
    told = commands([step(book(ask, "NC6", "NC24ads_A100_v4", workload="training"), "deploy")])
    assert 0 < told.index("az vm disk detach") < told.index("az vm disk attach")


def test_stopped_nodes_are_not_drained_and_aks_needs_no_hand_for_the_driver(ask: Ask) -> None:
    more: dict[str, Any] = {"workload": "inference", "count": 3, "columns": {"service": "aks"}}
    retired = book(ask, "NC6s_v3", "NC4as_T4_v3", **more)
    assert "kubectl" not in commands(retired.steps) and "nothing to drain" in step(retired, "aks-drain").text
    assert "Install R580" not in step(retired, "driver").text and "R580" in step(retired, "driver").text


def test_windows_gets_no_commands_of_linux(ask: Ask) -> None:
    runbook = book(ask, "NC6", "NC24ads_A100_v4", workload="training", columns={"os": "windows"})
    assert "sudo" not in commands(everything(runbook))


def test_a_scale_set_is_no_machine(ask: Ask) -> None:
    runbook = book(ask, "NC4as_T4_v3", "NC8as_T4_v3", workload="inference", columns={"service": "vmss"})
    assert "az vmss extension set" in commands(runbook.steps) and "--vm-name" not in commands(runbook.steps)
