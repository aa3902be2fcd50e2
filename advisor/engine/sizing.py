"""Sizing: how many target VMs a pool needs, and for how many hours (design 4.5, docs/adr/0004-job-layout.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.pools import HOURS_PER_MONTH

Numbers = np.ndarray[Any, Any]
#: Kinds whose GPUs work as one and so pay for the way they are joined.
JOINED_KINDS = ("training", "hpc")


def add_sizing(candidates: pd.DataFrame, assume: Mapping[str, float]) -> pd.DataFrame:
    """Add asked, demand, replaces, efficiency, spans, n, hours and gpus_bought.

        r = units * speed * e                        source GPUs that one target VM replaces
        asked A = N * k0 * min(1, u / h)             u unknown: N * k0
        demand D = N * k0 * u * W                    source-GPU-hours a month; u unknown: 1
        n = max(n_min, ceil(A / r - 1e-9))           a seat: N
        hours H: steady n * 730; burst stream and seat n * W; burst queue D / r + n * starts * start hours

    H is VM-hours a month and at most n * 730. The pool's own size pays no start hours: its hours hold them already.
    NaN where speed or GPU counts are unknown.
    """
    c = candidates
    vms, k0, hours = (c[name].to_numpy(dtype=float) for name in ("vms", "k0", "hours_per_vm_month"))
    busy = c["utilisation"].to_numpy(dtype=float)
    used = np.where(np.isnan(busy), 1.0, busy)
    asked = vms * k0 * np.where(np.isnan(busy), 1.0, np.minimum(1.0, used / assume["target_utilisation"]))
    demand = vms * k0 * used * hours
    efficiency, spans = _layout(c, assume)
    replaces = c["units"].to_numpy(dtype=float) * c["speed"].to_numpy(dtype=float) * efficiency
    seat = (c["shape"] == "seat").to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        enough = np.ceil(asked / replaces - 1e-9)
        for_one_job = np.ceil(c["job_gpus"].to_numpy(dtype=float) / (assume["job_slack"] * replaces) - 1e-9)
    count = np.maximum(c["min_vms"].to_numpy(dtype=float), enough)
    count = np.where(spans, np.maximum(count, for_one_job), count)
    count = np.where(seat, vms, count)
    count = np.where(np.isnan(replaces) & ~seat, np.nan, count)
    vm_hours = _hours(c, count, demand, replaces, assume)
    return c.assign(
        asked=asked,
        demand=demand,
        replaces=replaces,
        efficiency=efficiency,
        spans=spans,
        n=count,
        hours=vm_hours,
        gpus_bought=count * c["gpus"].to_numpy(dtype=float),
    )


def _hours(c: pd.DataFrame, count: Numbers, demand: Numbers, replaces: Numbers, assume: Mapping[str, float]) -> Numbers:
    steady = (c["pattern"] == "steady").to_numpy()
    queue = (c["shape"] == "queue").to_numpy()
    start = np.where(c["stay"].to_numpy(dtype=bool), 0.0, assume["starts_per_month"] * assume["start_hours"])
    with np.errstate(divide="ignore", invalid="ignore"):
        packed = demand / replaces + count * start
    burst = np.where(queue, packed, count * c["hours_per_vm_month"].to_numpy(dtype=float))
    return np.minimum(np.where(steady, count * HOURS_PER_MONTH, burst), count * HOURS_PER_MONTH)


def _layout(c: pd.DataFrame, assume: Mapping[str, float]) -> tuple[Numbers, Numbers]:
    """Efficiency of the job's layout on the target over that on the source; whether the job spans target VMs.

    A job of j source GPUs runs on one target GPU when job_slack * speed >= j, else on the GPUs of one VM when
    job_slack * r >= j, else over several VMs. A job of one GPU has efficiency 1 on both sides. On a stay the job runs
    as it does today: efficiency 1.
    """
    job = c["job_gpus"].to_numpy(dtype=float)
    joined = c["kind"].isin(JOINED_KINDS).to_numpy() & (job > 1)
    slack = assume["job_slack"]
    speed = c["speed"].to_numpy(dtype=float)
    units = c["units"].to_numpy(dtype=float)
    source = np.where(
        job > c["k0"].to_numpy(dtype=float),
        _across(c["from_infiniband"], assume),
        _inside(c["from_gpu_link"], assume),
    )
    source = np.where(joined, source, 1.0)
    inside = np.where(joined, _inside(c["gpu_link"], assume), 1.0)
    fits_one = slack * speed >= job
    spans = (job > 1) & ~fits_one & (slack * units * speed * inside / source < job)
    target = np.where(joined, np.where(spans, _across(c["infiniband"], assume), np.where(fits_one, 1.0, inside)), 1.0)
    stay = c["stay"].to_numpy(dtype=bool)
    return np.where(stay, 1.0, target / source), spans & ~stay


def _inside(link: pd.Series[Any], assume: Mapping[str, float]) -> Numbers:
    fast = link.isin(("nvlink", "infinity-fabric")).to_numpy()
    return np.where(fast, assume["efficiency_nvlink"], assume["efficiency_pcie"])


def _across(infiniband: pd.Series[Any], assume: Mapping[str, float]) -> Numbers:
    fast = infiniband.to_numpy(dtype=float) == 1
    return np.where(fast, assume["efficiency_infiniband"], assume["efficiency_ethernet"])
