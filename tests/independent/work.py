"""What a pool does, how many machines of a size that takes, and what they cost (design 4.5 and 4.6), one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from tests.independent.facts import Facts, Hourly

HOURS = 730.0
JOINED = ("training", "hpc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One pool: the cells of its row, with what the design makes of those that nobody filled in."""

    size: str
    region: str | None
    system: str
    vms: int
    per_gpu: float | None  # GPUs of one VM of today
    kind: str
    shape: str
    pattern: str
    precision: str
    hours: float
    busy: float | None
    job: float
    fewest: int
    needed: float | None
    needed_said: bool
    data_disks: float | None
    premium: bool
    runs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sized:
    """Machines and hours of one size; `replaces` is what one VM does, in GPUs of today."""

    replaces: float
    spans: bool
    vms: int
    hours: float


def sized(work: Work, facts: Facts, target: str, speed: float, stay: bool, assume: Mapping[str, float]) -> Sized:
    """How many VMs of `target` do the work, and for how many hours a month in all."""
    today, gpus = work.per_gpu or math.nan, facts.gpus_of(target) or math.nan
    from_facts, to_facts = facts.sizes[work.size], facts.sizes[target]
    joined = work.kind in JOINED and work.job > 1
    slack = assume["job_slack"]
    before = _across(from_facts, assume) if work.job > today else _inside(from_facts, assume)
    before, inside = (before, _inside(to_facts, assume)) if joined else (1.0, 1.0)
    one_gpu_does = slack * speed >= work.job
    spans = work.job > 1 and not one_gpu_does and slack * gpus * speed * inside / before < work.job and not stay
    after = 1.0
    if joined:
        after = _across(to_facts, assume) if spans else 1.0 if one_gpu_does else inside
    replaces = gpus * speed * (1.0 if stay else after / before)
    share = 1.0 if work.busy is None else min(1.0, work.busy / assume["target_utilisation"])
    vms = max(work.fewest, math.ceil(work.vms * today * share / replaces - 1e-9))
    if spans:
        vms = max(vms, math.ceil(work.job / (slack * replaces) - 1e-9))
    if work.shape == "seat":
        vms = max(work.vms, work.fewest)
    if work.pattern == "steady":
        hours = vms * HOURS
    elif work.shape == "queue":
        starts = 0.0 if stay else assume["starts_per_month"] * assume["start_hours"]
        demand = work.vms * today * (1.0 if work.busy is None else work.busy) * work.hours
        hours = min(vms * HOURS, demand / replaces + vms * starts)
    else:
        hours = vms * work.hours
    return Sized(replaces=replaces, spans=spans, vms=vms, hours=hours)


def _inside(size: Mapping[str, Any], assume: Mapping[str, float]) -> float:
    return assume["efficiency_nvlink" if size["gpu_link"] in ("nvlink", "infinity-fabric") else "efficiency_pcie"]


def _across(size: Mapping[str, Any], assume: Mapping[str, float]) -> float:
    return assume["efficiency_ethernet" if size["rdma"] in (None, "none") else "efficiency_infiniband"]


def annuity(assume: Mapping[str, float], months: int) -> float:
    """Value today of 1 at the end of each month, added up month by month."""
    monthly = (1 + assume["discount_rate"] / 100) ** (1 / 12)
    return sum(monthly**-month for month in range(1, months + 1))


def ownership(
    work: Work,
    found: Sized,
    price: Hourly,
    verdict: str,
    *,
    grid: float,
    moves_data: bool,
    ends: date | None,
    as_of: date,
    months: int,
    assume: Mapping[str, float],
) -> float:
    """Cost of ownership over `months`, value today; `grid` a month and VM, `ends` the day of a second move, if any."""
    n, rate = found.vms, assume["labour_rate"]
    licence = price.licence or 0.0
    a_day = found.hours * (price.compute + licence) * 12 / 365
    disks = n + work.vms * (assume["data_disks"] if work.data_disks is None else work.data_disks)
    share_on = work.hours / HOURS
    a_month = found.hours * (price.compute + licence) + grid * n + disks * assume["disk_price"]
    a_month += work.vms * share_on * assume["egress_gib"] * assume["egress_price"]
    a_month += n * assume["operations_hours"] * rate if work.hours > 0 else 0.0
    once = 0.0
    if verdict != "stay":
        per_vm = assume["labour_vm_resize" if verdict == "resize" else "labour_vm_redeploy"]
        days = assume["parallel_days_resize" if verdict == "resize" else "parallel_days_redeploy"]
        training = assume.get(f"training_hours_{verdict}", 0.0)
        once = (assume[f"labour_pool_{verdict}"] + n * per_vm + training) * rate + (a_day * days if work.runs else 0.0)
    if moves_data:
        once += work.vms * assume["moved_gib"] * assume["moved_price"]
    if ends is not None:
        again = (assume["labour_pool_redeploy"] + n * assume["labour_vm_redeploy"]) * rate
        again += a_day * assume["parallel_days_redeploy"]
        once += again * (1 + assume["discount_rate"] / 100) ** (-(ends - as_of).days / 365)
    return a_month * annuity(assume, months) + once
