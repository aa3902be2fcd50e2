"""What is asked of a model: inference or training, and in which way; and how GPUs share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

Task = Literal["inference", "training"]
Precision = Literal["fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4"]
Method = Literal["full", "lora"]
Optimiser = Literal["adamw", "adam-8bit", "sgd-momentum"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
OPTIMISERS: tuple[Optimiser, ...] = get_args(Optimiser)
METHODS: tuple[Method, ...] = get_args(Method)

#: Bytes of one weight. int4: 4 bits, and for each group of 128 a scale of 16 bits and a zero point of 4.
WEIGHT_BYTES: Mapping[Precision, float] = {
    "fp32": 4.0,
    "tf32": 4.0,
    "fp16": 2.0,
    "bf16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.5 + (2.0 + 0.5) / 128,
}
QUANTISED: frozenset[Precision] = frozenset({"fp8", "int8", "int4"})


class BadWork(ValueError):
    """Work that nobody does in that way; the message says what to choose instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the model does. `users` are sequences at once: requests when it serves, the batch when it trains.

    `flash`: attention keeps no scores (FlashAttention, paged attention). `kv_bytes` per cached number.
    `chunked_loss`: the logits of a chunk only stand in memory at once.
    `weights_gib`: the size of the checkpoint where it is known; it beats the formula.
    """

    task: Task = "inference"
    precision: Precision = "bf16"
    context: int = 4096
    users: int = 1
    kv_bytes: float | None = None  # None: 2, and 4 where the model runs in 32 bits
    flash: bool = True
    weights_gib: float | None = None
    method: Method = "full"
    optimiser: Optimiser = "adamw"
    checkpointing: bool = True
    chunked_loss: bool = False
    lora_rank: int = 16
    lora_matrices: int = 4  # adapted in each layer: query, key, value and output

    def __post_init__(self) -> None:
        if self.context < 1 or self.users < 1:
            raise BadWork("Context and users must be at least 1.")
        if self.task == "training" and self.method == "full" and self.precision in QUANTISED:
            raise BadWork(f"All weights are not trained in {self.precision}. Choose LoRA, or 16 or 32 bits.")

    @property
    def compute_bytes(self) -> int:
        """Bytes of one number while it is worked on: quantised weights are worked on in 16 bits."""
        return 4 if self.precision in ("fp32", "tf32") else 2

    @property
    def ignored(self) -> tuple[str, ...]:
        """Names of what was said otherwise than by default and does not bear on the need."""
        trains, adapts = self.task == "training", self.task == "training" and self.method == "lora"
        counts = {
            "weights_gib": not trains or adapts,
            "kv_bytes": not trains,
            "method": trains,
            "optimiser": trains,
            "checkpointing": trains,
            "chunked_loss": trains,
            "lora_rank": adapts,
            "lora_matrices": adapts,
        }
        default = {field.name: field.default for field in fields(self)}
        return tuple(name for name, count in counts.items() if not count and getattr(self, name) != default[name])

    @property
    def cache_bytes(self) -> float:
        return self.compute_bytes if self.kv_bytes is None else self.kv_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """GPUs that share one model: `tensor` of one machine cut every layer, `stages` machines share out the layers."""

    tensor: int = 1
    stages: int = 1

    @property
    def gpus(self) -> int:
        return self.tensor * self.stages
