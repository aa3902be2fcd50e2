"""Sizing: how many target VMs a pool needs, and for how many hours (design 4.5, docs/adr/0004-job-layout.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.pools import HOURS_PER_MONTH

Numbers = np.ndarray[Any, Any]
#: Kinds whose GPUs work as one and so pay for the way they are joined.
JOINED_KINDS = ("training", "hpc")
_NUMBERS = ("vms", "k0", "hours_per_vm_month", "utilisation", "units", "gpus", "min_vms", "job_gpus", "speed")


def work_facts(c: Table, assume: Mapping[str, float]) -> dict[str, Numbers]:
    """What `size_up` reads of the candidates `c`, as arrays of numbers and truths that spread over the table.

    `inside` and `across` are the efficiencies of the target's GPUs joined in one VM and over several, `source` that of
    the job as it runs today.
    """
    job, kind = c["job_gpus"], c["kind"]
    joined = ((kind == JOINED_KINDS[0]) | (kind == JOINED_KINDS[1])).astype(bool) & (job > 1)
    spans_today = job > c["k0"]
    today = np.where(spans_today, _across(c["from_infiniband"], assume), _inside(c["from_gpu_link"], assume))
    return {name: np.asarray(c[name], dtype=float) for name in _NUMBERS} | {
        "seat": (c["shape"] == "seat").astype(bool),
        "queue": (c["shape"] == "queue").astype(bool),
        "steady": (c["pattern"] == "steady").astype(bool),
        "stay": np.asarray(c["stay"], dtype=bool),
        "joined": joined,
        "source": np.where(joined, today, 1.0),
        "inside": np.where(joined, _inside(c["gpu_link"], assume), 1.0),
        "across": np.where(joined, _across(c["infiniband"], assume), 1.0),
    }


def size_up(
    f: Mapping[str, Numbers], assume: Mapping[str, float], *, speed: Numbers | None = None, busier: Any = 1.0
) -> dict[str, Numbers]:
    """Machines and hours of every row: asked, demand, replaces, efficiency, spans, n, hours, gpus_bought.

        r = units * speed * e                        source GPUs that one target VM replaces
        asked A = N * k0 * min(1, u / h)             u unknown: N * k0
        demand D = N * k0 * u * W                    source-GPU-hours a month; u unknown: 1
        n = max(n_min, ceil(A / r - 1e-9))           a seat: N, or n_min where the user wants more
        hours H: steady n * 730; burst stream and seat n * W; burst queue D / r + n * starts * start hours

    H is VM-hours a month and at most n * 730. The pool's own size pays no start hours: its hours hold them already.
    `speed` and `busier`, a factor on W, may have a further axis of draws that the facts `f` then carry as an axis of
    1. NaN where speed or GPU counts are unknown.
    """
    speed = f["speed"] if speed is None else speed
    busy = f["utilisation"]
    share = np.where(np.isnan(busy), 1.0, np.minimum(1.0, busy / assume["target_utilisation"]))
    asked = f["vms"] * f["k0"] * share
    today = f["hours_per_vm_month"]
    steady, queue = f["steady"], f["queue"]
    per_vm = today if steady.all() else np.where(steady, today, np.minimum(today * busier, HOURS_PER_MONTH))
    demand = f["vms"] * f["k0"] * np.where(np.isnan(busy), 1.0, busy) * per_vm
    efficiency, spans = _layout(f, speed, assume["job_slack"])
    replaces = f["units"] * speed * efficiency
    with np.errstate(divide="ignore", invalid="ignore"):
        count = np.maximum(f["min_vms"], np.ceil(asked / replaces - 1e-9))
        if spans.any():
            for_one_job = np.ceil(f["job_gpus"] / (assume["job_slack"] * replaces) - 1e-9)
            count = np.where(spans, np.maximum(count, for_one_job), count)
        if f["seat"].any():
            count = np.where(f["seat"], np.maximum(f["vms"], f["min_vms"]), count)
        most = count * HOURS_PER_MONTH
        hours = most if steady.all() else count * per_vm
        if (queue & ~steady).any():
            start = np.where(f["stay"], 0.0, assume["starts_per_month"] * assume["start_hours"])
            hours = np.where(queue, demand / replaces + count * start, hours)
        if not steady.all():
            hours = np.where(steady, most, hours)
    return {
        "asked": asked,
        "demand": demand,
        "replaces": replaces,
        "efficiency": efficiency,
        "spans": spans,
        "n": count,
        "hours": np.minimum(hours, most),
        "gpus_bought": count * f["gpus"],
    }


def add_sizing(candidates: Table, assume: Mapping[str, float]) -> Table:
    """The candidates with what `size_up` finds at the expected speed."""
    return candidates.with_columns(**size_up(work_facts(candidates, assume), assume))


def _layout(f: Mapping[str, Numbers], speed: Numbers, slack: float) -> tuple[Numbers, Numbers]:
    """Efficiency of the job's layout on the target over that on the source; whether the job spans target VMs.

    A job of j source GPUs runs on one target GPU when job_slack * speed >= j, else on the GPUs of one VM when
    job_slack * r >= j, else over several VMs. A job of one GPU has efficiency 1 on both sides. On a stay the job runs
    as it does today: efficiency 1.
    """
    job = f["job_gpus"]
    if not (job > 1).any():
        return np.ones((1,) * np.ndim(speed)), np.zeros((1,) * np.ndim(speed), dtype=bool)
    fits_one = slack * speed >= job
    spans = (job > 1) & ~fits_one & (slack * f["units"] * speed * f["inside"] / f["source"] < job)
    target = np.where(spans, f["across"], np.where(fits_one | ~f["joined"], 1.0, f["inside"]))
    return np.where(f["stay"], 1.0, target / f["source"]), spans & ~f["stay"]


def _inside(link: Numbers, assume: Mapping[str, float]) -> Numbers:
    fast = ((link == "nvlink") | (link == "infinity-fabric")).astype(bool)
    return np.where(fast, assume["efficiency_nvlink"], assume["efficiency_pcie"])


def _across(infiniband: Numbers, assume: Mapping[str, float]) -> Numbers:
    return np.where(infiniband == 1, assume["efficiency_infiniband"], assume["efficiency_ethernet"])
