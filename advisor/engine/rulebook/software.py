"""Rules on software: FPGA code, CUDA of the code, frameworks, kinds of number, and the driver inside the guest."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np

from advisor.engine.rulebook.common import GUIDE, graphics, moving
from advisor.engine.rules import PORT, REBUILD, RESIZE, Facts, Rule

MATRIX = "catalogue: published CUDA, driver and framework versions by GPU"
GRID_PAGES = (
    "MicrosoftDocs/azure-compute-docs windows/n-series-driver-setup.md (2026-05-06); "
    "github.com/skypilot-org/skypilot/issues/10468; github.com/MicrosoftDocs/azure-docs/issues/121599"
)
#: GRID driver branches and the vGPU release they belong to, as the catalogue's driver rows pair them.
VGPU_OF_BRANCH = ((535.0, 16.0), (570.0, 18.0), (595.0, 20.0))
#: The last day of R535, "June 2026"; source: docs.nvidia.com/datacenter/tesla/drivers, in the catalogue.
R535_ENDED = float(date(2026, 6, 30).toordinal())
BLACKWELL_CUDA = 1208.0
#: PyTorch 2.8 is the first that was read with a wheel for CUDA 12.8; earlier ones may have one.
BLACKWELL_PYTORCH = 208.0


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


def _grid(c: Facts) -> Any:
    """A GRID driver runs inside: the size takes no other, or graphics needs it."""
    return (c["driver"] == "grid") | ((c["driver"] == "cuda-or-grid") & graphics(c))


def _keeps_grid(c: Facts) -> Any:
    """The guest comes with a GRID driver, or stays with it."""
    return _grid(c) & (c["stay"] | (c["from_driver"] == "grid"))


def _too_old(c: Facts) -> Any:
    return c["driver_branch"] < _of_system(c, "grid_least")


def guest_vgpu(branch: Any) -> Any:
    """The vGPU release of a GRID driver branch: that of the newest known branch that is not above it; NaN below all."""
    found = np.full(np.shape(branch), np.nan)
    for least, release in VGPU_OF_BRANCH:
        found = np.where(branch >= least, release, found)
    return found


def _behind(c: Facts) -> Any:
    return guest_vgpu(c["driver_branch"]) <= _of_system(c, "host_vgpu") - 2


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
        hits=lambda c: c["open_cuda"] & ~(c["cuda_number"] < c["min_cuda"]) & (c["min_cuda"] > c["from_min_cuda"]),
        message="{gpu} needs CUDA {min_cuda_text} or later; which one code and images use is not known.",
        question="Which CUDA are code and images built with?",
        field="cuda",
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
        source="github:tensorflow/docs site/en/install/source.md, in the catalogue",
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
        source="github:tensorflow/docs site/en/install/source.md, in the catalogue",
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
        hits=lambda c: (c["driver_branch"] <= 535) & ~_grid(c),
        message="The guests have driver {driver_text}; the long-term branch R535 ended in June 2026.",
        fix="Install a branch that is maintained: R580 until June 2028, R620 until September 2029.",
        source="docs.nvidia.com/datacenter/tesla/drivers, in the catalogue",
    ),
    Rule(
        code="guest-driver-old",
        severity="step",
        reads=(),
        applies=_grid,
        hits=_too_old,
        message="Hosts of {series} run vGPU {host_vgpu_words}; the guests' driver {driver_text} is older than "
        "{grid_least_words}, the oldest branch that works there.",
        fix="Install the driver of {series} before the machines start on it: an older one fails (Xid 78, Code 43).",
        effort=RESIZE,
        source=GRID_PAGES,
    ),
    Rule(
        code="guest-driver-behind",
        severity="warning",
        reads=(),
        applies=_grid,
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
        hits=lambda c: (c["driver_branch"] > 0) & (_of_system(c, "host_vgpu") > 0) & ~_too_old(c) & ~_behind(c),
        message="Hosts of {series} run vGPU {host_vgpu_words}, the guests' driver {driver_text} is of vGPU "
        "{guest_vgpu_words}: it fits.",
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
