"""What a speed-up rests on, in words: a published pair, the formula with its figures, and what is taken for granted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from advisor.engine.catalogue import Benchmark, Gpu
from advisor.engine.evidence import Evidence
from advisor.engine.speed_fit import row_speed
from advisor.engine.speed_points import Point
from advisor.engine.speed_time import TENSOR_FROM_CAPABILITY, Rates
from advisor.engine.speed_work import Work

#: The source of a ratio that the user measured.
OWN_MEASUREMENT = "your measurement"


def measurement(old: Benchmark, new: Benchmark) -> Evidence:
    """A published pair and its ratio per GPU."""
    ratio = row_speed(new) / row_speed(old)
    note = f"{new.benchmark}, {new.framework}, {new.precision} ({new.as_of}): {ratio:.3g}"
    return Evidence(kind="measured", source=new.source, note=note)


def own_evidence(source: str, target: str, ratio: float, note: str) -> Evidence:
    """What the user measured, with what they said of it."""
    told = f"{source} to {target}: {ratio:g}"
    return Evidence(kind="user", source=OWN_MEASUREMENT, note=f"{told}; {note}" if note else told)


def formula_note(
    reference: Point | None, old: tuple[str, Rates], new: tuple[str, Rates], logs: tuple[float, float]
) -> str:
    """The time model with the figures of a pair: shares on a V100, sustained rates, and the ratio before and after
    what benchmarks correct, of which `logs` are the logarithms."""
    shares = ""
    if reference is not None:
        fixed = max(0.0, 1 - reference.compute_share - reference.bandwidth_share)
        parts = ((reference.compute_share, "compute"), (reference.bandwidth_share, "bandwidth"), (fixed, "fixed"))
        shares = ": of a V100's time " + ", ".join(f"{share:.2f} {word}" for share, word in parts)
    rates = "; ".join(
        f"{name} sustains {rate.compute_tflops:.3g} TFLOPS and {rate.bandwidth_gbps:.4g} GB/s"
        for name, rate in (old, new)
    )
    formula, corrected = (math.exp(log) for log in logs)
    return f"time model{shares}; {rates}; by the formula {formula:.3g}, corrected by benchmarks {corrected:.3g}"


def assumptions(
    gpus: Sequence[Gpu], work: Work, *, tf32: bool, slices: bool, unmeasured: Sequence[str]
) -> Iterator[Evidence]:
    """What the answer takes for granted, one entry each."""
    modern = [gpu.name for gpu in gpus if (gpu.compute_capability or 0) >= TENSOR_FROM_CAPABILITY]
    if work.precision == "fp32" and tf32 and modern and work.learns:
        yield _assumed(f"fp32 work uses TF32 on {' and '.join(modern)}; without it {' and '.join(modern)} is slower")
    if work.precision == "bf16":
        for gpu in gpus:
            if gpu.compute_capability is not None and gpu.compute_capability < TENSOR_FROM_CAPABILITY:
                yield _assumed(f"{gpu.name} has no bf16 arithmetic: its figure is that of fp16")
    if work.precision in ("int8", "fp8"):
        for gpu in gpus:
            if not (gpu.int8_tops if work.precision == "int8" else gpu.fp8_tensor_tflops):
                yield _assumed(f"{gpu.name} has no {work.precision} rate: its figure is that of 16 bits")
    if len({gpu.vendor for gpu in gpus}) > 1:
        yield _assumed("CUDA and ROCm software differ as well: the range is wider")
    for name in unmeasured:
        yield _assumed(f"no benchmark of {name} was found: data sheet only, the range is wider")
    if slices:
        yield _assumed("a slice runs at its share of the card; MIG slices of an A100 reached 0.76 to 0.97 of that")


def _assumed(note: str) -> Evidence:
    return Evidence(kind="assumed", source="assumption", note=note)
