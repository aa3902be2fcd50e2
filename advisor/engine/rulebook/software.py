"""Rules on software: FPGA code, CUDA of the code, frameworks, kinds of number, and the driver inside the guest."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np

from advisor.engine.rulebook.common import GUIDE, graphics, moving, ran_grid, runs_grid
from advisor.engine.rules import PORT, REBUILD, RESIZE, Facts, Rule

MATRIX = "catalogue: published CUDA, driver and framework versions by GPU"
GRID_PAGES = (
    "MicrosoftDocs/azure-compute-docs windows/n-series-driver-setup.md (2026-05-06); "
    "github.com/skypilot-org/skypilot/issues/10468; github.com/MicrosoftDocs/azure-docs/issues/121599"
)
#: GRID driver branches and the vGPU release they belong to, as the catalogue's driver rows pair them.
VGPU_OF_BRANCH = ((535.0, 16.0), (538.0, 16.0), (570.0, 18.0), (595.0, 20.0), (596.0, 20.0))
#: The last day of R535, "June 2026"; source: docs.nvidia.com/datacenter/tesla/drivers, in the catalogue.
R535_ENDED = float(date(2026, 6, 30).toordinal())
BLACKWELL_CUDA = 1208.0
#: PyTorch 2.8 is the first that was read with a wheel for CUDA 12.8; earlier ones may have one.
BLACKWELL_PYTORCH = 208.0
#: TensorFlow 2.21 is the last whose tested CUDA was read: 12.5, which does not know Blackwell.
LAST_TENSORFLOW_READ = 221.0
TENSORFLOW_BUILDS = "github:tensorflow/docs site/en/install/source.md, in the catalogue"
DRIVER_BRANCHES = (
    "docs.nvidia.com/datacenter/tesla/drivers and mig-user-guide; wiki.nixos.org/wiki/NVIDIA; in the catalogue"
)


def _both_nvidia(c: Facts) -> Any:
    return moving(c) & ~graphics(c) & (c["from_vendor"] == "nvidia") & (c["vendor"] == "nvidia")


def _lacks(c: Facts) -> Any:
    """The GPU does not compute in the kind of number that the work was said to need."""
    return ((c["precision"] == "bf16") & (c["bf16"] == 0)) | ((c["precision"] == "fp8") & (c["fp8"] == 0))


def _may_lack(c: Facts) -> Any:
    return ((c["precision"] == "bf16") & np.isnan(c["bf16"])) | ((c["precision"] == "fp8") & np.isnan(c["fp8"]))


def _of_system(c: Facts, name: str) -> Any:
    """A fact of the size that depends on the guest system."""
    return np.where(c["os"] == "windows", c[f"{name}_windows"], c[f"{name}_linux"])


def _keeps_grid(c: Facts) -> Any:
    """The guest comes with a GRID driver to a size that runs one, or stays with it."""
    return runs_grid(c) & ran_grid(c)


def _keeps_cuda(c: Facts) -> Any:
    """The guest comes with a CUDA driver to a size that runs one; AKS installs its own on new nodes."""
    plain = ~runs_grid(c) & ~ran_grid(c) & (c["service"] != "aks")
    return moving(c) & plain & (c["from_vendor"] == "nvidia") & (c["vendor"] == "nvidia")


def _newer_gpu(c: Facts) -> Any:
    """The target's GPU is not known to be of today's generation or an earlier one."""
    return ~(c["compute_capability"] <= c["from_compute_capability"])


def _earlier_end(c: Facts) -> Any:
    """Drivers leave the target's GPU earlier than today's."""
    return (c["last_driver"] > 0) & ~(c["from_last_driver"] <= c["last_driver"])


def _too_old(c: Facts) -> Any:
    return c["driver_branch"] < _of_system(c, "grid_least")


def _too_new(c: Facts) -> Any:
    return c["driver_branch"] > _of_system(c, "grid_most")


def guest_vgpu(branch: Any) -> Any:
    """The vGPU release of a GRID driver branch; NaN where the catalogue pairs the branch with none."""
    found = np.full(np.shape(branch), np.nan)
    for known, release in VGPU_OF_BRANCH:
        found = np.where(branch == known, release, found)
    return found


def _behind(c: Facts) -> Any:
    return guest_vgpu(c["driver_branch"]) <= _of_system(c, "host_vgpu") - 2


def _fits(c: Facts) -> Any:
    """The guests' release is that of the hosts or the one before it, and no page refuses the branch."""
    guest, host = guest_vgpu(c["driver_branch"]), _of_system(c, "host_vgpu")
    return (guest <= host) & ~_behind(c) & ~_too_old(c) & ~_too_new(c)


SOFTWARE_RULES = (
    Rule(
        code="from-fpga",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: c["from_vendor"] == "fpga",
        message="The code runs on an FPGA: on {target} it has to be written anew for a GPU.",
        fix="Port it, or look for a GPU library that does the same, before you decide.",
        effort=PORT,
        source=GUIDE,
    ),
    Rule(
        code="cuda-floor",
        severity="step",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: c["cuda_number"] < c["min_cuda"],
        message="Code and images use CUDA {cuda_text}; {gpu} needs {min_cuda_text} or later.",
        fix="Rebuild them with CUDA {min_cuda_text} or later and a framework that has it.",
        effort=REBUILD,
        source=MATRIX,
    ),
    Rule(
        code="cuda-ceiling",
        severity="step",
        reads=(),
        applies=lambda c: ~graphics(c) & (c["vendor"] == "nvidia"),
        hits=lambda c: c["cuda_number"] > c["last_cuda"],
        message="Code and images use CUDA {cuda_text}; {last_cuda_text} is the last that supports {gpu}.",
        fix="Build with CUDA {last_cuda_text} or earlier, or choose a newer GPU.",
        effort=REBUILD,
        source=MATRIX,
    ),
    Rule(
        code="cuda-unknown",
        severity="unknown",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: (
            c["open_cuda"]
            & (c["min_cuda"] > 0)
            & ~(c["cuda_number"] < c["min_cuda"])
            & ~(c["min_cuda"] <= c["from_min_cuda"])
        ),
        message="{gpu} needs CUDA {min_cuda_text} or later; which one code and images use is not known.",
        question="Which CUDA are code and images built with?",
        field="cuda",
        source=MATRIX,
    ),
    Rule(
        code="cuda-floor-unknown",
        severity="unknown",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: np.isnan(c["min_cuda"]) & (c["gpu"] != c["from_gpu"]),
        message="No source says which CUDA is the first for {gpu}.",
        question="Do code and images have kernels for {gpu}?",
        source=MATRIX,
    ),
    Rule(
        code="pytorch-ceiling",
        severity="step",
        reads=(),
        applies=lambda c: ~graphics(c),
        hits=lambda c: c["pytorch_number"] > c["pytorch_last"],
        message="PyTorch {pytorch_text} is used; its default wheels left {gpu} out after {pytorch_last_text}.",
        fix="Use the wheel for an older CUDA that still lists the GPU, an older PyTorch, or a newer GPU.",
        effort=REBUILD,
        source="github:pytorch/pytorch .ci/manywheel/build_cuda.sh, in the catalogue",
    ),
    Rule(
        code="pytorch-blackwell",
        severity="unknown",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: (c["min_cuda"] >= BLACKWELL_CUDA) & (c["pytorch_number"] < BLACKWELL_PYTORCH),
        message="{gpu} needs a PyTorch wheel for CUDA 12.8 or later; 2.8 has one, {pytorch_text} may not.",
        question="Does PyTorch {pytorch_text} have a wheel for CUDA 12.8?",
        field="pytorch",
        source="github:pytorch/pytorch .ci/manywheel/build_cuda.sh, in the catalogue",
    ),
    Rule(
        code="tensorflow-floor",
        severity="step",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: c["tensorflow_number"] < c["tensorflow_first"],
        message="TensorFlow {tensorflow_text} was built before {gpu}; the first that knows it is "
        "{tensorflow_first_text}.",
        fix="Move the code to TensorFlow {tensorflow_first_text} or later, or to NVIDIA's container.",
        effort=REBUILD,
        source=TENSORFLOW_BUILDS,
    ),
    Rule(
        code="tensorflow-blackwell",
        severity="step",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: (c["min_cuda"] >= BLACKWELL_CUDA) & (c["tensorflow_number"] <= LAST_TENSORFLOW_READ),
        message="TensorFlow {tensorflow_text} has no kernels for {gpu}: wheels up to 2.21 were built with CUDA 12.5 or "
        "earlier, and {gpu} needs {min_cuda_text}.",
        fix="Build the image on NVIDIA's TensorFlow container; with the wheels, PTX is compiled at start at best.",
        effort=REBUILD,
        source=TENSORFLOW_BUILDS,
    ),
    Rule(
        code="tensorflow-blackwell-unknown",
        severity="unknown",
        reads=(),
        applies=_both_nvidia,
        hits=lambda c: (c["min_cuda"] >= BLACKWELL_CUDA) & (c["tensorflow_number"] > LAST_TENSORFLOW_READ),
        message="{gpu} needs CUDA {min_cuda_text} or later; which one TensorFlow {tensorflow_text} is built with was "
        "not read.",
        question="Is TensorFlow {tensorflow_text} built with CUDA {min_cuda_text} or later?",
        field="tensorflow",
        source=TENSORFLOW_BUILDS,
    ),
    Rule(
        code="tensorflow-ceiling",
        severity="step",
        reads=(),
        applies=lambda c: ~graphics(c),
        hits=lambda c: c["tensorflow_number"] > c["tensorflow_last"],
        message="TensorFlow {tensorflow_text} is used; {tensorflow_last_text} is the last that supports {gpu}.",
        fix="Use an older TensorFlow, or a newer GPU.",
        effort=REBUILD,
        source=TENSORFLOW_BUILDS,
    ),
    Rule(
        code="dtype",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=_lacks,
        message="The work computes in {precision}, which {gpu} does not have in hardware.",
        flips="the work may compute in another kind of number than {precision}",
        fix="Choose a GPU that has it, or another precision.",
        field="precision",
        source="github:NVIDIA/TransformerEngine: BF16 from compute capability 8.0, FP8 from 8.9",
    ),
    Rule(
        code="dtype-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=moving,
        hits=_may_lack,
        message="The work computes in {precision}; no source says whether {target} does in hardware.",
        question="Does the GPU of {target} compute in {precision}?",
        source="data sheets in the catalogue",
    ),
    Rule(
        code="dtype-today",
        severity="warning",
        reads=(),
        applies=lambda c: c["stay"],
        hits=_lacks,
        message="The work is said to compute in {precision}, which {gpu} does not have in hardware.",
        fix="Check the precision: today's GPU emulates it or computes in another one.",
        source="github:NVIDIA/TransformerEngine: BF16 from compute capability 8.0, FP8 from 8.9",
    ),
    Rule(
        code="tensorrt-engine",
        severity="note",
        reads=(),
        applies=lambda c: _both_nvidia(c) & (c["kind"] == "inference"),
        hits=lambda c: c["gpu"] != c["from_gpu"],
        message="TensorRT engines are made for one kind of GPU: those of today do not load on {gpu}.",
        fix="Build them anew on {target}.",
        source="docs.nvidia.com/deeplearning/tensorrt support matrix, in the catalogue",
    ),
    Rule(
        code="driver-ended",
        severity="warning",
        reads=(),
        applies=lambda c: (c["vendor"] == "nvidia") & (c["as_of_day"] > R535_ENDED),
        hits=lambda c: (c["driver_branch"] <= 535) & ~runs_grid(c) & ~ran_grid(c),
        message="The guests have driver {driver_text}; the long-term branch R535 ended in June 2026.",
        fix="Install a branch that is maintained: R580 until June 2028, R620 until September 2029.",
        source="docs.nvidia.com/datacenter/tesla/drivers, in the catalogue",
    ),
    Rule(
        code="driver-ceiling",
        severity="step",
        reads=(),
        applies=lambda c: (c["from_vendor"] == "nvidia") & (c["vendor"] == "nvidia") & (c["service"] != "aks"),
        hits=lambda c: c["driver_branch"] > c["last_driver"],
        message="The guests have driver {driver_text}; R{last_driver:g} is the last branch that supports {gpu}, later "
        "ones do not find it.",
        fix="Install a driver of R{last_driver:g}, and hold it there.",
        effort=RESIZE,
        source=DRIVER_BRANCHES,
    ),
    Rule(
        code="driver-floor",
        severity="step",
        reads=(),
        applies=_keeps_cuda,
        hits=lambda c: c["driver_branch"] < c["first_driver"],
        message="The guests have driver {driver_text}; R{first_driver:g} is the first branch that pages name for "
        "{gpu}.",
        fix="Install R{first_driver:g} or later before the machines start on {target}.",
        effort=RESIZE,
        source=DRIVER_BRANCHES,
    ),
    Rule(
        code="driver-floor-unknown",
        severity="unknown",
        reads=(),
        applies=lambda c: _keeps_cuda(c) & _newer_gpu(c),
        hits=lambda c: (
            np.isnan(c["first_driver"]) & (c["driver_branch"] > 0) & ~(c["driver_branch"] >= c["fitting_driver"])
        ),
        message="No source gives the first driver branch for {gpu}; the guests have {driver_text}.",
        question="Does driver {driver_text} support {gpu}?",
        field="driver",
        source=DRIVER_BRANCHES,
    ),
    Rule(
        code="driver-unknown",
        severity="unknown",
        reads=(),
        applies=lambda c: _keeps_cuda(c) & (_newer_gpu(c) | _earlier_end(c)),
        hits=lambda c: c["open_driver"] & ~(c["driver_branch"] < c["first_driver"]),
        message="Drivers have a first and a last branch for each GPU; whether that of the guests supports {gpu} is not "
        "known.",
        question="Which GPU driver do the guests have (nvidia-smi)?",
        field="driver",
        source=DRIVER_BRANCHES,
    ),
    Rule(
        code="guest-driver-old",
        severity="step",
        reads=(),
        applies=_keeps_grid,
        hits=_too_old,
        message="Hosts of {series} run vGPU {host_vgpu_words}; the guests' driver {driver_text} is older than "
        "{grid_least_words}, the oldest branch that works there.",
        fix="Install the driver of {series} before the machines start on it: an older one fails (Xid 78, Code 43).",
        effort=RESIZE,
        source=GRID_PAGES,
    ),
    Rule(
        code="guest-driver-new",
        severity="step",
        reads=(),
        applies=_keeps_grid,
        hits=lambda c: _too_new(c) & ~(c["driver_branch"] > c["last_driver"]),
        message="Hosts of {series} run vGPU {host_vgpu_words}; the guests' driver {driver_text} is newer than "
        "{grid_most_words}, the last branch that works there.",
        fix="Install the driver that Azure publishes for {series}.",
        effort=RESIZE,
        source="MicrosoftDocs/azure-compute-docs extensions/hpccompute-gpu-linux.md and -windows.md (2025-06-30)",
    ),
    Rule(
        code="guest-driver-behind",
        severity="warning",
        reads=(),
        applies=_keeps_grid,
        hits=lambda c: _behind(c) & ~_too_old(c),
        message="Hosts of {series} run vGPU {host_vgpu_words}, the guests' driver {driver_text} is of vGPU "
        "{guest_vgpu_words}: two releases behind.",
        fix="Update the guests: pages ask to stay within one major release of the newest.",
        source=GRID_PAGES,
    ),
    Rule(
        code="guest-driver-fits",
        severity="note",
        reads=(),
        applies=_keeps_grid,
        hits=_fits,
        message="Hosts of {series} run vGPU {host_vgpu_words}, the guests' driver {driver_text} is of vGPU "
        "{guest_vgpu_words}: it fits.",
        source=GRID_PAGES,
    ),
    Rule(
        code="guest-driver-unread",
        severity="unknown",
        reads=(),
        applies=_keeps_grid,
        hits=lambda c: (
            (c["driver_branch"] > 0)
            & (_of_system(c, "host_vgpu") > 0)
            & ~(_fits(c) | _behind(c) | _too_old(c) | _too_new(c))
        ),
        message="Hosts of {series} run vGPU {host_vgpu_words}; whether the guests' driver {driver_text} works there no "
        "page that was read says.",
        question="Does driver {driver_text} work on hosts of vGPU {host_vgpu_words}?",
        field="driver",
        source=GRID_PAGES,
    ),
    Rule(
        code="guest-driver",
        severity="unknown",
        reads=(),
        applies=_keeps_grid,
        hits=lambda c: c["open_driver"] & (_of_system(c, "host_vgpu") > 0) & ~_too_old(c),
        message="Hosts of {series} run vGPU {host_vgpu_words}; which driver the guests have is not known.",
        question="Which GRID driver do the guests have (nvidia-smi)?",
        field="driver",
        source=GRID_PAGES,
    ),
)
