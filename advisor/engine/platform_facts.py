"""Facts of every size that stand in the grid of facts: network, disks, drivers, software, named systems, conflicts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

import numpy as np

from advisor.engine.arrays import Array, as_column, as_number
from advisor.engine.catalogue import Catalogue, Gpu, Size, SoftwareSupport
from advisor.engine.fact_kinds import version_number
from advisor.engine.platform import OLD_RDMA, DriverRelease, gpu_family

#: Guest systems that pages name with versions.
FAMILIES = ("ubuntu", "rhel", "centos", "almalinux", "sles", "debian", "windows", "windows-server")
_WINDOWS = ("windows", "windows-server")
#: Series of the sixth version and later, which other families attach over NVMe.
_NEW = re.compile(r"_v([6-9]|\d\d)$")
#: Compute capabilities from which bf16 and fp8 run; source: github:NVIDIA/TransformerEngine, in the catalogue.
BF16_FROM, FP8_FROM = 8.0, 8.9


def platform_columns(sizes: Iterable[Size], catalogue: Catalogue) -> dict[str, Array]:
    """One array per fact, in the order of `sizes`; NaN and None where unknown."""
    rows = [_row(size, catalogue) for size in sizes]
    return {name: as_column([row[name] for row in rows]) for name in rows[0]}


def images_known(catalogue: Catalogue) -> tuple[str, ...]:
    """Images of which somebody reported how they get on with some GPU."""
    return tuple(sorted({row.image for row in catalogue.images}))


def _row(size: Size, catalogue: Catalogue) -> dict[str, Any]:
    gpu = catalogue.gpus.get(size.gpu) if size.gpu else None
    around = catalogue.platforms.get(size.series)
    row: dict[str, Any] = {
        "compute_capability": as_number(gpu.compute_capability if gpu else None),
        "bf16": _runs(gpu, BF16_FROM, gpu.bf16_tensor_tflops if gpu else None),
        "fp8": _runs(gpu, FP8_FROM, gpu.fp8_tensor_tflops if gpu else None),
        "max_nics": as_number(size.max_nics),
        "takes_accelerated_networking": as_number(size.accelerated_networking),
        "takes_ephemeral": as_number(size.ephemeral_os_disk),
        "rdma": size.rdma,
        "old_rdma": float(size.series in OLD_RDMA),
        "infiniband_gbps": as_number(size.infiniband_gbps),
        "nvme": np.nan if around is None or around.disk_controller is None else float(around.disk_controller == "nvme"),
        "nvme_open": float(bool(_NEW.search(size.series)) and (around is None or around.disk_controller is None)),
        "takes_encryption": as_number(around.disk_encryption if around else None),
        "on_aks": as_number(around.aks if around else None),
        "on_batch": as_number(around.batch if around else None),
        "platform_source": around.source if around else None,
        "disks_conflict": _conflict(catalogue, size.name, "max_data_disks"),
        "temp_conflict": _conflict(catalogue, size.name, "temp_disk_gib"),
        "reservations_end": _reservations_end(catalogue, size.name),
        "software_end": _software_end(catalogue, gpu),
        "gpu_family": gpu_family(gpu.name) if gpu else None,
    }
    return (
        row
        | _drivers(size, catalogue)
        | _branches(size, gpu, catalogue)
        | _software(size, catalogue)
        | _systems(size, catalogue)
    )


def _runs(gpu: Gpu | None, least: float, rate: float | None) -> float:
    """Whether the GPU computes in a kind of number: by compute capability, without one by its data sheet."""
    if gpu is None:
        return np.nan
    if gpu.compute_capability is not None:
        return float(gpu.compute_capability >= least)
    return 1.0 if rate is not None else np.nan


def _drivers(size: Size, catalogue: Catalogue) -> dict[str, Any]:
    """The GRID driver that pages name for the series: its branch, that of the host, and the oldest that works."""
    found: dict[str, Any] = {}
    for system in ("linux", "windows"):
        row = grid_release(catalogue, size.series, system)
        found |= {
            f"grid_least_{system}": as_number(row.minimum_branch if row else None),
            f"grid_most_{system}": as_number(row.maximum_branch if row else None),
            f"host_vgpu_{system}": as_number(row.vgpu if row else None),
            f"host_vgpu_text_{system}": row.vgpu_version or (f"{row.vgpu:g}" if row.vgpu else None) if row else None,
            f"grid_as_of_{system}": row.as_of.isoformat() if row else None,
        }
    return found


def _branches(size: Size, gpu: Gpu | None, catalogue: Catalogue) -> dict[str, float]:
    """Branches of the driver for the GPU: the first that is named, the last, and the least that a page names at all.

    NaN where no page names one. Without a first one, a branch named for the series or as the GPU's last fits all the
    same.
    """
    rows = [row for row in catalogue.software if row.component == "driver" and gpu and gpu.name in row.gpus]
    first = [_branch(row.first_version) for row in rows if row.first_version]
    last = _branch(gpu.last_driver_branch) if gpu and gpu.last_driver_branch else np.nan
    named = [
        r.branch for r in catalogue.drivers if (r.series, r.kind) == (size.series, "cuda") and r.branch is not None
    ]
    fits = [*first, *named, *([] if np.isnan(last) else [last])]
    return {
        "first_driver": min(first, default=np.nan),
        "last_driver": last,
        "fitting_driver": min(fits, default=np.nan),
    }


def _branch(text: str) -> float:
    """R580 as 580."""
    return float(text.removeprefix("R").split(".")[0])


def grid_release(catalogue: Catalogue, series: str, system: str) -> DriverRelease | None:
    """The GRID driver of a series on a guest system, None where no page names one."""
    rows = (r for r in catalogue.drivers if (r.series, r.system, r.kind) == (series, system, "grid"))
    return next(rows, None)


def _software(size: Size, catalogue: Catalogue) -> dict[str, Any]:
    """First and last PyTorch and TensorFlow for the GPU; NaN where no limit is published."""
    found = {}
    for component in ("pytorch", "tensorflow"):
        rows = [row for row in catalogue.software if row.component == component and size.gpu in row.gpus]
        first = [version_number(row.first_version) for row in rows if row.first_version]
        last = [version_number(row.last_version) for row in rows if row.last_version]
        found[f"{component}_first"] = max(first, default=np.nan) if component == "tensorflow" else np.nan
        found[f"{component}_last"] = max(last, default=np.nan)
    return found


def _systems(size: Size, catalogue: Catalogue) -> dict[str, Any]:
    """Oldest and newest version of each guest system that a page names for the series."""
    rows = {row.family: row for row in catalogue.systems if row.series == size.series}
    found: dict[str, Any] = {}
    for family in FAMILIES:
        row = rows.get(family)
        found[f"oldest_{family}"] = version_number(row.oldest if row else None)
        found[f"newest_{family}"] = version_number(row.newest if row else None)
    for image in images_known(catalogue):
        found[f"sees_{image}"] = _sees(catalogue, image, size)
    named = {"windows" if family in _WINDOWS else "linux" for family in rows}
    texts = [f"{r.family} {r.oldest}" + (f" to {r.newest}" if r.newest != r.oldest else "") for r in rows.values()]
    return found | {
        "names_linux": float("linux" in named),
        "names_windows": float("windows" in named),
        "named_systems": ", ".join(texts) or None,
        "systems_source": "; ".join(sorted({row.source for row in rows.values()})) or None,
    }


def _sees(catalogue: Catalogue, image: str, size: Size) -> float:
    if size.gpu is None:
        return np.nan
    rows = (row.works for row in catalogue.images if row.image == image and row.gpu == gpu_family(size.gpu))
    return as_number(next(rows, None))


def _conflict(catalogue: Catalogue, size: str, fact: str) -> str | None:
    """Both versions of a disputed fact, with who says what; None where sources agree."""
    for row in catalogue.conflicts_of.get(size, ()):
        if row.fact == fact:
            return f"{row.version_a} ({row.source_a}) or {row.version_b} ({row.source_b})"
    return None


def _reservations_end(catalogue: Catalogue, size: str) -> float:
    days: list[date] = [
        event.on
        for event in catalogue.events_of.get(size, ())
        if event.event == "reservation-sales-end" and event.on is not None and not event.superseded
    ]
    return float(max(days).toordinal()) if days else np.nan


#: How a limit of a GPU generation is told, by component; the order is that of the sentence.
_ENDS = (
    ("cuda", "CUDA ends at {last}"),
    ("driver", "drivers end with {last}"),
    ("cudnn", "cuDNN ends at {last}"),
    ("pytorch", "PyTorch's default wheels end at {last}"),
    ("tensorflow", "TensorFlow ends at {last}"),
    ("tensorrt", "TensorRT ends at {last}"),
    ("rapids", "RAPIDS ends at {last}"),
)
#: The V100's limit in PyTorch is one of the wheel, not of the version; the note of the row says so.
_WHEELS = "7.0 (V100), CUDA 12.x wheels"


def _of_default_build(row: SoftwareSupport) -> bool:
    """PyTorch has builds for older toolkits that keep a GPU longer; what is told is the end of its default one."""
    return row.component != "pytorch" or row.first_version is None


def _software_end(catalogue: Catalogue, gpu: Gpu | None) -> str | None:
    """What newer software drops the GPU, in one sentence; None where no source names an end."""
    if gpu is None or gpu.vendor != "nvidia":
        return None
    told = []
    for component, words in _ENDS:
        rows = [row for row in catalogue.software if row.component == component and gpu.name in row.gpus]
        last = [row.last_version for row in rows if row.last_version and _of_default_build(row)]
        if last:
            told.append(words.format(last=last[0]))
    if any(row.subject == _WHEELS and gpu.name in row.gpus for row in catalogue.software):
        told.append("PyTorch's CUDA 13 wheels leave it out")
    return "; ".join(told) or None
