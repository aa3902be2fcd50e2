"""Why a field of a pool's profile has its default, one sentence for each field that nobody said."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.answer import PoolAdvice, Workload
from advisor.engine.catalogue import Catalogue
from advisor.engine.workload import KIND_ELSE, KIND_OF_SERIES, SHAPE_OF, default_precision

_MIN_VMS: Mapping[str, str] = {
    "queue": "jobs can wait, so one machine may do",
    "stream": "two machines where there are two today, so that one may fail",
    "seat": "one machine for each seat",
}


def default_reasons(pool: PoolAdvice, catalogue: Catalogue) -> dict[str, str]:
    """Reasons by field, for the fields of the profile that are assumed; a sentence begins with a small letter."""
    work = pool.workload
    size = catalogue.sizes.get(pool.size)
    slice_or_gpu = "slice" if size is not None and size.is_slice else "GPU"
    joined = work.kind in ("training", "hpc")
    reasons = {
        "workload": KIND_OF_SERIES.get(size.series if size else "", KIND_ELSE)[1],
        "pattern": f"{pool.hours_per_vm_month:.0f} h per VM and month is "
        + ("all month" if work.pattern == "steady" else "part of the month"),
        "shape": SHAPE_OF[work.kind][1],
        "precision": default_precision(work.kind, size, catalogue)[1],
        "gpu_memory_gib": f"that is what the present {slice_or_gpu} has"
        if work.gpu_memory_gib is not None
        else "no page says what the present GPU has",
        "utilisation": "it counts as fully busy until you say, so that today's machines are right",
        "multi_node": "a job stays inside one machine until you say otherwise",
        "job_gpus": "a job uses all GPUs that it can have together"
        if joined or work.multi_node
        else "each request or session uses one GPU",
        "min_vms": _MIN_VMS[work.shape],
        "interruptible": "work must not be interrupted until you say that it may",
    }
    return {name: reason for name, reason in reasons.items() if name in work.assumed} | _open_reasons(work)


def _open_reasons(work: Workload) -> dict[str, str]:
    """What happens where a field without a default is not said."""
    matters = {"network": ("training", "inference"), "batch": ("inference",), "runtime": ("inference",)}
    mean = "the speed is the mean over what was published, and its range is wider"
    return {
        name: mean if work.kind in matters[name] else f"it counts for {' and '.join(matters[name])} only"
        for name in work.unsaid
    }
