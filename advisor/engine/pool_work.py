"""The work of a pool as the speed model takes it: its kind, and what was said of network, batch and runtime."""

from __future__ import annotations

from dataclasses import replace

from advisor.engine.catalogue import Size
from advisor.engine.speed import SpeedModel, Speedup
from advisor.engine.speed_work import BATCHES, Work
from advisor.engine.workload import LLM_KINDS, WorkloadProfile, gpu_share

#: The largest batch of inference that counts as small.
SMALL_BATCH = BATCHES["inference-small"][-1]
#: GPUs of a VM from which both sides count as training on many.
MANY_GPUS = 8


def work_of_pool(profile: WorkloadProfile) -> Work:
    """The profile as a work of the speed model. What was not said is None, and what does not matter to the kind too."""
    kind = speed_kind(profile)
    work = Work(kind=kind, precision=profile.precision, batch=profile.batch if kind in BATCHES else None)
    if not work.learns:
        return work
    network = "transformer" if profile.network in LLM_KINDS else profile.network
    return replace(work, network=network, runtime=profile.runtime if work.serves else None)


def speed_kind(profile: WorkloadProfile) -> str:
    """The kind of work as the speed model names it (design 4.4): an LLM only where somebody said so."""
    if profile.kind == "inference":
        if profile.network is not None and profile.network in LLM_KINDS:
            return LLM_KINDS[profile.network]
        small = profile.shape == "stream" or (profile.batch is not None and profile.batch <= SMALL_BATCH)
        return "inference-small" if small else "inference"
    if profile.kind == "hpc":
        return "hpc-fp64" if profile.precision == "fp64" else "hpc-bandwidth"
    return {"training": "training", "graphics": "graphics"}.get(profile.kind, "unknown")


def speedup_of(source: Size | None, target: Size, work: Work, model: SpeedModel) -> Speedup | None:
    """Speed of one target GPU or slice against one of the source on a work; None where a fact is missing.

    Both sides training on 8 GPUs or more in one VM: the 8-GPU parameters count.
    """
    if source is None or source.gpu is None or target.gpu is None or source.gpus is None or target.gpus is None:
        return None
    if work.kind == "training" and min(source.gpus, target.gpus) >= MANY_GPUS:
        work = replace(work, kind="training-8gpu")
    before, after = gpu_share(source), gpu_share(target)
    return model.speedup_on(work, source.gpu, target.gpu, source_share=before, target_share=after)
