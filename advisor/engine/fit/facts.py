"""Facts that the fit counts with: models, what GPUs show of their memory, and published load figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

GIB = 2**30
Kind = Literal["decoder", "encoder", "other"]
Quantity = Literal["weights", "kv-cache", "activations", "loaded", "states", "training"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The shape of one model as its configuration gives it. None: no source says, and the need becomes a range.

    `mlp_size` is the width that one token uses: for a mixture of experts, experts per token times their width.
    `latent_size` is what multi-head latent attention keeps per token and layer: its rank and the rotary part.
    `window` tokens are kept by each of `window_layers` layers; the other layers keep the whole context.
    """

    name: str
    family: str
    kind: Kind
    parameters: int | None
    layers: int | None
    hidden_size: int | None
    heads: int | None
    kv_heads: int | None
    head_dim: int | None
    mlp_size: int | None
    vocab_size: int | None
    tied: bool | None  # one table is both embedding and output head
    latent_size: int | None = None
    window: int | None = None
    window_layers: int | None = None
    max_context: int | None = None  # tokens; the longest that the configuration allows
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReading:
    """What software on a GPU sees as its memory; less than the nominal size, since the driver keeps a part."""

    gpu: str  # name in the GPU table
    usable_gib: float
    read_by: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadFigure:
    """One published figure of memory on one GPU, with the work it was read under."""

    code: str
    model: str
    quantity: Quantity
    precision: str
    gpus: int  # that share the model
    context: int | None  # tokens of one sequence
    users: int | None  # sequences at once
    method: str | None  # of training: full or lora; None: inference
    optimiser: str | None
    checkpointing: bool | None
    flash: bool | None
    chunked_loss: bool | None
    published_gib: float  # on one GPU
    disputed: str  # why it is shown and not counted; "": it counts
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitFacts:
    """All of them, models by name."""

    models: Mapping[str, Model]
    readings: tuple[MemoryReading, ...]
    loads: tuple[LoadFigure, ...]
