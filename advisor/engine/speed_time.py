"""The time model: how long one GPU takes for a unit of work, from its data sheet alone.

    t(g) = a * C0 / C(g) + b * B0 / B(g) + c          a + b + c = 1

`C(g)` is the compute rate that GPU g sustains at the precision it really runs, `B(g)` the memory bandwidth it sustains,
`c` the part that no GPU speeds up. The unit is the time of one V100 SXM2. The speed-up from A to B is t(A) / t(B), so
A to B times B to C is A to C, and B to A is the inverse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from advisor.engine.catalogue import Catalogue, Gpu, SpeedKind

KINDS = (
    "training",
    "training-8gpu",
    "inference",
    "inference-small",
    "llm-decode",
    "llm-prefill",
    "hpc-bandwidth",
    "hpc-fp64",
    "hpc-md",
    "graphics",
    "unknown",
)
PRECISIONS = ("fp64", "fp32", "tf32", "fp16", "bf16", "amp", "mixed", "int8", "fp8")
UNMEASURED_KINDS = frozenset({"graphics", "unknown"})
Arithmetic = Literal["fp64", "vector", "tensor", "int8"]

# Sustained rates of one V100 SXM2, the unit of the model: data-sheet peak x share (speed model, sustained shares).
V100_TENSOR_TFLOPS = 125.0 * 0.76
REFERENCE_TFLOPS: Mapping[str, float] = {
    "fp64": 7.834 * 0.90,
    "fp32": 15.7 * 0.90,
    "tf32": 15.7 * 0.90,
}
REFERENCE_BANDWIDTH_GBPS = 900.0 * 0.87

# Shares of the peak where nobody measured one (speed model, values in brackets).
DEFAULT_SHARE_VECTOR = 0.85
DEFAULT_SHARE_TENSOR = 0.75
DEFAULT_SHARE_BANDWIDTH = 0.80
# Sources whose rows the shares were read from: without the source, the default takes the share's place.
SHARE_SOURCES = {
    "compute": frozenset({"torch-performance", "DeepBench"}),
    "bandwidth": frozenset({"FluidX3D"}),
}
TENSOR_FROM_CAPABILITY = 8.0  # fp32 work may use TF32 tensor cores from Ampere on


class UnknownGpu(ValueError):
    """A name that no GPU, or more than one, answers to; the message lists what is allowed."""


class UnknownWork(ValueError):
    """A kind or precision that the model does not know; the message lists what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What one GPU sustains for one kind of work, with the logarithm of its speed in V100 SXM2.

    `compute_share` and `bandwidth_share` are the shares of its time that wait for arithmetic and for memory; the rest
    of the time is the fixed part.
    """

    arithmetic: Arithmetic
    compute_tflops: float
    bandwidth_gbps: float
    log_speed: float
    compute_share: float
    bandwidth_share: float


def canonical_precision(text: str) -> str:
    """The precision of the model that `text` of a published table means.

    Quantised weights (q4_k_m, int4) count as fp16: they are unpacked and computed at the 16-bit rate. Text after a
    blank is a remark: "fp32 (fp16 storage)" is fp32.
    """
    word = text.strip().casefold().split(" ")[0].replace("float", "fp")
    if word in PRECISIONS:
        return word
    return {"half": "fp16", "single": "fp32", "double": "fp64", "fp": "fp32", "": "fp32"}.get(word, "fp16")


class TimeModel:
    """t(g) for every GPU, kind and precision of a catalogue.

    `without` names source families whose figures must not be used, so neither are the shares read from them.
    """

    def __init__(self, catalogue: Catalogue, *, tf32: bool = True, without: Iterable[str] = ()) -> None:
        self.gpus = catalogue.gpus
        self.tf32 = tf32
        self._kinds = catalogue.speed_kinds
        left_out = frozenset(without)
        self._compute_shares = not left_out & SHARE_SOURCES["compute"]
        self._bandwidth_shares = not left_out & SHARE_SOURCES["bandwidth"]

    def rates(self, gpu: str, kind: str, precision: str) -> Rates | None:
        """What `gpu` sustains on this work; None when a figure that the formula needs is missing."""
        row = self.gpus[gpu]
        parameters = self.parameters(kind, precision)
        computed = self._compute(row, kind, precision)
        if computed is None:
            return None
        arithmetic, tflops, reference = computed
        bandwidth = row.memory_bandwidth_gbps * (
            (row.share_bandwidth if self._bandwidth_shares else None) or DEFAULT_SHARE_BANDWIDTH
        )
        if tflops <= 0 or bandwidth <= 0:
            return None
        computing = parameters.compute * reference / tflops
        moving = parameters.bandwidth * REFERENCE_BANDWIDTH_GBPS / bandwidth
        time = computing + moving + parameters.fixed
        return Rates(
            arithmetic=arithmetic,
            compute_tflops=tflops,
            bandwidth_gbps=bandwidth,
            log_speed=-math.log(time),
            compute_share=computing / time,
            bandwidth_share=moving / time,
        )

    def parameters(self, kind: str, precision: str) -> SpeedKind:
        """The row of the catalogue for this work: its own precision first, then one for any precision.

        fp32, TF32 and fp64 share a row, so do all lower precisions. Graphics and kinds without a row use `unknown`.
        """
        rows = [row for row in self._kinds if row.kind == kind] or [row for row in self._kinds if row.kind == "unknown"]
        full = precision in ("fp32", "tf32", "fp64")
        wanted = ({"fp32", "tf32"} if full else {"mixed", "amp", "fp16"}) | {precision}
        for row in rows:
            if wanted & set(row.precision.casefold().replace("/", " ").replace(",", " ").split()):
                return row
        for row in rows:
            if not row.precision:
                return row
        if rows:
            return rows[0]
        raise UnknownWork(f"no parameters for kind {kind!r}, nor for kind 'unknown'")

    def _compute(self, gpu: Gpu, kind: str, precision: str) -> tuple[Arithmetic, float, float] | None:
        """Arithmetic used, sustained TFLOPS, and those of the V100 SXM2 at the same precision."""
        reference = REFERENCE_TFLOPS.get(precision, V100_TENSOR_TFLOPS)
        share_vector = (gpu.share_fp32 if self._compute_shares else None) or DEFAULT_SHARE_VECTOR
        share_tensor = (gpu.share_tensor if self._compute_shares else None) or DEFAULT_SHARE_TENSOR
        vector = gpu.fp32_tflops * share_vector
        tensor = gpu.fp16_tensor_tflops * share_tensor if gpu.fp16_tensor_tflops else None
        if precision == "fp64":
            return ("fp64", gpu.fp64_tflops * share_vector, reference) if gpu.fp64_tflops else None
        if kind == "graphics" or (kind.startswith("hpc") and precision in ("fp32", "tf32", "mixed", "amp")):
            return "vector", vector, REFERENCE_TFLOPS["fp32"]
        if self._uses_tf32(gpu, precision):
            if gpu.tf32_tensor_tflops:
                return "tensor", gpu.tf32_tensor_tflops * share_tensor, reference
            if tensor:
                return "tensor", tensor / 2, reference  # the TF32 rate is half of the 16-bit rate
        if precision in ("fp32", "tf32"):
            return "vector", vector, reference
        if precision == "int8" and gpu.int8_tops:
            return "int8", gpu.int8_tops * (share_tensor if tensor else share_vector), reference
        if precision == "fp8" and gpu.fp8_tensor_tflops:
            return "tensor", gpu.fp8_tensor_tflops * share_tensor, reference
        return ("tensor", tensor, reference) if tensor else ("vector", vector, reference)

    def _uses_tf32(self, gpu: Gpu, precision: str) -> bool:
        capable = (gpu.compute_capability or 0.0) >= TENSOR_FROM_CAPABILITY
        if precision == "tf32":
            return capable or gpu.tf32_tensor_tflops is not None
        return precision == "fp32" and self.tf32 and capable


def resolve_gpu(catalogue: Catalogue, text: str) -> str:
    """The GPU of the catalogue that `text` names: its exact name first, then the one name that contains all its words.

    Case does not count. Raises UnknownGpu with the names to choose from when none or several match.
    """
    wanted = text.strip()
    if wanted in catalogue.gpus:
        return wanted
    by_case = {name.casefold(): name for name in catalogue.gpus}
    if wanted.casefold() in by_case:
        return by_case[wanted.casefold()]
    words = set(wanted.casefold().split())
    found = [name for name in catalogue.gpus if words and words <= set(name.casefold().split())]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownGpu(f"{wanted!r} matches several GPUs: {', '.join(sorted(found))}")
    raise UnknownGpu(f"no GPU is called {wanted!r}; there are: {', '.join(sorted(catalogue.gpus))}")
