"""What monitoring says of a pool's GPUs, in sentences for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.answer import PoolAdvice
from advisor.engine.pool_use import figures_in_words, remarks, sources_in_words


def use_sentences(pool: PoolAdvice) -> Iterator[str]:
    """The figures, what counts of them, and what they hint at; nothing where no file was handed in."""
    use = pool.gpu_use
    if use is None:
        return
    yield f"Watched: {figures_in_words(use)} {sources_in_words(use)}."
    yield from remarks(use, pool.workload.watched)
