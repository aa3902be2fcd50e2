"""Rules on the GPU and its software: vendor, graphics and compute drivers, licence, CUDA, double precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.rulebook.common import DRIVERS_LINUX, DRIVERS_WINDOWS, GUIDE, graphics, moving, never
from advisor.engine.rules import PORT, REBUILD, RESIZE, Facts, Rule


def _grid_driver(c: Facts) -> Any:
    """Graphics that moves to a size which has NVIDIA's graphics driver."""
    return graphics(c) & (c["vendor"] == "nvidia") & ~c["stay"] & (c["graphics_driver"] == 1)


GPU_RULES = (
    Rule(
        code="fpga",
        severity="blocker",
        reads=(),
        applies=lambda c: ~c["stay"],
        hits=lambda c: c["from_vendor"] == "fpga",
        message="FPGA to GPU: {size} runs code made for its FPGA, which has to be ported to {target}; how fast it will "
        "be there no source says.",
        flips="the code is ported and you have measured it",
        effort=PORT,
        source="MicrosoftDocs/azure-compute-docs sizes/lifecycle/retirement/np-series-retirement.md (2026-09-25)",
    ),
    Rule(
        code="gpu-vendor",
        severity="step",
        reads=("vendor", "from_vendor"),
        applies=lambda c: ~graphics(c),
        hits=lambda c: (c["vendor"] == "amd") & (c["from_vendor"] == "nvidia"),
        message="{target} has an AMD GPU: there is no CUDA, code has to be ported to ROCm.",
        fix="Build and validate your code on ROCm before you decide.",
        effort=PORT,
        question="Which GPU does the present size have?",
        source="MicrosoftDocs/azure-compute-docs linux/azure-n-series-amd-gpu-driver-linux-installation-guide.md",
    ),
    Rule(
        code="from-amd",
        severity="step",
        reads=("vendor", "from_vendor"),
        applies=lambda c: ~graphics(c),
        hits=lambda c: (c["vendor"] == "nvidia") & (c["from_vendor"] == "amd"),
        message="{target} has an NVIDIA GPU: ROCm code has to be ported to CUDA.",
        fix="Build and validate your code on CUDA before you decide.",
        effort=PORT,
        source=GUIDE,
    ),
    Rule(
        code="graphics-vendor",
        severity="step",
        reads=("vendor", "from_vendor"),
        applies=graphics,
        hits=lambda c: c["vendor"] != c["from_vendor"],
        message="The graphics driver changes vendor: remove the old one and install that of {target}.",
        fix="Test your applications on it; CUDA features are gone on AMD.",
        effort=REBUILD,
        source="MicrosoftDocs/azure-compute-docs sizes/lifecycle/retirement/nv-series-migration-guide.md (2023-02-27)",
    ),
    Rule(
        code="graphics-driver",
        severity="blocker",
        reads=("graphics_driver",),
        needed="graphics-driver",
        applies=lambda c: graphics(c) & ~c["stay"],
        hits=lambda c: c["graphics_driver"] == 0,
        message="There is no graphics driver (GRID or AMD) for {series} on {os}.",
        flips="the machines may run another system, or need no graphics driver",
        question="Is there a graphics driver for {series} on {os}?",
        source=DRIVERS_WINDOWS,
    ),
    Rule(
        code="grid-licence",
        severity="blocker",
        reads=("grid_included",),
        needed="grid-licence",
        applies=lambda c: _grid_driver(c) & ~(c["grid_price"] >= 0),
        hits=never,
        message="",
        flips="the price of a GRID licence on {series} is known, or the work needs none",
        question="Is a GRID licence included on {series}, or what does yours cost?",
        source="MicrosoftDocs/azure-docs/issues/92484",
    ),
    Rule(
        code="grid-licence-counted",
        severity="note",
        reads=(),
        applies=_grid_driver,
        hits=lambda c: ~(c["grid_included"] == 1) & (c["grid_price"] >= 0),
        message="No page says that {series} includes a GRID licence: yours is counted for each {target}.",
        fix="Ask whether it is included before you buy one.",
        source="MicrosoftDocs/azure-docs/issues/92484",
    ),
    Rule(
        code="grid-licence-stay",
        severity="note",
        reads=(),
        applies=lambda c: c["stay"] & graphics(c) & (c["vendor"] == "nvidia"),
        hits=lambda c: ~(c["grid_included"] == 1) & np.isnan(c["grid_price"]),
        message="No GRID licence is counted for staying: no page says that {series} includes one, and what yours costs "
        "is not known.",
        fix="Give its price (assumption grid_licence), so that staying and moving are compared with it.",
        source="MicrosoftDocs/azure-docs/issues/92484",
    ),
    Rule(
        code="grid-licence-cost",
        severity="blocker",
        reads=(),
        applies=lambda c: graphics(c) & (c["vendor"] == "nvidia") & ~c["stay"],
        hits=lambda c: (c["grid_included"] == 0) & np.isnan(c["grid_price"]),
        message="A GRID licence is not included on {series}, and no source gives its price.",
        flips="you give the price of a GRID licence (assumption grid_licence)",
        source="catalogue: drivers by series",
    ),
    Rule(
        code="compute-driver",
        severity="blocker",
        reads=("compute_driver",),
        applies=lambda c: ~graphics(c) & ~c["stay"],
        hits=lambda c: c["compute_driver"] == 0,
        message="There is no compute driver (CUDA or ROCm) for {series} on {os}.",
        flips="the machines may run another system",
        question="Is there a compute driver for {series} on {os}?",
        source=DRIVERS_LINUX,
    ),
    Rule(
        code="grid-driver-only",
        severity="step",
        reads=("driver", "from_driver"),
        applies=moving,
        hits=lambda c: (c["driver"] == "grid") & (c["from_driver"] != "grid"),
        message="{series} takes the GRID driver only; a CUDA driver hangs at boot.",
        fix="Remove the CUDA driver and install Azure's GRID driver before the machine starts on {target}.",
        effort=REBUILD,
        question="Which driver does {target} take?",
        source=DRIVERS_LINUX,
    ),
    Rule(
        code="cuda-driver",
        severity="step",
        reads=("driver", "from_driver"),
        applies=moving,
        hits=lambda c: (c["driver"] == "cuda") & (c["from_driver"] == "grid"),
        message="{series} takes the CUDA driver; the GRID driver has to go.",
        fix="Remove the GRID driver and install the CUDA driver.",
        effort=REBUILD,
        question="Which driver does {target} take?",
        source=DRIVERS_LINUX,
    ),
    Rule(
        code="driver-branch",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & (c["gpu"] != c["from_gpu"]),
        hits=lambda c: (c["driver"] == c["from_driver"]) & ((c["driver"] == "grid") | (c["driver"] == "amd")),
        message="{series} takes another branch of its driver than {from_series}: today's driver does not work there.",
        fix="Remove the old driver and install the one that Azure publishes for {series}.",
        effort=RESIZE,
        source="MicrosoftDocs/azure-compute-docs extensions/hpccompute-gpu-linux.md (2025-06-30): NVv3 ends at vGPU "
        "16.5; windows/n-series-driver-setup.md (2026-05-06): A10 takes vGPU 18, each AMD series a driver of its own",
    ),
    Rule(
        code="cuda-too-old",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & ~graphics(c) & (c["from_vendor"] == "nvidia") & (c["vendor"] == "nvidia"),
        hits=lambda c: c["from_last_cuda"] < c["min_cuda"],
        message="{target} needs CUDA {min_cuda_text} or later; the last for today's GPU is {from_last_cuda_text}.",
        fix="Rebuild the code and its image with a newer CUDA and framework.",
        effort=REBUILD,
        source="catalogue: CUDA versions by GPU",
    ),
    Rule(
        code="cuda-minimum",
        severity="note",
        reads=(),
        applies=lambda c: moving(c) & ~graphics(c) & (c["from_vendor"] == "nvidia") & (c["vendor"] == "nvidia"),
        hits=lambda c: (
            (c["min_cuda"] > c["from_min_cuda"]) & ~(c["from_last_cuda"] < c["min_cuda"]) & np.isnan(c["cuda_number"])
        ),
        message="{target} needs CUDA {min_cuda_text} or later: anything built with an older one must be rebuilt.",
        fix="Check the CUDA version of your images and wheels.",
        source="catalogue: CUDA versions by GPU",
    ),
    Rule(
        code="framework-end",
        severity="warning",
        reads=(),
        applies=lambda c: ~graphics(c) & (c["vendor"] == "nvidia"),
        hits=lambda c: c["last_cuda"] > 0,
        message="CUDA {last_cuda_text} is the last toolkit for this GPU: newer frameworks drop it. "
        "{software_end_words}",
        fix="Pin images to that toolkit, and plan for the day your framework leaves it.",
        source="catalogue: CUDA versions by GPU",
    ),
    Rule(
        code="fp64-slow",
        severity="warning",
        reads=("fp64_share", "from_fp64_share"),
        applies=lambda c: (c["kind"] == "hpc") & ~c["stay"],
        hits=lambda c: (c["fp64_share"] < 0.1) & (c["from_fp64_share"] > 0.1),
        message="Double precision runs at {fp64_percent:.0f} % of the single-precision rate on {target}.",
        fix="Keep double-precision code on A100, H100 or their like.",
        question="What is the double-precision rate of {target}?",
        field="precision",
        source="data sheets in the catalogue",
    ),
)
