"""Rules on fit: GPU memory, speed, jobs over several VMs, seats, and how many machines it takes."""

from __future__ import annotations

from typing import Any

from advisor.engine.rulebook.common import INFINIBAND, moving, never
from advisor.engine.rules import REDEPLOY, Facts, Rule, is_known


def _host_shrinks(c: Facts) -> Any:
    """vCPUs or memory of the VM fall below the floor, as a share of what the present size has."""
    floor = c["host_floor"]
    return (c["memory_gib"] < floor * c["from_memory_gib"]) | (c["vcpus"] < floor * c["from_vcpus"])


def _job_too_slow(c: Facts) -> Any:
    """A training or HPC job on one GPU takes longer than anyone would wait; offline inference only counts in sum."""
    waits = (c["kind"] == "training") | (c["kind"] == "hpc")
    return waits & (c["shape"] == "queue") & (c["job_gpus"] <= 1) & (c["speed"] < c["slowest_job"])


FIT_RULES = (
    Rule(
        code="gpu-model",
        severity="blocker",
        reads=("gpu", "gpus"),
        needed="gpu",
        hits=never,
        message="",
        flips="a size page gives the GPU and its number for {target}",
        question="Which GPU does {target} have, and how many?",
        source="size page",
    ),
    Rule(
        code="gpu-memory-known",
        severity="blocker",
        reads=("gpu_memory_gib",),
        needed="gpu-memory",
        applies=lambda c: is_known(c["gpu"]),
        hits=never,
        message="",
        flips="a size page gives the GPU memory of {target}",
        question="How much memory per GPU does {target} have?",
        source="size page",
    ),
    Rule(
        code="gpu-memory",
        severity="blocker",
        reads=("gpu_memory_gib", "needed_gib"),
        applies=lambda c: ~c["needed_assumed"] & ~c["stay"],
        hits=lambda c: c["gpu_memory_gib"] < c["needed_gib"],
        message="{target} has {gpu_memory_gib:g} GiB per GPU, {needed_gib:g} GiB are needed.",
        flips="the work needs at most {gpu_memory_gib:g} GiB per GPU",
        fix="Choose a size with more memory per GPU, or split the model over GPUs.",
        question="How much GPU memory does the work need?",
        field="gpu_memory_gib",
        source="arithmetic",
    ),
    Rule(
        code="gpu-memory-assumed",
        severity="blocker",
        reads=("gpu_memory_gib",),
        applies=lambda c: c["needed_assumed"] & is_known(c["needed_gib"]) & ~c["stay"] & (c["from_vendor"] != "fpga"),
        hits=lambda c: c["gpu_memory_gib"] < c["needed_gib"],
        message="{target} has {gpu_memory_gib:g} GiB per GPU; today's machines have {needed_gib:g} GiB, "
        "and nobody said that less is enough.",
        flips="the work needs at most {gpu_memory_gib:g} GiB per GPU",
        question="How much GPU memory does the work need?",
        field="gpu_memory_gib",
        source="assumed from the present GPU",
    ),
    Rule(
        code="speed-known",
        severity="blocker",
        reads=("speed",),
        needed="speed",
        applies=lambda c: is_known(c["gpu"]) & is_known(c["gpus"]) & (c["from_vendor"] != "fpga"),
        hits=never,
        message="",
        flips="you give a ratio of your own (on the pool's page, or --measured FROM:TO=RATIO)",
        question="How fast is {target} on your work, against today's GPU?",
        source="speed model",
    ),
    Rule(
        code="spans-vms",
        severity="blocker",
        reads=("infiniband",),
        applies=lambda c: c["spans"] & ~c["stay"],
        hits=lambda c: c["infiniband"] == 0,
        message="One job needs {job_gpus:g} GPUs of today; one {target} replaces {replaces:.1f}, "
        "and it has no InfiniBand to span several.",
        flips="one job needs at most {most_job_gpus:.0f} of today's GPUs",
        field="job_gpus",
        question="Does {target} have InfiniBand?",
        source=INFINIBAND,
    ),
    Rule(
        code="spans-infiniband",
        severity="step",
        reads=(),
        applies=lambda c: c["spans"] & ~c["stay"],
        hits=lambda c: c["infiniband"] == 1,
        message="One job spans several {target}, joined by InfiniBand.",
        fix="Put the VMs into one scale set with a single placement group, or one availability set.",
        effort=REDEPLOY,
        source=INFINIBAND,
    ),
    Rule(
        code="slower",
        severity="blocker",
        reads=(),
        applies=lambda c: (c["shape"] == "seat") & (c["kind"] != "dev") & ~c["stay"],
        hits=lambda c: c["replaces"] < c["seat_slack"] * c["k0"],
        message="One {target} gives a seat {seat_percent:.0f} % of the speed it has today.",
        flips="a seat may be slower",
        source="speed model; seat_slack in the assumptions",
    ),
    Rule(
        code="job-too-slow",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=_job_too_slow,
        message="One job takes {times_longer:.1f} times as long as on today's GPU; more machines do not change that.",
        flips="a job may take {times_longer:.1f} times as long",
        source="speed model; slowest_job in the assumptions",
    ),
    Rule(
        code="slower-job",
        severity="warning",
        reads=(),
        applies=lambda c: (c["shape"] != "seat") & (c["job_gpus"] <= 1) & ~c["stay"],
        hits=lambda c: (c["speed"] * c["job_slack"] < 1) & ~_job_too_slow(c),
        message="One job or request takes {times_longer:.1f} times as long as on today's GPU.",
        fix="Check deadlines and response times before you decide.",
        source="speed model; job_slack in the assumptions",
    ),
    Rule(
        code="host-too-small",
        severity="blocker",
        reads=("vcpus", "memory_gib", "from_vcpus", "from_memory_gib"),
        applies=lambda c: (c["shape"] == "seat") & ~c["stay"],
        hits=_host_shrinks,
        message="{target} has {vcpus:g} vCPUs and {memory_gib:g} GiB for a seat that has {from_vcpus:g} and "
        "{from_memory_gib:g} GiB today.",
        flips="a seat needs at most {vcpus:g} vCPUs and {memory_gib:g} GiB of memory",
        question="How many vCPUs and how much memory does {target} have?",
        source="size pages; host_floor in the assumptions",
    ),
    Rule(
        code="host-smaller",
        severity="warning",
        reads=(),
        applies=lambda c: (c["shape"] != "seat") & ~c["stay"],
        hits=_host_shrinks,
        message="{target} has {vcpus:g} vCPUs and {memory_gib:g} GiB of memory, the present size {from_vcpus:g} and "
        "{from_memory_gib:g} GiB.",
        fix="Check that data loading and the model still fit.",
        source="size pages; host_floor in the assumptions",
    ),
    Rule(
        code="oversized",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: c["replaces"] * c["n"] > c["oversized_factor"] * c["asked"],
        message="{n:.0f} x {target} could do {size_factor:.1f} times the work asked for.",
        fix="{smaller_size}",
        source="arithmetic; oversized_factor in the assumptions",
    ),
    Rule(
        code="consolidates",
        severity="warning",
        reads=(),
        applies=lambda c: c["shape"] != "seat",
        hits=lambda c: c["n"] < c["vms"],
        message="{vms:.0f} VMs become {n:.0f}: they are shared, and with fewer machines there is less to spare.",
        fix="Check who shares them, and what happens when one is down.",
        source="arithmetic",
    ),
    Rule(
        code="regroups",
        severity="step",
        reads=(),
        applies=lambda c: ~c["stay"] & (c["shape"] != "seat"),
        hits=lambda c: c["n"] != c["vms"],
        message="The work of {vms:.0f} VMs is laid out anew over {n:.0f}.",
        fix="Deploy the new machines, move data and jobs, then remove the old ones.",
        effort=REDEPLOY,
        source="design rule: another number of VMs is another deployment",
    ),
    Rule(
        code="same-model",
        severity="unknown",
        reads=(),
        applies=lambda c: c["shape"] == "stream",
        hits=lambda c: c["n"] < c["vms"],
        message="Do all {vms:.0f} VMs serve the same model? Different models must fit into GPU memory together.",
        question="Do all VMs of the pool serve the same model?",
        source="design rule",
    ),
)
