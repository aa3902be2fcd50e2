"""Every fact of one size with where it was read: the machine, its GPU, its drivers and software."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from advisor.engine.catalogue import Catalogue, Gpu, SeriesSupport, Size, SoftwareSupport
from advisor.engine.workload import memory_per_unit

GPU_LINKS = {"nvlink": "NVLink", "infinity-fabric": "Infinity Fabric", "pcie": "PCIe only"}
RDMA = {"none": "none", "network-direct": "yes, Network Direct (no SR-IOV)", "sr-iov": "yes, SR-IOV"}
DRIVERS = {"cuda": "CUDA", "grid": "GRID", "cuda-or-grid": "CUDA or GRID", "amd": "AMD"}
VENDORS = {"nvidia": "NVIDIA", "amd": "AMD", "fpga": "FPGA, no GPU"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFact:
    """One fact: its value (None: no source says), unit, and where it was read."""

    label: str
    value: Any  # text, number, bool, tuple or None
    source: str
    as_of: date
    unit: str = ""
    disputed: bool = False  # sources disagree about it


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainedShare:
    """A peak of the data sheet, and the share of it that the speed model lets the GPU sustain."""

    label: str
    peak: float | None
    unit: str
    share: float | None


def facts_of(catalogue: Catalogue, size: Size) -> list[StatedFact]:
    """What the size's own pages say, in the order of a size page; conflicts mark the facts they speak of."""
    disputed = {conflict.fact for conflict in catalogue.conflicts_of.get(size.name, ())}
    facts = [
        StatedFact(
            label=label,
            value=value,
            unit=unit,
            source=size.source,
            as_of=size.as_of,
            disputed=any(name in fact.replace(" ", "_") for fact in disputed for name in names.split()),
        )
        for label, value, unit, names in _own_facts(size)
    ]
    return facts + list(_family(catalogue, size))


def _own_facts(size: Size) -> Iterator[tuple[str, Any, str, str]]:
    """Label, value, unit and the conflict facts that speak of it."""
    yield "GPU, as the page writes it", size.gpu_label, "", ""
    yield "GPU model", size.gpu or VENDORS[size.vendor], "", ""
    yield "GPUs per VM" if size.is_gpu else "FPGA cards per VM", size.gpus, "gpus", "gpus"
    yield "GPU memory, each", memory_per_unit(size), "GiB", "gpu_memory_gib"
    if size.is_slice:
        yield "Memory of the whole card", size.gpu_memory_gib, "GiB", ""
    yield "GPU memory, VM", size.gpu_memory_total_gib, "GiB", "gpu_memory_total_gib accelerator_memory"
    if size.gpus is None or size.gpus > 1:
        yield "Link between its GPUs", GPU_LINKS.get(size.gpu_link or ""), "", ""
    yield "vCPU", size.vcpus, "", ""
    yield "Memory", size.memory_gib, "GiB", ""
    yield "CPU", size.cpu_model, "", ""
    yield "Temp disk", "none" if size.temp_disk_gib == 0 else size.temp_disk_gib, "GiB", "temp_disk"
    yield "Local NVMe disks", "none" if size.local_nvme_gib == 0 else size.local_nvme_gib, "GiB", "temp_disk"
    yield "Data disks at most", size.max_data_disks, "", "max_data_disks"
    yield "Network cards at most", size.max_nics, "", ""
    yield "Network", size.network_mbps, "Mb/s", "network_mbps"
    yield "InfiniBand", RDMA.get(size.rdma or ""), "", ""
    if size.rdma != "none":
        yield "InfiniBand rate per VM", size.infiniband_gbps, "Gb/s", ""
    yield "VM generations", size.generations, "", "generations"
    yield "Accelerated networking", size.accelerated_networking, "", "accelerated_networking"
    yield "Premium storage", size.premium_storage, "", ""
    yield "Ephemeral OS disk", size.ephemeral_os_disk, "", ""
    yield "Nested virtualisation", size.nested_virtualisation, "", ""
    yield "Other names for it", size.aliases or "none", "", ""


def _family(catalogue: Catalogue, size: Size) -> Iterator[StatedFact]:
    family = next((f for f in catalogue.quota_families if size.name in f.sizes), None)
    if family is None:
        yield StatedFact(label="Quota family", value=size.family_quota, source=size.source, as_of=size.as_of)
        return
    for label, value in (("Quota family", family.api_name), ("Quota family in the portal", family.display_name)):
        yield StatedFact(label=label, value=value, source=family.source, as_of=family.as_of)


def driver_facts(support: SeriesSupport | None) -> list[StatedFact]:
    """Drivers of the series; empty when no source speaks of it."""
    if support is None:
        return []
    pairs = (
        ("Driver", DRIVERS.get(support.driver or "")),
        ("Graphics driver, Linux", support.graphics_linux),
        ("Graphics driver, Windows", support.graphics_windows),
        ("Compute driver, Linux", support.compute_linux),
        ("Compute driver, Windows", support.compute_windows),
        ("GRID licence included", support.grid_licence_included),
    )
    return [StatedFact(label=label, value=value, source=support.source, as_of=support.as_of) for label, value in pairs]


def gpu_facts(gpu: Gpu) -> list[StatedFact]:
    """What the data sheet says beside the rates."""
    rows: tuple[tuple[str, Any, str], ...] = (
        ("Architecture", gpu.architecture, ""),
        ("Released", str(gpu.release_year), ""),
        ("Compute capability", _capability(gpu), ""),
        ("Memory", gpu.memory_gib, "GiB"),
        ("Interconnect", gpu.interconnect, ""),
        ("Power limit", gpu.tdp_watts, "W"),
        ("First CUDA toolkit", gpu.min_cuda or _no_cuda(gpu), ""),
        ("Last CUDA toolkit", gpu.last_cuda or _no_cuda(gpu, "still supported"), ""),
        ("Last driver branch", gpu.last_driver_branch or _no_cuda(gpu, "still supported"), ""),
        ("MIG instances at most", "cannot be split" if gpu.mig_max_instances == 0 else gpu.mig_max_instances, ""),
        ("MPS limits a client's threads", gpu.mps_thread_percentage, ""),
    )
    return [
        StatedFact(label=label, value=value, unit=unit, source=gpu.source, as_of=gpu.as_of)
        for label, value, unit in rows
    ]


def _capability(gpu: Gpu) -> str:
    return "no CUDA device" if gpu.compute_capability is None else f"{gpu.compute_capability:.1f}"


def _no_cuda(gpu: Gpu, otherwise: str | None = None) -> str | None:
    return "no CUDA device" if gpu.compute_capability is None else otherwise


def sustained(gpu: Gpu) -> list[SustainedShare]:
    """Peaks of dense arithmetic with the share sustained; a rate the data sheet does not give is None."""
    int8 = gpu.share_tensor if gpu.share_int8 is None else gpu.share_int8
    rows = (
        ("Memory bandwidth", gpu.memory_bandwidth_gbps, "GB/s", gpu.share_bandwidth),
        ("FP64", gpu.fp64_tflops, "TFLOPS", gpu.share_fp32),
        ("FP32", gpu.fp32_tflops, "TFLOPS", gpu.share_fp32),
        ("FP16", gpu.fp16_tflops, "TFLOPS", gpu.share_fp32),
        ("TF32 tensor", gpu.tf32_tensor_tflops, "TFLOPS", gpu.share_tensor),
        ("FP16 tensor", gpu.fp16_tensor_tflops, "TFLOPS", gpu.share_tensor),
        ("BF16 tensor", gpu.bf16_tensor_tflops, "TFLOPS", gpu.share_tensor),
        ("FP8 tensor", gpu.fp8_tensor_tflops, "TFLOPS", gpu.share_tensor),
        ("INT8", gpu.int8_tops, "TOPS", int8),
    )
    return [
        SustainedShare(label=label, peak=peak, unit=unit, share=None if peak is None else share)
        for label, peak, unit, share in rows
    ]


def software_of(catalogue: Catalogue, gpu: str) -> list[SoftwareSupport]:
    """Rows of the software table that name the GPU, by component."""
    return sorted((row for row in catalogue.software if gpu in row.gpus), key=lambda row: (row.component, row.subject))
