"""What published benchmarks add to the time model: effects of chips and GPUs, and how far to trust a prediction.

Every benchmark row gives log speed = (level of its group) + (time model) + deviation. Deviations are explained by a
sum of independent effects, each drawn towards zero by its variance (ridge least squares, in other words a mixed model
with fixed variances). A row feels an effect on compute or bandwidth by the share of its time that waits for it.

    deviation = compute rate of the chip and of the board, per arithmetic
              + bandwidth of the chip + steepness of the field              (kept: what a prediction uses)
              + chip in this source + steepness and balance of the workload + rest          (averaged out)

The last line is what makes two sources or two workloads differ: it keeps one source with many rows from counting as
many sources, and it widens the interval. The level of a group is free, so only ratios within a group count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.speed_time import Rates, TimeModel, canonical_precision

Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.int64]
Z80 = 1.2815515655446004  # a normal variable stays within +- Z80 standard deviations in 80 % of cases
CALIBRATION_KIND = "kernel"  # rows that calibrate and are not scored
COVERAGE = 0.87  # share of left-out pairs that the intervals are calibrated to hold

# Variances on the log scale, chosen by maximum likelihood over all shipped rows and rounded (docs/speed-model.md).
CHIP_COMPUTE = 0.005  # sustained compute rate of a chip with one arithmetic
BOARD_COMPUTE = 0.008  # of a board of that chip: clocks and power limits
CHIP_BANDWIDTH = 0.0014  # sustained memory bandwidth of a chip
FIELD_STEEPNESS = 0.0022  # a field of work gains more or less than the formula on every faster GPU
CHIP_IN_SOURCE = 0.0069  # a chip in one source and kind only
WORKLOAD_STEEPNESS = 0.010  # as the field's, for one workload
WORKLOAD_BALANCE = 0.024  # a workload leans more to compute or to bandwidth than its kind
GROUP_LEVEL = 100.0  # the level of a group is unknown
REST: Mapping[str, float] = {  # one row; kinds with few groups get the value of their neighbours
    "training": 0.0033,
    "training-8gpu": 0.045,
    "inference": 0.005,
    "inference-small": 0.058,
    "llm-decode": 0.002,
    "llm-prefill": 0.002,
    "hpc-bandwidth": 0.003,
    "hpc-fp64": 0.016,
    "hpc-md": 0.016,
    "kernel": 0.017,
}
REST_ELSEWHERE = 0.03
REST_T4_INFERENCE = 0.074  # added: the T4 throttles at 70 W, its inference tables scatter by a factor of 2
# Assumed, since no pair could tell: added to the variance of a prediction.
NEVER_MEASURED = 0.04  # for each GPU without a single row
OTHER_VENDOR = 0.06  # between CUDA and ROCm the software differs too


def row_speed(row: Benchmark) -> float:
    """Work per unit of time of one GPU: throughput / gpus, or 1 / time."""
    return row.throughput / row.gpus if row.higher_is_better else 1.0 / row.throughput


def chip_of(catalogue: Catalogue, gpu: str) -> str:
    """The chip behind a board: its compute capability, else its architecture (A100 SXM and PCIe are one chip)."""
    row = catalogue.gpus[gpu]
    return row.architecture if row.compute_capability is None else f"{row.compute_capability:.1f}"


def field_of(kind: str) -> str:
    """Kinds of one field share their steepness: deep learning, llm, hpc; any other kind is a field of its own."""
    if kind.startswith(("training", "inference")):
        return "deep learning"
    return kind.split("-", maxsplit=1)[0] if kind.startswith(("llm", "hpc")) else kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One GPU doing one kind of work, as the effects see it."""

    gpu: str
    chip: str
    arithmetic: str
    kind: str
    log_speed: float  # of the time model
    balance: float  # log compute rate minus log bandwidth
    compute_share: float
    bandwidth_share: float

    @classmethod
    def of(cls, catalogue: Catalogue, gpu: str, kind: str, rates: Rates) -> Point:
        return cls(
            gpu=gpu,
            chip=chip_of(catalogue, gpu),
            arithmetic="vector" if rates.arithmetic == "fp64" else rates.arithmetic,
            kind=kind,
            log_speed=rates.log_speed,
            balance=math.log(rates.compute_tflops / rates.bandwidth_gbps),
            compute_share=rates.compute_share,
            bandwidth_share=rates.bandwidth_share,
        )


class Table:
    """Points as columns, with the covariances of their effects."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.size = len(points)
        self._gpus = _labels(p.gpu for p in points)
        self._chips = _labels(p.chip for p in points)
        self._arithmetics = _labels(p.arithmetic for p in points)
        self._fields = _labels(field_of(p.kind) for p in points)
        self.log_speed = np.array([p.log_speed for p in points], dtype=np.float64)
        self.balance = np.array([p.balance for p in points], dtype=np.float64)
        self._compute = np.array([p.compute_share for p in points], dtype=np.float64)
        self._bandwidth = np.array([p.bandwidth_share for p in points], dtype=np.float64)

    def kept(self, other: Table) -> Floats:
        """Covariance, rows of this table x rows of the other, of the effects that a prediction uses."""
        chip = _same(self._chips, other._chips)
        rate = CHIP_COMPUTE * chip + BOARD_COMPUTE * _same(self._gpus, other._gpus)
        return np.asarray(
            rate * _same(self._arithmetics, other._arithmetics) * np.outer(self._compute, other._compute)
            + CHIP_BANDWIDTH * chip * np.outer(self._bandwidth, other._bandwidth)
            + FIELD_STEEPNESS * _same(self._fields, other._fields) * np.outer(self.log_speed, other.log_speed),
            dtype=np.float64,
        )

    def averaged(self) -> Floats:
        """Covariance of the effects of a source and a workload between rows that share both."""
        moved = self._compute + self._bandwidth
        return np.asarray(
            CHIP_IN_SOURCE * _same(self._chips, self._chips) * np.outer(moved, moved) + self.workload(),
            dtype=np.float64,
        )

    def workload(self) -> Floats:
        """The part of `averaged` that ends with the group."""
        return np.asarray(
            WORKLOAD_STEEPNESS * np.outer(self.log_speed, self.log_speed)
            + WORKLOAD_BALANCE * np.outer(self.balance, self.balance),
            dtype=np.float64,
        )

    def in_source(self) -> Floats:
        """The part of `averaged` that all groups of a source share."""
        return self.averaged() - self.workload()


class Effects:
    """Effects fitted to benchmark rows; `contrast` predicts a ratio with its variance."""

    def __init__(self, catalogue: Catalogue, times: TimeModel, leave_out: Callable[[Benchmark], bool]) -> None:
        self._catalogue = catalogue
        self.rows: list[Benchmark] = []
        points: list[Point] = []
        for row in catalogue.benchmarks:
            if row.gpu not in catalogue.gpus or row.throughput <= 0 or row.gpus <= 0 or leave_out(row):
                continue
            rates = times.rates(row.gpu, row.kind, canonical_precision(row.precision))
            if rates is not None:
                self.rows.append(row)
                points.append(Point.of(catalogue, row.gpu, row.kind, rates))
        self._table = Table(points)
        self._measured = frozenset(row.gpu for row in self.rows)

    def knows(self, gpu: str) -> bool:
        """True when at least one row measures the GPU."""
        return gpu in self._measured

    @cached_property
    def _inverse(self) -> Floats:
        """Inverse of the covariance of the rows."""
        groups = _labels(row.group for row in self.rows)
        sources = _labels(f"{row.source_family}|{row.kind}" for row in self.rows)
        covariance = (
            self._table.kept(self._table)
            + self._table.in_source() * _same(sources, sources)
            + (GROUP_LEVEL + self._table.workload()) * _same(groups, groups)
            + np.diag([_rest(row.kind, row.gpu) for row in self.rows])
        )
        return np.asarray(np.linalg.inv(covariance), dtype=np.float64)

    @cached_property
    def _weights(self) -> Floats:
        measured = np.log([row_speed(row) for row in self.rows])
        return np.asarray(self._inverse @ (measured - self._table.log_speed), dtype=np.float64)

    def contrast(self, source: Point, target: Point) -> tuple[float, float]:
        """Log speed-up from source to target on a new workload of a new source, and its variance (not calibrated)."""
        pair = Table([source, target])
        variance = _of_difference(pair.averaged()) + _rest(source.kind, source.gpu) + _rest(target.kind, target.gpu)
        mean = target.log_speed - source.log_speed
        prior = _of_difference(pair.kept(pair))
        if self.rows:
            shared = pair.kept(self._table)
            towards = shared[1] - shared[0]
            mean += float(towards @ self._weights)
            prior = max(prior - float(towards @ self._inverse @ towards), 0.0)
        return mean, prior + variance + self._assumed(source.gpu, target.gpu)

    def _assumed(self, source: str, target: str) -> float:
        gpus = self._catalogue.gpus
        never = (source not in self._measured) + (target not in self._measured)
        return never * NEVER_MEASURED + (OTHER_VENDOR if gpus[source].vendor != gpus[target].vendor else 0.0)

    @cached_property
    def stretch(self) -> float:
        """Factor on standard deviations with which COVERAGE of the pairs of left-out sources fall inside.

        Every source in turn is predicted from the others: with P the inverse covariance and B the rows of the source,
        the errors are inv(P[B, B]) @ (P r)[B] and their covariance is inv(P[B, B]).
        """
        families = np.array([row.source_family for row in self.rows], dtype=object)
        misses: list[float] = []
        weights: list[float] = []
        for family in sorted(set(families)):
            block = np.flatnonzero(families == family)
            covariance = np.linalg.inv(self._inverse[np.ix_(block, block)])
            error = covariance @ self._weights[block]
            for i, j, weight in pairs_of([self.rows[k] for k in block]):
                variance = float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
                misses.append(abs(float(error[i] - error[j])) / math.sqrt(max(variance, 1e-9)))
                weights.append(weight)
        return weighted_quantile(misses, weights, COVERAGE) / Z80 if misses else 1.0


def _rest(kind: str, gpu: str) -> float:
    t4 = gpu == "T4" and kind in ("inference", "inference-small")
    return REST.get(kind, REST_ELSEWHERE) + (REST_T4_INFERENCE if t4 else 0.0)


def pairs_of(rows: Sequence[Benchmark]) -> list[tuple[int, int, float]]:
    """Pairs of different GPUs within a group that is scored, as positions in `rows`; the pairs of a group weigh 1."""
    by_group: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        if row.kind != CALIBRATION_KIND:
            by_group.setdefault(row.group, []).append(i)
    pairs: list[tuple[int, int, float]] = []
    for members in by_group.values():
        found = [(i, j) for n, i in enumerate(members) for j in members[n + 1 :] if rows[i].gpu != rows[j].gpu]
        pairs += [(i, j, 1.0 / len(found)) for i, j in found]
    return pairs


def weighted_quantile(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    """The least value such that the values up to it hold at least `share` of all weight; no interpolation."""
    order = np.argsort(np.array(values), kind="stable")
    held = np.cumsum(np.array(weights)[order])
    return float(values[order[int(np.searchsorted(held, share * held[-1] - 1e-9))]])


def _of_difference(covariance: Floats) -> float:
    return float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])


def _labels(texts: Iterable[str]) -> Labels:
    """Texts as numbers; only whether two are equal counts."""
    return np.array([hash(text) for text in texts], dtype=np.int64)


def _same(one: Labels, other: Labels) -> Floats:
    """1 where two labels are equal, else 0."""
    return np.asarray(one[:, None] == other[None, :], dtype=np.float64)
