"""Bytes of what training keeps for each weight: weights, gradients, optimiser states, adapters."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.fit.facts import Model
from advisor.engine.fit.parts import Part, exact, n, times, unbounded
from advisor.engine.fit.weights import embedding_parameters, weight_part
from advisor.engine.fit.work import Optimiser, Split, Work
from advisor.engine.worked import TIMES

SOURCE = "huggingface/transformers@249ef8164cfbd8e288c2f6d8395539b9e90e8300 docs/source/en/model_memory_anatomy.md"
ZERO = "deepspeedai/DeepSpeed@0cca5393114258967cbfe25e24356e43e81cc9e4 docs/code-docs/source/memory.rst"
LORA = "https://livebook.manning.com/learn/concepts/low-rank-adaptation--technique/rearchitecting-llms"
#: Bytes that an optimiser keeps per trained weight; momentum and variance of Adam, 1 byte each in 8 bits.
OPTIMISER_BYTES: Mapping[Optimiser, int] = {"adamw": 8, "adam-8bit": 2, "sgd-momentum": 4}
GRADIENT_BYTES = 4  # kept in 32 bits; the ZeRO paper counts 2 while the model runs in 16 bits
#: A weight in training: in 32 bits, and a copy in 16 bits where the model runs in them.
FULL_COPY, HALF_COPY = 4, 2


def training_states(model: Model, work: Work, split: Split) -> list[Part]:
    """Weights, gradients and optimiser states on each GPU, shared out evenly over all (ZeRO stage 3, FSDP)."""
    if work.method == "lora":
        return _lora(model, work, split)
    if model.parameters is None:
        return [unbounded("states", "Weights in training", "the number of parameters is unknown")]
    parts = _trained(float(model.parameters), f"{n(model.parameters)} parameters", work, split)
    return parts + _gathered(model, work, split)


def _weight_bytes(work: Work) -> int:
    """Bytes of one trained weight: in 32 bits, with the copy that a model in 16 bits runs in."""
    return FULL_COPY + (HALF_COPY if work.compute_bytes == 2 else 0)


def _trained(count: float, words: str, work: Work, split: Split) -> list[Part]:
    shared = "" if split.gpus == 1 else f" / {split.gpus} GPUs"
    each = (
        ("weights", "Weights in training", _weight_bytes(work)),
        ("gradients", "Gradients", GRADIENT_BYTES),
        ("optimiser", "Optimiser states", OPTIMISER_BYTES[work.optimiser]),
    )
    return [
        exact(code, label, count * size / split.gpus, times(words, f"{size} bytes") + shared, SOURCE)
        for code, label, size in each
    ]


def _gathered(model: Model, work: Work, split: Split) -> list[Part]:
    """The largest layer, which each GPU puts together while it works on it: weights and gradients, both in the bits
    that the model runs in, so 2 x 2 bytes in 16 bits and 2 x 4 in 32. Frozen weights may do without gradients."""
    if split.gpus == 1 or model.parameters is None:
        return []
    outer = embedding_parameters(model)
    if outer is None or model.layers is None:
        return [unbounded("gathered", "Layer put together", "the largest layer is unknown", ZERO)]
    largest = max(outer / (1 if model.tied else 2), (model.parameters - outer) / model.layers)
    most = 2 * work.compute_bytes
    least = work.compute_bytes if work.method == "lora" else most
    size = f"{most} bytes" if least == most else f"{least} to {most} bytes"
    return [
        Part(
            code="gathered", label="Layer put together", low=largest * least, expected=largest * most,
            high=largest * most, source=ZERO,
            formula=times(f"{n(round(largest))} parameters of the largest layer", size),
        )
    ]  # fmt: skip


def _lora(model: Model, work: Work, split: Split) -> list[Part]:
    """Frozen weights, and for each adapted matrix two of width x rank, which are trained."""
    frozen = weight_part(model, work, Split(tensor=split.gpus))
    if model.layers is None or model.hidden_size is None:
        return [frozen, unbounded("adapters", "Adapters", "layers or width are unknown", LORA)]
    count = 2.0 * work.lora_rank * model.hidden_size * work.lora_matrices * model.layers
    words = times(
        "2", f"rank {work.lora_rank}", n(model.hidden_size), f"{work.lora_matrices} matrices",
        f"{n(model.layers)} layers",
    )  # fmt: skip
    each = _weight_bytes(work) + GRADIENT_BYTES + OPTIMISER_BYTES[work.optimiser]
    shared = "" if split.gpus == 1 else f" / {split.gpus} GPUs"
    adapters = exact("adapters", "Adapters", count * each / split.gpus, f"{words} {TIMES} {each} bytes{shared}", LORA)
    return [frozen, adapters, *_gathered(model, work, split)]
