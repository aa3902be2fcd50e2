"""What pages say of a series beside its sizes: drivers by guest system, named systems, images, disk controllers.

Facts are frozen values with source and date; None where no source says.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverRelease:
    """The driver that a page names for a series on one kind of guest, with the branches that work there.

    `branch` is the first part of the driver's version (570), `vgpu` that of the host's vGPU software (18); only
    GRID drivers have one.
    """

    series: str
    system: Literal["linux", "windows", "aks"]
    kind: Literal["cuda", "grid", "amd"]
    version: str | None
    branch: float | None
    vgpu: float | None
    vgpu_version: str | None  # as printed: 18.5
    minimum_branch: float | None  # an older one fails
    maximum_branch: float | None  # a newer one fails
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSupport:
    """Versions of one guest system that a page names for a series; what it does not name is unknown, not refused."""

    series: str
    family: str  # as guest_systems writes it: ubuntu, rhel, windows-server
    oldest: str
    newest: str
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSupport:
    """Whether somebody saw an image find a GPU, on the day of the report."""

    image: str  # as guest_systems writes it: ubuntu-hpc 22.04
    gpu: str  # name of a family of GPUs: V100, A100, H100, A10, K80, T4
    works: bool
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPlatform:
    """What the platform around a series does: disk controller, Azure Disk Encryption, services that offer it."""

    series: str
    disk_controller: Literal["scsi", "nvme"] | None
    disk_encryption: bool | None
    aks: bool | None
    batch: bool | None
    source: str
    as_of: date
    note: str = ""


#: Series whose sizes with InfiniBand have ConnectX-3 cards, which want the LTS Mellanox OFED 4.9; source:
#: MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md and setup-infiniband.md.
OLD_RDMA = ("NC", "NC_Promo", "NCv2", "NCv3", "ND")


#: Families of GPUs as images are told of, by the beginning of the GPU's name.
GPU_FAMILIES = ("K80", "M60", "P40", "P100", "V100", "T4", "A100", "A10", "H100", "H200", "RTX PRO 6000", "MI300X")


def gpu_family(gpu: str) -> str:
    """The family of a GPU of the catalogue: V100 for V100 SXM2 32GB; its own name where it is of none."""
    return next((family for family in GPU_FAMILIES if gpu == family or gpu.startswith(f"{family} ")), gpu)
