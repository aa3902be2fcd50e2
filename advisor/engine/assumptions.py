"""Figures without a source: each has a name, a unit and a reason, can be changed, and stands in this one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

Unit = Literal[
    "share",
    "share/hour",
    "share/year",
    "factor",
    "percent",
    "switch",
    "hours",
    "hours/month",
    "days",
    "starts/month",
    "samples",
    "disks",
    "GiB",
    "GiB/month",
    "USD",
    "USD/hour",
    "USD/month",
    "USD/GiB",
]
Group = Literal["work", "layout", "money", "move", "running", "licences", "spot", "commitments", "ranges"]
#: Groups in the order of a page, each with its heading.
GROUPS: Mapping[Group, str] = {
    "work": "Machines and hours",
    "layout": "GPUs that work as one",
    "money": "Money over time",
    "move": "The move itself",
    "running": "Running the machines",
    "licences": "Licences and offers",
    "spot": "Spot",
    "commitments": "Commitments",
    "ranges": "How far a figure may be off",
}


class UnknownAssumption(ValueError):
    """A name that is not in the list, or a value outside its range; the message says which are allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One named figure with the range of values that make sense for it."""

    name: str
    group: Group
    value: float | None  # None: no source and no fair guess; unknown until the user says it
    unit: Unit
    minimum: float
    maximum: float
    reason: str


def _a(
    group: Group, name: str, value: float | None, unit: Unit, minimum: float, maximum: float, reason: str
) -> Assumption:
    return Assumption(name=name, group=group, value=value, unit=unit, minimum=minimum, maximum=maximum, reason=reason)


_WORK = (
    _a("work", "target_utilisation", 0.7, "share", 0.05, 1.0, "Room for peaks: machines are sized to be 70 % busy."),
    _a(
        "work",
        "steady_from_hours",
        657.0,
        "hours/month",
        1.0,
        730.0,
        "A machine on for 90 % of a month runs all month.",
    ),
    _a("work", "starts_per_month", 20.0, "starts/month", 0.0, 1000.0, "Burst work starts once on each working day."),
    _a("work", "start_hours", 0.25, "hours", 0.0, 24.0, "Boot, driver, data and model take a quarter of an hour."),
    _a(
        "work",
        "what_if_utilisation",
        0.3,
        "share",
        0.01,
        1.0,
        "The busy share tried to see whether knowing it matters.",
    ),
    _a("work", "what_if_hours", 160.0, "hours/month", 1.0, 730.0, "The hours tried likewise: a working month."),
    _a("work", "job_slack", 1.25, "factor", 1.0, 4.0, "A job may run a quarter slower and still count as fitting."),
    _a(
        "work",
        "slowest_job",
        0.5,
        "share",
        0.05,
        1.0,
        "A training or HPC job on one GPU may take twice as long, not more.",
    ),
    _a("work", "seat_slack", 0.8, "share", 0.1, 1.0, "A seat may lose a fifth of its speed before its user minds."),
    _a("work", "host_floor", 0.4, "share", 0.0, 1.0, "A seat keeps at least two fifths of its vCPUs and memory."),
    _a(
        "work",
        "oversized_factor",
        4.0,
        "factor",
        1.5,
        100.0,
        "More than four times the work asked for is far too large.",
    ),
    _a(
        "work",
        "watched_hours",
        24.0,
        "hours",
        1.0,
        730.0,
        "GPUs that were watched for less than a day are shown and do not count: a day has its quiet and busy hours.",
    ),
    _a(
        "work",
        "watched_samples",
        100.0,
        "samples",
        20.0,
        100_000.0,
        "With a hundred samples the busiest twentieth has five; with fewer a single one decides.",
    ),
    _a(
        "work",
        "watched_days",
        7.0,
        "days",
        1.0,
        92.0,
        "GPUs that were watched for less than a week count, but the grade stays as low as that of an assumption.",
    ),
    _a(
        "work",
        "watched_headroom",
        0.1,
        "share",
        0.0,
        1.0,
        "Room above the most GPU memory seen in use: peaks fall between samples, and a T4 of 16 GiB shows 8 % less.",
    ),
    _a(
        "work",
        "tf32",
        1.0,
        "switch",
        0.0,
        1.0,
        "Frameworks use TF32 for fp32 training and inference on Ampere and later.",
    ),
)
#: What was published of them, with the arithmetic, stands in docs/layouts.md.
_LAYOUT = (
    _a(
        "layout",
        "efficiency_nvlink",
        0.95,
        "share",
        0.1,
        1.0,
        "Several GPUs joined by NVLink or Infinity Fabric. Published for 8 of them: 0.97 to 1.0 on ResNet and "
        "Inception, 0.75 to 0.88 on AlexNet and VGG16 (P100; tensorflow/tensorflow benchmarks.md, 2017-05), 0.94 to "
        "0.96 on ResNeXt-101 (A100, 2020-06) and 0.84 to 0.85 on a Transformer (A100, 2022-06; both "
        "NVIDIA/DeepLearningExamples).",
    ),
    _a(
        "layout",
        "efficiency_pcie",
        0.85,
        "share",
        0.1,
        1.0,
        "Several GPUs of one VM joined by PCIe only, or unknown. Published for 8 K80: 0.93 to 0.95 on ResNet and "
        "Inception, 0.83 to 0.90 on VGG16 and AlexNet (tensorflow/tensorflow benchmarks.md, 2017-05); faster GPUs "
        "wait longer for the same link.",
    ),
    _a(
        "layout",
        "efficiency_infiniband",
        0.9,
        "share",
        0.1,
        1.0,
        "One job over several VMs with InfiniBand. Published: 0.92 to 0.94 on 4 and 0.83 to 0.90 on 32 DGX-1 with "
        "V100 (BioBERT; NVIDIA/DeepLearningExamples, 2019-11, which does not name the network); over RDMA at 25 "
        "Gbit/s with 512 GPUs 0.90 on ResNet-101 and 0.68 on VGG-16 (horovod/horovod benchmarks.rst, read "
        "2026-11-30).",
    ),
    _a(
        "layout",
        "efficiency_ethernet",
        0.5,
        "share",
        0.05,
        1.0,
        "One job over several VMs without InfiniBand. Published for VMs of 8 V100 on 20 Gbit/s: at most 0.69 on "
        "ResNet-50 and 0.50 on VGG16 (bytedance/byteps performance.md, read 2026-11-30). Slow GPUs wait less: 0.84 "
        "to 0.97 on 8 VMs of 8 K80 (tensorflow/tensorflow benchmarks.md, 2017-05).",
    ),
)
_MONEY = (
    _a(
        "money",
        "discount_rate",
        8.0,
        "percent",
        0.0,
        50.0,
        "A usual cost of capital; sets what later money is worth today.",
    ),
)
_MOVE = (
    _a("move", "labour_rate", 95.0, "USD/hour", 0.0, 1000.0, "An engineer's hour with overhead; replace by your own."),
    _a("move", "labour_pool_resize", 4.0, "hours", 0.0, 5000.0, "Plan, quota, one trial resize and a rollback test."),
    _a("move", "labour_pool_redeploy", 16.0, "hours", 0.0, 5000.0, "Template, disks and network once for the pool."),
    _a(
        "move",
        "labour_pool_rebuild",
        40.0,
        "hours",
        0.0,
        5000.0,
        "A new image with driver and framework, and its test.",
    ),
    _a("move", "labour_pool_port", 240.0, "hours", 0.0, 20000.0, "Porting and validating code for another GPU vendor."),
    _a("move", "labour_vm_resize", 1.0, "hours", 0.0, 1000.0, "Stop, resize, start and check one VM."),
    _a("move", "labour_vm_redeploy", 3.0, "hours", 0.0, 1000.0, "Deploy one VM, attach its disks, switch over, check."),
    _a(
        "move",
        "training_hours_rebuild",
        4.0,
        "hours",
        0.0,
        5000.0,
        "The team learns a new driver and image: half a day.",
    ),
    _a("move", "training_hours_port", 40.0, "hours", 0.0, 5000.0, "The team learns another vendor's tools: a week."),
    _a("move", "parallel_days_resize", 0.0, "days", 0.0, 365.0, "A resize replaces the VM in place."),
    _a("move", "parallel_days_redeploy", 14.0, "days", 0.0, 365.0, "Old and new run side by side for two weeks."),
    _a(
        "move", "moved_gib", 256.0, "GiB", 0.0, 1e6, "Data of one VM that goes to another region: two disks of 128 GiB."
    ),
    _a(
        "move",
        "moved_price",
        0.02,
        "USD/GiB",
        0.0,
        10.0,
        "Traffic between regions of one continent; farther costs more.",
    ),
)
_RUNNING = (
    _a("running", "operations_hours", 0.5, "hours/month", 0.0, 100.0, "Patches, drivers and incidents of one VM."),
    _a("running", "data_disks", 1.0, "disks", 0.0, 64.0, "Data disks of one VM where the file does not count them."),
    _a(
        *("running", "disk_price", 19.71, "USD/month", 0.0, 10000.0),
        "One disk, system or data: 128 GiB premium SSD (P10, LRS) as Infracost prints it for US regions.",
    ),
    _a(
        "running",
        "egress_gib",
        50.0,
        "GiB/month",
        0.0,
        1e6,
        "What one VM sends to the internet in a month of running; a move changes nothing.",
    ),
    _a(
        *("running", "egress_price", 0.087, "USD/GiB", 0.0, 10.0),
        "First paid step of internet traffic, as several price guides of 2026 give it; 100 GB a month are free.",
    ),
)
_LICENCES = (
    _a(
        *("licences", "grid_licence", None, "USD/month", 0.0, 10000.0),
        "GRID (RTX vWS) for one VM on a series that does not include it; NVIDIA's resellers quote it.",
    ),
    _a(
        "licences",
        "hybrid_benefit",
        0.0,
        "switch",
        0.0,
        1.0,
        "Windows licences you own cover the machines; not taken for granted.",
    ),
    _a(
        "licences",
        "dev_test",
        0.0,
        "switch",
        0.0,
        1.0,
        "Development pools run under a Dev/Test offer, without a Windows licence.",
    ),
)
_SPOT = (
    _a(
        "spot",
        "spot_job_hours",
        8.0,
        "hours",
        0.01,
        10000.0,
        "A job that must finish without being taken back: a night.",
    ),
    _a(
        "spot",
        "spot_eviction_low",
        0.01,
        "share/hour",
        0.0,
        1.0,
        "A calm region. The portal shows yours, per hour, of 7 days.",
    ),
    _a(
        "spot",
        "spot_eviction_high",
        0.1,
        "share/hour",
        0.0,
        1.0,
        "A crowded region. The portal shows yours, per hour, of 7 days.",
    ),
)
_COMMITMENTS = (
    _a(
        *("commitments", "need_ends", 0.1, "share/year", 0.0, 0.99),
        "The work of one machine in ten ends within a year; a commitment to it is then paid on.",
    ),
    _a(
        *("commitments", "size_changes", 0.1, "share/year", 0.0, 0.99),
        "The work of one machine in ten moves to another size within a year; a savings plan goes with it.",
    ),
    _a(
        *("commitments", "reservation_recovered", 0.5, "share", 0.0, 1.0),
        "Half of a reservation that is not needed comes back: refunds have a cap, exchanges end on 2027-02-01.",
    ),
    _a(
        *("commitments", "least_uncommitted", 0.0, "share", 0.0, 1.0),
        "Share of the machines that is never committed; none, unless you want room.",
    ),
    _a(
        *("commitments", "most_on_spot", 0.5, "share", 0.0, 1.0),
        "Share of the machines that may be on spot: a region takes many back at once, so half goes on.",
    ),
    _a(
        *("commitments", "spot_lost_hours", 0.5, "hours", 0.0, 100.0),
        "Work that an eviction loses where it is saved every hour: half an hour.",
    ),
    _a(
        *("commitments", "refund_cap", 50000.0, "USD", 0.0, 1e9),
        "Cancelled commitment that Azure refunds in 12 months and a billing scope; less what was returned already.",
    ),
    _a(
        *("commitments", "refund_fee", 0.0, "percent", 0.0, 100.0),
        "Azure foresees a fee of 12 % for returning a reservation early and does not charge it.",
    ),
)
_RANGES = (
    _a("ranges", "range_hours", 0.1, "share", 0.0, 1.0, "Four in five months lie within a tenth of the hours given."),
    _a("ranges", "range_hours_assumed", 0.4, "share", 0.0, 1.0, "Hours that nobody gave may be two fifths off."),
    _a("ranges", "range_price", 0.1, "share", 0.0, 1.0, "List prices of a GPU move by a tenth over the horizon."),
    _a("ranges", "range_labour", 0.5, "share", 0.0, 1.0, "Moves of this kind take half as much more, or less."),
)

ASSUMPTIONS: Mapping[str, Assumption] = {
    assumption.name: assumption
    for assumption in (*_WORK, *_LAYOUT, *_MONEY, *_MOVE, *_RUNNING, *_LICENCES, *_SPOT, *_COMMITMENTS, *_RANGES)
}

#: Pairs of a low and a high figure of the same thing: the low one is at most the high one.
LOW_AND_HIGH = (("spot_eviction_low", "spot_eviction_high"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionChange:
    """One figure that the user set: what stood in the list (None: unknown), and what counts instead."""

    name: str
    default: float | None
    value: float


def changed(assume: Iterable[tuple[str, float]]) -> tuple[AssumptionChange, ...]:
    """Those of `assume` that differ from the list, in its order; of two values for a name the later one counts."""
    last = dict(assume)
    return tuple(
        AssumptionChange(name=name, default=known.value, value=last[name])
        for name, known in ASSUMPTIONS.items()
        if name in last and last[name] != known.value
    )


def values_with(changes: Iterable[tuple[str, float]] = (), usd_rate: float = 1.0) -> dict[str, float]:
    """All figures by name with `changes` laid over; NaN is unknown. Money x `usd_rate`, units of it for one USD.

    Raises UnknownAssumption, naming what is allowed.
    """
    return dict(_values(tuple(changes), usd_rate))


@lru_cache(maxsize=256)
def _values(changes: tuple[tuple[str, float], ...], usd_rate: float) -> dict[str, float]:
    values = {name: np.nan if a.value is None else a.value for name, a in ASSUMPTIONS.items()}
    for name, value in changes:
        known = ASSUMPTIONS.get(name)
        if known is None:
            raise UnknownAssumption(f"no assumption is called {name!r}; there are: {', '.join(sorted(ASSUMPTIONS))}")
        if not known.minimum <= value <= known.maximum:
            raise UnknownAssumption(
                f"{name} is {value:g}, allowed are {known.minimum:g} to {known.maximum:g} ({known.unit})"
            )
        values[name] = value
    for low, high in LOW_AND_HIGH:
        if values[low] > values[high]:
            raise UnknownAssumption(
                f"{low} is {values[low]:g} and {high} {values[high]:g}: the low figure must not be above the high one"
            )
    return {
        name: value * usd_rate if ASSUMPTIONS[name].unit.startswith("USD") else value for name, value in values.items()
    }
