"""What a pool is today, in words of the answer: its work, its lifecycle and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from advisor.engine.answer import Baseline, Dispute, FactUsed, FactValue, Lifecycle, Workload
from advisor.engine.evidence import Evidence
from advisor.engine.quotes import Quote
from advisor.engine.vm_facts import PoolFacts, shown


def known(value: float) -> float | None:
    """The number, None where it is unknown."""
    return None if value is None or np.isnan(value) else float(value)


def workload_of(pool: Mapping[Any, Any]) -> Workload:
    """The profile of a pool, with what nobody said and was assumed."""
    profile = pool["profile"]
    busy = profile.utilisation
    return Workload(
        kind=profile.kind,
        pattern=profile.pattern,
        shape=profile.shape,
        precision=profile.precision,
        gpu_memory_gib=profile.gpu_memory_gib,
        utilisation_percent=None if busy is None else 100 * busy,
        multi_node=profile.multi_node,
        job_gpus=profile.job_gpus,
        min_vms=profile.min_vms,
        network=profile.network,
        batch=profile.batch,
        runtime=profile.runtime,
        interruptible=profile.interruptible,
        assumed=tuple(sorted(profile.assumed | ({"os"} if pool["os_assumed"] else set()))),
        why=profile.why,
        watched=pool["gpu_use"].used if pool["gpu_use"] else (),
    )


def lifecycle_of(pool: Mapping[Any, Any]) -> Lifecycle:
    """Where the size of a pool stands, with every dispute between sources."""
    status = pool["status"]
    return Lifecycle(
        status=status.status,
        retirement_date=status.retirement_date,
        conflicts=tuple(
            Dispute(
                fact=c.fact,
                version_a=c.version_a,
                source_a=c.source_a,
                version_b=c.version_b,
                source_b=c.source_b,
                used=c.used,
                reason=c.reason,
            )
            for c in status.conflicts
        ),
        source=status.source,
        announced=status.announced,
        forced_stop=status.forced_stop,
    )


def baseline_of(pool: Mapping[Any, Any], demand: float | None) -> Baseline:
    """What a pool costs today, and by what evidence; `demand` is its work in source-GPU-hours a month."""
    quote: Quote | None = pool["baseline_quote"]
    monthly = known(pool["baseline_monthly"])
    kind = pool["baseline_kind"]
    evidence = None
    if kind == "actual":
        evidence = Evidence(kind="user", source="cost in the uploaded file")
    elif quote is not None:
        note = "; ".join(filter(None, [quote.note, "it can no longer be run" if pool["retired"] else ""]))
        evidence = Evidence(
            kind="assumed" if quote.estimated else "user" if quote.own else "listed",
            source=quote.source,
            as_of=quote.as_of,
            note=note,
        )
    return Baseline(
        kind=kind,
        cost_now=known(pool["cost_now"]),
        hourly_price=known(pool["baseline_hourly"]),
        monthly_cost=monthly,
        tco=known(pool["reference_tco"]),
        cost_per_work_unit=monthly / demand if monthly is not None and demand else None,
        price_as_of=None if quote is None or kind == "actual" else quote.as_of,
        evidence=evidence,
        components=pool["reference_parts"] if np.isfinite(pool["reference_tco"]) else None,
    )


def facts_used(machine: PoolFacts) -> tuple[FactUsed, ...]:
    """What is known of a pool's machines, in words, in the order of the list of facts."""
    return tuple(
        FactUsed(
            name=name,
            value=None if (value := getattr(machine.values, name)) is None else shown(name, value),
            basis="user" if name in machine.said else "file",
            values=tuple(
                FactValue(value=None if each is None else shown(name, each), vms=round(vms)) for each, vms in tally
            )
            if len(tally) > 1
            else (),
        )
        for name, tally in machine.tallies
    )
