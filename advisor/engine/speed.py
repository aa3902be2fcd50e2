"""How much faster one GPU is than another: the time model and what was measured, joined, with an 80 % interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.evidence import Evidence
from advisor.engine.speed_fit import Z80, Effects, Point, row_speed
from advisor.engine.speed_time import (
    KINDS,
    PRECISIONS,
    TENSOR_FROM_CAPABILITY,
    UNMEASURED_KINDS,
    Rates,
    TimeModel,
    UnknownGpu,
    UnknownWork,
    canonical_precision,
    resolve_gpu,
)

__all__ = ["KINDS", "PRECISIONS", "SpeedModel", "Speedup", "UnknownGpu", "UnknownWork", "resolve_gpu"]

Basis = Literal["user", "measured", "modelled", "assumed"]

CHAINED_VARIANCE = 0.02  # added when no group of the kind joins the pair
SLICE_VARIANCE = 0.09  # added for every side that is a slice: nobody measured it


@dataclass(frozen=True, slots=True, kw_only=True)
class Speedup:
    """Speed of one target GPU over one source GPU, or of one slice where shares are given.

    `low` and `high` bound an 80 % interval; `groups` counts the benchmark groups of the kind that hold both GPUs
    at the precision asked for, `kind_groups` all groups of the kind; `chained` says that no such group holds both.
    """

    low: float
    expected: float
    high: float
    basis: Basis
    evidence: tuple[Evidence, ...]
    groups: int
    kind_groups: int
    chained: bool


class SpeedModel:
    """Speed-ups between the GPUs of a catalogue; the fit is made on first use and answers are kept.

    `leave_out` names benchmark rows that must not be used (for scoring); `tf32` is the assumption that fp32 training
    and inference use TF32 from compute capability 8.0 on; `measured` holds the user's own ratios by (source, target),
    whole GPU against whole GPU.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        leave_out: Callable[[Benchmark], bool] | None = None,
        tf32: bool = True,
        measured: Mapping[tuple[str, str], float] | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._leave_out = leave_out or (lambda row: False)
        self._tf32 = tf32
        self._measured = dict(measured or {})
        for (source, target), ratio in self._measured.items():
            if not (ratio > 0 and math.isfinite(ratio)):
                raise ValueError(f"measured speed-up {source} to {target} is {ratio}, must be above 0")
        self._answers: dict[tuple[str, str, str, str, float, float], Speedup | None] = {}

    def speedup(
        self,
        source: str,
        target: str,
        kind: str,
        precision: str,
        *,
        source_share: float = 1.0,
        target_share: float = 1.0,
    ) -> Speedup | None:
        """Speed of `target` over `source` on work of one kind at one precision; None: a figure it needs is unknown.

        Raises UnknownGpu and UnknownWork on names that are not in the catalogue, ValueError on a share outside 0 to 1.
        """
        key = (source, target, kind, precision, source_share, target_share)
        if key not in self._answers:
            self._check(key)
            self._answers[key] = self._answer(*key)
        return self._answers[key]

    def _check(self, key: tuple[str, str, str, str, float, float]) -> None:
        source, target, kind, precision, *shares = key
        for gpu in (source, target):
            if gpu not in self._catalogue.gpus:
                raise UnknownGpu(f"no GPU is called {gpu!r}; there are: {', '.join(sorted(self._catalogue.gpus))}")
        if kind not in KINDS:
            raise UnknownWork(f"no kind is called {kind!r}; there are: {', '.join(KINDS)}")
        if precision not in PRECISIONS:
            raise UnknownWork(f"no precision is called {precision!r}; there are: {', '.join(PRECISIONS)}")
        if not all(0 < share <= 1 for share in shares):
            raise ValueError(f"a share is above 0 and at most 1, not {shares}")

    def _answer(
        self, source: str, target: str, kind: str, precision: str, source_share: float, target_share: float
    ) -> Speedup | None:
        old = self._times.rates(source, kind, precision)
        new = self._times.rates(target, kind, precision)
        joining = self._joining(source, target, kind, old, new)
        scale = target_share / source_share
        chained = not joining and source != target

        def answer(expected: float, deviation: float, basis: Basis, evidence: tuple[Evidence, ...]) -> Speedup:
            return Speedup(
                low=expected * math.exp(-Z80 * deviation),
                expected=expected,
                high=expected * math.exp(Z80 * deviation),
                basis=basis,
                evidence=evidence,
                groups=len(joining),
                kind_groups=len(self._by_group.get(kind, {})),
                chained=chained,
            )

        if source == target and source_share == target_share:
            same = Evidence(kind="listed", source="the same GPU", note="nothing changes")
            return answer(1.0, 0.0, "measured", (same,))
        ratio = self._user_ratio(source, target)
        if ratio is not None:
            own = Evidence(kind="user", source="your measurement", note=f"{source} to {target}: {ratio:g}")
            return answer(ratio * scale, 0.0, "user", (own,))
        if old is None or new is None:
            return None
        mean, variance = 0.0, 0.0
        if source != target:
            mean, variance = self._effects.contrast(
                Point.of(self._catalogue, source, kind, old), Point.of(self._catalogue, target, kind, new)
            )
            variance = variance * self._effects.stretch**2 + (CHAINED_VARIANCE if chained else 0.0)
        variance += SLICE_VARIANCE * ((source_share < 1) + (target_share < 1))
        basis: Basis = "assumed" if kind in UNMEASURED_KINDS else "measured" if joining else "modelled"
        slices = source_share < 1 or target_share < 1
        evidence = (
            *(_measurement(one, other) for one, other in joining),
            self._formula(kind, precision),
            *self._assumptions(source, target, kind, precision, slices=slices),
        )
        return answer(math.exp(mean) * scale, math.sqrt(variance), basis, evidence)

    @cached_property
    def _times(self) -> TimeModel:
        families = {row.source_family for row in self._catalogue.benchmarks}
        kept = {row.source_family for row in self._catalogue.benchmarks if not self._leave_out(row)}
        return TimeModel(self._catalogue, tf32=self._tf32, without=families - kept)

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self._catalogue, self._times, self._leave_out)

    @cached_property
    def _by_group(self) -> Mapping[str, Mapping[str, Mapping[str, Benchmark]]]:
        """Rows by kind, group and GPU."""
        kinds: dict[str, dict[str, dict[str, Benchmark]]] = {}
        for row in self._effects.rows:
            kinds.setdefault(row.kind, {}).setdefault(row.group, {})[row.gpu] = row
        return kinds

    def _joining(
        self, source: str, target: str, kind: str, old: Rates | None, new: Rates | None
    ) -> list[tuple[Benchmark, Benchmark]]:
        """Rows of the groups of the kind that hold both GPUs, at a precision that is as fast as the one asked for."""
        if source == target or old is None or new is None:
            return []
        both = [(g[source], g[target]) for g in self._by_group.get(kind, {}).values() if source in g and target in g]
        return [rows for rows in both if self._as_fast(rows[0], old) and self._as_fast(rows[1], new)]

    def _as_fast(self, row: Benchmark, asked: Rates) -> bool:
        rates = self._times.rates(row.gpu, row.kind, canonical_precision(row.precision))
        return rates is not None and math.isclose(rates.log_speed, asked.log_speed, abs_tol=1e-9)

    def _user_ratio(self, source: str, target: str) -> float | None:
        if (source, target) in self._measured:
            return self._measured[source, target]
        if (target, source) in self._measured:
            return 1 / self._measured[target, source]
        return None

    def _formula(self, kind: str, precision: str) -> Evidence:
        row = self._times.parameters(kind, precision)
        return Evidence(
            kind="assumed" if kind in UNMEASURED_KINDS else "modelled",
            source=row.source,
            as_of=row.as_of,
            note=f"time model: {row.compute:g} compute, {row.bandwidth:g} bandwidth, {row.fixed:g} fixed",
        )

    def _assumptions(self, source: str, target: str, kind: str, precision: str, *, slices: bool) -> Iterator[Evidence]:
        """What the answer takes for granted, one entry each."""
        gpus = [self._catalogue.gpus[name] for name in (source, target)]
        modern = [gpu.name for gpu in gpus if (gpu.compute_capability or 0) >= TENSOR_FROM_CAPABILITY]
        if precision == "fp32" and self._tf32 and modern and kind.startswith(("training", "inference")):
            yield _assumed(
                f"fp32 work uses TF32 on {' and '.join(modern)}; without it {' and '.join(modern)} is slower"
            )
        if precision == "bf16":
            for gpu in gpus:
                if gpu.compute_capability is not None and gpu.compute_capability < TENSOR_FROM_CAPABILITY:
                    yield _assumed(f"{gpu.name} has no bf16 arithmetic: its figure is that of fp16")
        if gpus[0].vendor != gpus[1].vendor:
            yield _assumed("CUDA and ROCm software differ as well: the range is wider")
        for name in {source: 0, target: 0}:
            if not self._effects.knows(name):
                yield _assumed(f"no benchmark of {name} was found: data sheet only, the range is wider")
        if slices:
            yield _assumed("a slice runs at its share of the card; MIG slices of an A100 reached 0.76 to 0.97 of that")


def _measurement(old: Benchmark, new: Benchmark) -> Evidence:
    ratio = row_speed(new) / row_speed(old)
    note = f"{new.benchmark}, {new.framework}, {new.precision} ({new.as_of}): {ratio:.3g}"
    return Evidence(kind="measured", source=new.source, note=note)


def _assumed(note: str) -> Evidence:
    return Evidence(kind="assumed", source="assumption", note=note)
