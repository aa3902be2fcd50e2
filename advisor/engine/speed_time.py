"""The time model: how long one GPU takes for a unit of work, from its data sheet alone.

    t(g) = F * C0 / C(g) + M * B0 / B(g) + H

`C(g)` is the compute rate that GPU g sustains at the precision it really runs, `B(g)` the memory bandwidth it
sustains; C0 and B0 are those of one V100 SXM2 in fp32. F, M and H weigh arithmetic, memory and what no GPU speeds up.
The speed-up from A to B is t(A) / t(B), so A to B times B to C is A to C, and B to A is the inverse.

For the kinds that are fitted F is 1 and

    M = bytes of the precision * exp(sum of the bandwidth parameters of the work)
    H = exp(sum of the fixed parameters of the work)

so a kind, a network, a batch size each shift M or H, and kinds and precisions share what they have in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from advisor.engine.catalogue import Catalogue, Gpu
from advisor.engine.speed_work import LLM_BATCH_MAX, REFERENCE_GFLOP, USUAL_GFLOP, Work

Floats: TypeAlias = NDArray[np.float64]
Arithmetic = Literal["fp64", "vector", "tensor", "int8"]

# Sustained rates of one V100 SXM2, the unit of the model: data-sheet peak x share (speed model, sustained shares).
REFERENCE_TFLOPS = 15.7 * 0.90
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

# Bytes moved per unit of work against fp32: the width of a number, more where weights or sums stay wider.
BYTES: Mapping[str, float] = {
    "fp64": 2.0, "fp32": 1.0, "tf32": 1.0, "amp": 0.6, "mixed": 0.6, "bf16": 0.5, "fp16": 0.5, "int8": 0.3, "fp8": 0.3,
}  # fmt: skip
# Kinds that are not fitted: F, M, H by what the kind means or, where nobody measured it, by assumption.
GIVEN: Mapping[str, tuple[float, float, float]] = {
    "hpc-bandwidth": (0.0, 1.0, 0.0),
    "hpc-fp64": (0.75, 0.25, 0.0),
    "kernel": (1.0, 0.0, 0.0),  # matrix products and convolutions alone
    "graphics": (0.6, 0.3, 0.1),
    "unknown": (0.6, 0.3, 0.1),
}
# For these, F weighs arithmetic at the precision of the work, so its rate on the V100 is that of the precision.
GIVEN_TFLOPS: Mapping[str, float] = {"fp64": 7.834 * 0.90, "fp32": REFERENCE_TFLOPS, "tf32": REFERENCE_TFLOPS}
GIVEN_TENSOR_TFLOPS = 125.0 * 0.76


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What one GPU sustains at one kind and precision."""

    arithmetic: Arithmetic
    compute_tflops: float
    bandwidth_gbps: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Times of some pieces of work on some GPUs, as columns: log speed and the shares of time that wait.

    The rest of the time is the fixed part.
    """

    log_speed: Floats
    compute_share: Floats
    bandwidth_share: Floats


def bandwidth_terms(work: Work) -> dict[str, float]:
    """Parameters, with their factors, whose sum is ln(M / bytes)."""
    together = {"bandwidth llm batch": math.log(_llm_batch(work))} if work.kind == "llm-decode" else {}
    return together | {
        f"bandwidth {name}": 1.0
        for name, applies in (
            ("learning", work.learns),
            ("training", work.kind.startswith("training")),
            ("framework", work.runtime == "framework"),
            ("training-8gpu", work.kind == "training-8gpu"),
            (work.network, work.learns and work.network is not None),
            (work.kind, work.kind.startswith("llm") or work.kind == "hpc-md"),
        )
        if applies
    }


def fixed_terms(work: Work) -> dict[str, float]:
    """Parameters, with their factors, whose sum is ln(H)."""
    terms = {"fixed inference" if work.serves else f"fixed {work.kind}": 1.0}
    if work.kind == "llm-decode":
        terms["fixed batch"] = math.log(_llm_batch(work))
    if work.serves:
        gflop = work.gflop or USUAL_GFLOP.get(work.network or "", REFERENCE_GFLOP)
        terms["fixed item"] = math.log(gflop / REFERENCE_GFLOP)
        terms["fixed batch"] = math.log(work.batch or 1.0)
        terms["fixed framework"] = 1.0 if work.runtime == "framework" else 0.0
    if work.learns and work.network is not None:
        terms[f"fixed {work.network}"] = 1.0
    return terms


def _llm_batch(work: Work) -> float:
    """Sequences that share one reading of the weights."""
    return min(work.batch or 1.0, LLM_BATCH_MAX)


class Design:
    """Pieces of work on GPUs, a row each, ready for `times` at any parameters."""

    def __init__(self, rows: Iterable[tuple[Work, Rates]], names: tuple[str, ...]) -> None:
        listed = list(rows)
        place = {name: number for number, name in enumerate(names)}
        self._bandwidth = np.zeros((len(listed), len(names)))
        self._fixed = np.zeros((len(listed), len(names)))
        weights = np.zeros((len(listed), 3))
        for i, (work, _rates) in enumerate(listed):
            if work.kind in GIVEN:
                weights[i] = GIVEN[work.kind]
                weights[i, 0] *= _given_tflops(work) / REFERENCE_TFLOPS
                continue
            weights[i] = 1.0, BYTES[work.precision], 1.0
            for table, terms in ((self._bandwidth, bandwidth_terms(work)), (self._fixed, fixed_terms(work))):
                for name, factor in terms.items():
                    table[i, place[name]] = factor
        compute = np.array([rates.compute_tflops for _work, rates in listed])
        bandwidth = np.array([rates.bandwidth_gbps for _work, rates in listed])
        self._computing = weights[:, 0] * REFERENCE_TFLOPS / compute
        self._moving = weights[:, 1] * REFERENCE_BANDWIDTH_GBPS / bandwidth
        self._waiting = weights[:, 2]

    def times(self, parameters: Floats) -> Times:
        """Times at these parameters, in the order of the names given."""
        moving = self._moving * np.exp(self._bandwidth @ parameters)
        time = self._computing + moving + self._waiting * np.exp(self._fixed @ parameters)
        return Times(log_speed=-np.log(time), compute_share=self._computing / time, bandwidth_share=moving / time)

    def slopes(self, times: Times) -> Floats:
        """Derivative of the log speed by each parameter at these times, a row per piece of work."""
        fixed_share = 1.0 - times.compute_share - times.bandwidth_share
        return -(times.bandwidth_share[:, None] * self._bandwidth + fixed_share[:, None] * self._fixed)


def _given_tflops(work: Work) -> float:
    """Rate of a V100 SXM2 at the precision of a kind that is not fitted."""
    vector = work.kind == "graphics" or (work.kind.startswith("hpc") and work.precision != "fp64")
    return REFERENCE_TFLOPS if vector else GIVEN_TFLOPS.get(work.precision, GIVEN_TENSOR_TFLOPS)


class RateModel:
    """What every GPU of a catalogue sustains.

    `without` names source families whose figures must not be used, so neither are the shares read from them.
    """

    def __init__(self, catalogue: Catalogue, *, tf32: bool = True, without: Iterable[str] = ()) -> None:
        self.gpus = catalogue.gpus
        self.tf32 = tf32
        left_out = frozenset(without)
        self._compute_shares = not left_out & SHARE_SOURCES["compute"]
        self._bandwidth_shares = not left_out & SHARE_SOURCES["bandwidth"]

    def rates(self, gpu: str, kind: str, precision: str) -> Rates | None:
        """What `gpu` sustains on this work; None when a figure that the formula needs is missing."""
        row = self.gpus[gpu]
        computed = self._compute(row, kind, precision)
        share = (row.share_bandwidth if self._bandwidth_shares else None) or DEFAULT_SHARE_BANDWIDTH
        bandwidth = row.memory_bandwidth_gbps * share
        if computed is None or computed[1] <= 0 or bandwidth <= 0:
            return None
        return Rates(arithmetic=computed[0], compute_tflops=computed[1], bandwidth_gbps=bandwidth)

    def _compute(self, gpu: Gpu, kind: str, precision: str) -> tuple[Arithmetic, float] | None:
        """Arithmetic used and sustained TFLOPS."""
        share_vector = (gpu.share_fp32 if self._compute_shares else None) or DEFAULT_SHARE_VECTOR
        share_tensor = (gpu.share_tensor if self._compute_shares else None) or DEFAULT_SHARE_TENSOR
        vector = gpu.fp32_tflops * share_vector
        tensor = gpu.fp16_tensor_tflops * share_tensor if gpu.fp16_tensor_tflops else None
        if precision == "fp64":
            return ("fp64", gpu.fp64_tflops * share_vector) if gpu.fp64_tflops else None
        if kind == "graphics" or (kind.startswith("hpc") and precision in ("fp32", "tf32", "mixed", "amp")):
            return "vector", vector
        if self._uses_tf32(gpu, precision):
            if gpu.tf32_tensor_tflops:
                return "tensor", gpu.tf32_tensor_tflops * share_tensor
            if tensor:
                return "tensor", tensor / 2  # the TF32 rate is half of the 16-bit rate
        if precision in ("fp32", "tf32"):
            return "vector", vector
        if precision == "int8" and gpu.int8_tops:
            return "int8", gpu.int8_tops * (share_tensor if tensor else share_vector)
        if precision == "fp8" and gpu.fp8_tensor_tflops:
            return "tensor", gpu.fp8_tensor_tflops * share_tensor
        return ("tensor", tensor) if tensor else ("vector", vector)

    def _uses_tf32(self, gpu: Gpu, precision: str) -> bool:
        capable = (gpu.compute_capability or 0.0) >= TENSOR_FROM_CAPABILITY
        if precision == "tf32":
            return capable or gpu.tf32_tensor_tflops is not None
        return precision == "fp32" and self.tf32 and capable
