"""Figures that the formulas take from a source, each with the range that other sources give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure; `low` and `high` are the least and the most that any source gives."""

    label: str
    low: float
    expected: float
    high: float
    unit: str
    source: str
    as_of: date
    reason: str


_HF = "huggingface/transformers@249ef8164cfbd8e288c2f6d8395539b9e90e8300 docs/source/en/model_memory_anatomy.md"
_PROFILING = "github.com/vllm-project/vllm/pull/10511"

#: CUDA context, kernels and library buffers of one process on one GPU.
RUNTIME = Figure(
    label="Runtime on each GPU",
    low=0.20,
    expected=1.31,
    high=1.79,
    unit="GiB",
    source=f"{_HF}; {_PROFILING}; github.com/vllm-project/vllm/pull/14447",
    as_of=date(2024, 12, 14),
    reason="Kernels alone took 1,343 MiB on a V100; vLLM read 0.20 GiB beside PyTorch on one GPU and 1.79 on another.",
)
#: What a GPU needs in addition as soon as several work as one.
COMMUNICATION = Figure(
    label="Communication between GPUs, on each",
    low=0.0,
    expected=1.79,
    high=1.79,
    unit="GiB",
    source=_PROFILING,
    as_of=date(2024, 12, 14),
    reason="vLLM read 3.58 GiB beside PyTorch on two GPUs and 1.79 GiB on one.",
)
#: Tokens that a server of a decoder takes up in one step; longer prompts are cut into such chunks.
PREFILL = Figure(
    label="Tokens that a decoder works on at once, inference",
    low=8192,
    expected=8192,
    high=8192,
    unit="tokens",
    source="github.com/vllm-project/vllm/issues/15871",
    as_of=date(2025, 4, 2),
    reason="vLLM's log: chunked prefill is enabled with max_num_batched_tokens=8192.",
)
#: How much more than the formula a checkpoint of 8 bits or fewer may take.
QUANTISED = Figure(
    label="Quantised weights against the formula",
    low=1.0,
    expected=1.0,
    high=1.21,
    unit="times",
    source="github.com/vllm-project/vllm/issues/6746",
    as_of=date(2024, 7, 24),
    reason="Checkpoints keep more at 16 bits than embedding and head; of those checked, Llama 3.1 405B FP8 the most.",
)
#: Share of the memory that stays free.
MARGIN: Mapping[str, Figure] = {
    "inference": Figure(
        label="Kept free, inference",
        low=0.10,
        expected=0.10,
        high=0.10,
        unit="share",
        source=_PROFILING,
        as_of=date(2024, 12, 14),
        reason="vLLM takes nine tenths of a GPU unless told otherwise; no counted figure is further off.",
    ),
    "training": Figure(
        label="Kept free, training",
        low=0.15,
        expected=0.15,
        high=0.15,
        unit="share",
        source=_HF,
        as_of=date(2022, 1, 11),
        reason="Training of BERT took an eighth more than the formula: allocators keep buffers that no formula counts.",
    ),
}
FIGURES = (RUNTIME, COMMUNICATION, PREFILL, QUANTISED, *MARGIN.values())
