"""What was watched of a pool, and what of it counts.

A figure counts by itself only where every machine of the pool was watched, each with all its GPUs and for long
enough; else it is shown, with why it does not count (docs/adr/0026).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.gpu_use import GpuUse
from advisor.engine.pool_use import PoolUse, UseSource
from advisor.engine.workload import ProfileFields, gpu_units, memory_per_unit

#: A driver shows 92 % (T4: 15,109 MiB of 16 GiB) to all of the memory that a size page says; other GPUs differ by more.
LEAST_SHOWN, MOST_SHOWN = 0.85, 1.05
#: 0 % means less than half a percent: nvidia-smi and DCGM print whole percents. No share of a pool is 0.
LEAST_BUSY = 0.01


def pool_use_of(
    machines: Sequence[tuple[GpuUse, ...]], group: Mapping[str, Any], catalogue: Catalogue, assume: Mapping[str, float]
) -> PoolUse:
    """The figures of one pool from the GPUs of each of its machines that files tell of."""
    size = catalogue.sizes.get(group["size"])
    vms = round(group["vms"])
    whole, left_out = [], []
    for uses in machines:
        fault = _fault(uses, size)
        left_out += [fault] if fault else []
        whole += [] if fault else [uses]
    gpus = [use for uses in whole for use in uses]
    figures = _figures(gpus)
    used, why_not = _that_count(gpus, min(len(whole), vms), vms, assume)
    used_max, p95 = figures["memory_used_max_gib"], figures["busy_p95"]
    needed = None if used_max is None else _needed(used_max, size, assume)
    hours = min((use.hours_seen for use in gpus), default=0)
    every = [use for uses in machines for use in uses]
    files = dict.fromkeys(use.file for use in every)
    return PoolUse(
        vms=vms,
        machines=min(len(whole), vms),
        gpus=len(gpus),
        samples=sum(use.samples for use in gpus),
        hours_seen=hours,
        **figures,
        needed_gib=needed,
        asked_share=None if p95 is None else max(LEAST_BUSY, p95),
        used=tuple(name for name in used if (needed if name == "gpu_memory_gib" else p95) is not None),
        weak=hours < 24 * assume["watched_days"],
        why_not=why_not,
        left_out=tuple(dict.fromkeys(left_out)),
        sources=tuple(_source(file, every) for file in files),
    )


def _fault(uses: Sequence[GpuUse], size: Size | None) -> str | None:
    """Why a machine's figures are not those of its size; None where nothing speaks against them."""
    if size is None:
        return f"{len(uses)} GPUs of a size that has no size page"
    units, memory = gpu_units(size), memory_per_unit(size)
    if units is not None and len(uses) != round(units):
        return f"a machine of which the files show {len(uses)} GPU{'s'[: len(uses) != 1]}; its size has {units:g}"
    for use in uses:
        if use.total_gib and memory and not LEAST_SHOWN * memory <= use.total_gib <= MOST_SHOWN * memory:
            return f"a machine with GPUs of {use.total_gib:.1f} GiB; those of its size have {memory:g} GiB"
        if use.name and size.gpu and not same_model(use.name, size.gpu):
            return f"a machine with {use.name}; its size has {size.gpu}"
    return None


def same_model(printed: str, gpu: str) -> bool:
    """True where the model's name stands in the printed one, or tells nothing.

    >>> same_model("Tesla V100-PCIE-16GB", "V100 PCIe 16GB"), same_model("Tesla T4", "K80")
    (True, False)
    """
    model = next(iter(re.findall(r"[A-Z]+\d+[A-Z]*", gpu.upper())), None)
    return model is None or model in re.findall(r"[A-Z]+\d+[A-Z]*", printed.upper())


def _figures(gpus: Sequence[GpuUse]) -> dict[str, Any]:
    """The figures of PoolUse over all GPUs; a share only where every GPU has one."""

    def mean(values: Iterable[float | None]) -> float | None:
        known = list(values)
        return sum(v for v in known if v is not None) / len(known) if known and None not in known else None

    used = [use.used_max_gib for use in gpus if use.used_max_gib is not None]
    totals = [use.total_gib for use in gpus if use.total_gib is not None]
    return {
        "start": min((use.first.date() for use in gpus if use.first), default=None),
        "end": max((use.last.date() for use in gpus if use.last), default=None),
        "busy_mean": mean(use.busy_mean for use in gpus),
        "busy_p50": mean(use.busy_at(0.5) for use in gpus),
        "busy_p95": mean(use.busy_at(0.95) for use in gpus),
        "idle_share": mean(use.idle_share for use in gpus),
        "idle_gpus": sum(use.idle_share == 1 for use in gpus),
        "memory_used_max_gib": max(used) if used and len(used) == len(gpus) else None,
        "memory_total_gib": min(totals, default=None),
        "power_mean_w": mean(use.power_mean_w for use in gpus),
    }


def _needed(used_max: float, size: Size | None, assume: Mapping[str, float]) -> float | None:
    """GiB per GPU as size pages count them: the most in use and room above, at most what the present GPU has."""
    present = memory_per_unit(size) if size else None
    needed = used_max * (1 + assume["watched_headroom"])
    return None if needed <= 0 else needed if present is None else min(needed, present)


def _that_count(
    gpus: Sequence[GpuUse], machines: int, vms: int, assume: Mapping[str, float]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The profile fields that count as watched, and why others do not."""
    if machines < vms:
        return (), (f"Watched were {machines:,} of {vms:,} machines; the others may need more.",)
    hours = min((use.hours_seen for use in gpus), default=0)
    if hours < assume["watched_hours"]:
        timed = any(use.first for use in gpus)
        seen = f"{hours:,} clock hours" if timed else "an unknown time, since there are no times"
        return (), (f"Watched was {seen}; from {assume['watched_hours']:g} hours on the figures count.",)
    least = assume["watched_samples"]
    used, why_not = [], []
    for name, counts, words in (
        ("gpu_memory_gib", [use.used_samples for use in gpus], "memory"),
        ("utilisation", [use.busy_samples for use in gpus], "the busy share"),
    ):
        if min(counts) >= least:
            used.append(name)
        else:
            why_not.append(f"A GPU has {min(counts):,} samples of {words}; from {least:g} on the figures count.")
    return tuple(used), tuple(why_not)


def _source(file: str, uses: Sequence[GpuUse]) -> UseSource:
    own = [use for use in uses if use.file == file]
    return UseSource(
        file=file,
        samples=sum(use.samples for use in own),
        gpus=len(own),
        start=min((use.first.date() for use in own if use.first), default=None),
        end=max((use.last.date() for use in own if use.last), default=None),
    )


def watched_fields(use: PoolUse | None) -> ProfileFields:
    """What counts as watched, as fields of the profile."""
    if use is None:
        return ProfileFields()
    return ProfileFields(
        gpu_memory_gib=use.needed_gib if "gpu_memory_gib" in use.used else None,
        utilisation=use.asked_share if "utilisation" in use.used else None,
    )


def counted(use: PoolUse | None, said: ProfileFields) -> PoolUse | None:
    """The figures with only those fields as `used` that nobody said otherwise: what a person says goes before."""
    if use is None:
        return None
    return replace(use, used=tuple(name for name in use.used if getattr(said, name) is None))
