"""Commands about GPU drivers by the GPU's maker: the extension that installs one, how it is removed, how it is seen."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.engine.runbook.case import Case

NVIDIA = "MicrosoftDocs/azure-compute-docs extensions/hpccompute-gpu-linux.md, hpccompute-gpu-windows.md (2025-06-30)"
AMD_WINDOWS = "MicrosoftDocs/azure-compute-docs windows/n-series-amd-driver-setup.md (2025-05-05)"
AMD_LINUX = (
    "MicrosoftDocs/azure-compute-docs linux/azure-n-series-amd-gpu-driver-linux-installation-guide.md (2025-01-27)"
)
AMD_WINDOWS_EXTENSION = "MicrosoftDocs/azure-compute-docs extensions/hpccompute-amd-gpu-windows.md (2024-07-25)"
AMD_LINUX_EXTENSION = "MicrosoftDocs/azure-compute-docs extensions/hpccompute-amd-gpu-linux.md (2025-04-30)"
AMD_SMI = "rocm.docs.amd.com/projects/amdsmi (Linux guests)"
#: Series for which the data of the driver extension has a row; source: Azure/azhpc-extensions NvidiaGPU/*.json.
_NVIDIA_SERIES = ("NCv3", "NC_A100_v4", "NCasT4_v3", "NVv3", "NVadsA10_v5")
#: Series that the pages of the AMD extension name, by whether the guest is Windows.
_AMD_SERIES = {True: ("NVads_V710_v5", "NGads_V620_v1", "NVv4"), False: ("NVads_V710_v5",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """The driver extension of a maker on a system; `version` None: the page of the command gives none."""

    name: str
    version: str | None
    source: str


def extension_of(vendor: str | None, *, windows: bool) -> Extension | None:
    """The extension that installs drivers of this maker, None where there is none."""
    if vendor == "nvidia":
        name = "NvidiaGpuDriverWindows" if windows else "NvidiaGpuDriverLinux"
        return Extension(name=name, version=None if windows else "1.6", source=NVIDIA)
    if vendor == "amd" and windows:
        return Extension(name="AmdGpuDriverWindows", version="1.1", source=AMD_WINDOWS_EXTENSION)
    if vendor == "amd":
        return Extension(name="AmdGpuDriverLinux", version="1.0", source=AMD_LINUX_EXTENSION)
    return None


def new_extension(case: Case) -> Extension | None:
    """The extension for the target, where its data or its page names the series."""
    vendor = case.target.vendor
    series = _AMD_SERIES[case.windows] if vendor == "amd" else _NVIDIA_SERIES
    return extension_of(vendor, windows=case.windows) if case.target.series in series else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What to do inside the guest: in words where no page gives a command."""

    words: str
    command: str | None
    source: str


def removal(vendor: str | None, *, windows: bool) -> Way:
    """How the driver of a maker leaves a disk that is kept."""
    if vendor == "nvidia":
        return Way(
            words="", command=None if windows else "sudo nvidia-uninstall || sudo apt purge 'nvidia-*'", source=""
        )
    if vendor == "amd" and windows:
        words = (
            "The old driver is AMD's: on NVv4 use the AMD cleanup utility that the driver page links, not the one that "
            "came with the driver; on V710 and V620 run setup.exe -factoryresetinstall."
        )
        return Way(words=words, command=None, source=AMD_WINDOWS)
    if vendor == "amd":
        command = (
            "sudo amdgpu-install --uninstall\nsudo amdgpu-uninstall\nsudo apt autoremove --purge amdgpu-install\n"
            "dkms status  # after a restart: no amdgpu"
        )
        return Way(words="The old driver is AMD's.", command=command, source=AMD_LINUX)
    return Way(words="No page says how the old driver is removed: see what is installed.", command=None, source="")


def look(case: Case) -> Way:
    """How the guest shows that it finds the GPU of the target."""
    if case.target.vendor != "amd":
        command = "nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv"
        return Way(words="", command=command, source="")
    if case.windows:
        words = "Look in Device Manager under display adapters; dxdiag shows the GPU's memory."
        return Way(words=words, command=None, source=AMD_WINDOWS)
    source = AMD_LINUX if case.target.series in _AMD_SERIES[False] else AMD_SMI
    return Way(words="", command="amd-smi monitor", source=source)
