"""Rules on the image: conversion, Trusted Launch, Secure Boot, guest system, images that find no GPU, extensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.platform_facts import FAMILIES
from advisor.engine.rulebook.common import DRIVERS_LINUX, linux, moving, runs_grid
from advisor.engine.rules import REBUILD, REDEPLOY, RESIZE, Facts, Rule, is_known

TRUSTED_LAUNCH = "MicrosoftDocs/azure-compute-docs trusted-launch-existing-vm-gen-1.md (2026-03-09)"
EXTENSION = "MicrosoftDocs/azure-compute-docs extensions/hpccompute-gpu-linux.md (2025-06-30)"
HPC_IMAGES = "Azure/azhpc-images issues 398 and 406, pulls 459 and 478; catalogue: images"
_RTX = "NC_RTXPRO6000BSE_v6"


def _generation_1(c: Facts) -> Any:
    return (c["generation"] == 1) | ((c["from_gen2"] == 0) & np.isnan(c["generation"]))


def _compared(c: Facts) -> tuple[Any, Any]:
    """Whether the guest's version is older than any that pages name for the series, and whether it is among them."""
    nothing = np.zeros((1, 1), dtype=bool)
    old, named = nothing, nothing
    family, version = c["system_family"], c["system_version"]
    for name in FAMILIES:
        same = (family == name) | (family == f"{name}-hpc")
        if same.any():
            old = old | (same & (version < c[f"oldest_{name}"]))
            named = named | (same & (version >= c[f"oldest_{name}"]) & (version <= c[f"newest_{name}"]))
    return old, named


def _names_systems(c: Facts) -> Any:
    return np.where(linux(c), c["names_linux"], c["names_windows"]) == 1


def _blind(c: Facts) -> Any:
    """Somebody saw the image find no GPU of the target's kind."""
    found = np.zeros((1, 1), dtype=bool)
    for name in (name for name in c if name.startswith("sees_")):
        found = found | ((c["image_text"] == name.removeprefix("sees_")) & (c[name] == 0))
    return found


IMAGE_RULES = (
    Rule(
        code="conversion-excluded",
        severity="warning",
        reads=(),
        applies=lambda c: moving(c) & (c["gen1"] == 0) & _generation_1(c),
        hits=lambda c: c["no_conversion"] == 1,
        message="{image_words} cannot be converted to Generation 2 in place.",
        fix="Build a new Generation 2 image and move the data.",
        source=TRUSTED_LAUNCH,
    ),
    Rule(
        code="confidential",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: (c["confidential"] == 1) & (c["series"] != "NCCads_H100_v5"),
        message="The machines are confidential VMs; {target} is a standard size and gives no such protection.",
        fix="Check that the data may leave confidential computing, then build standard VMs.",
        effort=REDEPLOY,
        source="list of special sizes in the catalogue",
    ),
    Rule(
        code="trusted-launch",
        severity="unknown",
        reads=(),
        applies=moving,
        hits=lambda c: c["trusted"] == 1,
        message="The machines are Trusted Launch; no page that was read says whether {target} takes it.",
        question="Does {target} take Trusted Launch?",
        source=TRUSTED_LAUNCH,
    ),
    Rule(
        code="secure-boot",
        severity="step",
        reads=("secure_boot",),
        applies=lambda c: moving(c) & linux(c) & runs_grid(c) & ~_generation_1(c),
        hits=lambda c: c["secure_boot"] == 1,
        message="The GRID driver of {series} does not load on Linux while Secure Boot is on.",
        fix="Turn Secure Boot off before the driver is installed.",
        effort=RESIZE,
        question="Is Secure Boot on?",
        field="secure_boot",
        source=DRIVERS_LINUX,
    ),
    Rule(
        code="vtpm",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & linux(c) & (c["series"] == _RTX),
        hits=lambda c: c["trusted"] == 1,
        message="{series} wants Secure Boot and vTPM off on Linux.",
        fix="Turn both off, and check what relies on the vTPM.",
        effort=RESIZE,
        source="MicrosoftDocs/azure-compute-docs nc-rtxpro6000-bse-v6-series-overview.md (2026-06-03)",
    ),
    Rule(
        code="secure-boot-signed",
        severity="warning",
        reads=(),
        applies=lambda c: moving(c) & linux(c) & ~runs_grid(c),
        hits=lambda c: c["secure_boot"] == 1,
        message="With Secure Boot on only signed drivers load, and the driver extension does not work.",
        fix="Install Ubuntu's own NVIDIA packages, which are signed, or enrol a machine owner key.",
        source=DRIVERS_LINUX,
    ),
    Rule(
        code="system-old",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: _compared(c)[0],
        message="{image_words} is older than any system that pages name for {series}: {named_systems}.",
        fix="Build the image on a system that is named.",
        effort=REBUILD,
        source="catalogue: guest systems by series",
    ),
    Rule(
        code="system",
        severity="unknown",
        reads=("system_family",),
        applies=lambda c: moving(c) & _names_systems(c),
        hits=lambda c: ~np.logical_or(*_compared(c)),
        message="Pages name {named_systems} for {series}; {image_words} is not among them, nor is it refused.",
        question="Which system and version runs inside, and is there a driver of {series} for it?",
        field="image",
        source="catalogue: guest systems by series",
    ),
    Rule(
        code="image-blind",
        severity="warning",
        reads=(),
        applies=lambda c: moving(c) & is_known(c["gpu"]),
        hits=_blind,
        message="Somebody saw the image {image_words} find no GPU of the kind {gpu_family}.",
        fix="Take another image, or install the driver yourself; see the table of images.",
        source=HPC_IMAGES,
    ),
    Rule(
        code="extensions",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & (c["gpu"] != c["from_gpu"]),
        hits=lambda c: c["gpu_extension"] == 1,
        message="The GPU driver extension never updates a driver that it installed.",
        fix="Remove it before the move and install it anew on {target}, or install the driver yourself.",
        source=EXTENSION,
    ),
)
