"""What monitoring says of a pool's GPUs, in sentences for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.answer import PoolAdvice
from advisor.engine.pool_use import remarks, sources_in_words


def use_sentences(pool: PoolAdvice) -> Iterator[str]:
    """The figures, what counts of them, and what they hint at; nothing where no file was handed in."""
    use = pool.gpu_use
    if use is None:
        return
    memory = "unknown" if use.memory_used_max_gib is None else f"at most {use.memory_used_max_gib:.1f} GiB in use"
    yield (
        f"Watched: {use.machines:,} of {use.vms:,} machines, {use.gpus:,} GPUs; busy {_percent(use.busy_mean)} on "
        f"average, {_percent(use.busy_p50)} at the median, {_percent(use.busy_p95)} at peak (95 %); memory {memory}. "
        f"{sources_in_words(use)}."
    )
    yield from remarks(use, pool.workload.watched)


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.0f} %"
