"""Figures without a source: each has a name, a unit and a reason, can be changed, and stands in this one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Unit = Literal["share", "hours", "hours/month", "USD/hour", "days", "starts/month", "factor", "percent", "switch"]


class UnknownAssumption(ValueError):
    """A name that is not in the list, or a value outside its range; the message says which are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One named figure with the range of values that make sense for it."""

    name: str
    value: float
    unit: Unit
    minimum: float
    maximum: float
    reason: str


def _a(name: str, value: float, unit: Unit, minimum: float, maximum: float, reason: str) -> Assumption:
    return Assumption(name=name, value=value, unit=unit, minimum=minimum, maximum=maximum, reason=reason)


ASSUMPTIONS: Mapping[str, Assumption] = {
    assumption.name: assumption
    for assumption in (
        _a("target_utilisation", 0.7, "share", 0.05, 1.0, "Room for peaks: machines are sized to be 70 % busy."),
        _a("steady_from_hours", 657.0, "hours/month", 1.0, 730.0, "A machine on for 90 % of a month runs all month."),
        _a("starts_per_month", 20.0, "starts/month", 0.0, 1000.0, "Burst work starts once on each working day."),
        _a("start_hours", 0.25, "hours", 0.0, 24.0, "Boot, driver, data and model take a quarter of an hour."),
        _a("what_if_utilisation", 0.3, "share", 0.01, 1.0, "The busy share tried to see whether knowing it matters."),
        _a("what_if_hours", 160.0, "hours/month", 1.0, 730.0, "The hours tried likewise: a working month."),
        _a("job_slack", 1.25, "factor", 1.0, 4.0, "A job may run a quarter slower and still count as fitting."),
        _a(
            "slowest_job", 0.5, "share", 0.05, 1.0, "A training or HPC job on one GPU may take twice as long, not more."
        ),
        _a("seat_slack", 0.8, "share", 0.1, 1.0, "A seat may lose a fifth of its speed before its user minds."),
        _a("host_floor", 0.4, "share", 0.0, 1.0, "A seat keeps at least two fifths of its vCPUs and memory."),
        _a("efficiency_nvlink", 0.95, "share", 0.1, 1.0, "Several GPUs joined by NVLink or Infinity Fabric."),
        _a("efficiency_pcie", 0.85, "share", 0.1, 1.0, "Several GPUs of one VM joined by PCIe only, or unknown."),
        _a("efficiency_infiniband", 0.9, "share", 0.1, 1.0, "One job over several VMs with InfiniBand."),
        _a("efficiency_ethernet", 0.5, "share", 0.05, 1.0, "One job over several VMs without InfiniBand."),
        _a("tf32", 1.0, "switch", 0.0, 1.0, "Frameworks use TF32 for fp32 training and inference on Ampere and later."),
        _a("oversized_factor", 4.0, "factor", 1.5, 100.0, "More than four times the work asked for is far too large."),
        _a(
            "discount_rate", 8.0, "percent", 0.0, 50.0, "A usual cost of capital; sets what later money is worth today."
        ),
        _a("labour_rate", 95.0, "USD/hour", 0.0, 1000.0, "An engineer's hour with overhead; replace by your own."),
        _a("labour_pool_resize", 4.0, "hours", 0.0, 5000.0, "Plan, quota, one trial resize and a rollback test."),
        _a("labour_pool_redeploy", 16.0, "hours", 0.0, 5000.0, "Template, disks and network once for the pool."),
        _a("labour_pool_rebuild", 40.0, "hours", 0.0, 5000.0, "A new image with driver and framework, and its test."),
        _a("labour_pool_port", 240.0, "hours", 0.0, 20000.0, "Porting and validating code for another GPU vendor."),
        _a("labour_vm_resize", 1.0, "hours", 0.0, 1000.0, "Stop, resize, start and check one VM."),
        _a("labour_vm_redeploy", 3.0, "hours", 0.0, 1000.0, "Deploy one VM, attach its disks, switch over, check."),
        _a("parallel_days_resize", 0.0, "days", 0.0, 365.0, "A resize replaces the VM in place."),
        _a("parallel_days_redeploy", 14.0, "days", 0.0, 365.0, "Old and new run side by side for two weeks."),
    )
}


def values_with(changes: Iterable[tuple[str, float]] = ()) -> dict[str, float]:
    """All figures by name with `changes` laid over; raises UnknownAssumption, naming what is allowed."""
    values = {name: assumption.value for name, assumption in ASSUMPTIONS.items()}
    for name, value in changes:
        known = ASSUMPTIONS.get(name)
        if known is None:
            raise UnknownAssumption(f"no assumption is called {name!r}; there are: {', '.join(sorted(ASSUMPTIONS))}")
        if not known.minimum <= value <= known.maximum:
            raise UnknownAssumption(
                f"{name} is {value:g}, allowed are {known.minimum:g} to {known.maximum:g} ({known.unit})"
            )
        values[name] = value
    return values
