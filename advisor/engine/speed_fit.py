"""What published benchmarks add to the time model: effects of chips and GPUs, and how far to trust a prediction.

Every benchmark row gives log speed = (level of its group) + (time model) + deviation. The deviations are explained
by a sum of independent effects, each drawn towards zero by its variance (ridge least squares, in other words a
mixed model with fixed variances):

    deviation = chip x arithmetic + GPU                                   (kept: properties of the hardware)
              + chip x kind x source + steepness and balance of the workload + rest          (averaged out)

The first two are properties of hardware and are used in predictions. The others are what makes two sources or two
workloads differ; they keep one source with many rows from counting as many sources, and they widen the interval.
The level of a group is free, so only ratios within a group count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from advisor.engine.catalogue import Benchmark, Catalogue
from advisor.engine.speed_time import Rates, TimeModel, canonical_precision

Floats: TypeAlias = NDArray[np.float64]
Z80 = 1.2815515655446004  # a normal variable stays within +- Z80 standard deviations in 80 % of cases
CALIBRATION_KIND = "kernel"  # rows that calibrate and are not scored
COVERAGE = 0.87  # share of left-out pairs that the intervals are calibrated to hold

# Variances on the log scale, chosen by maximum likelihood over all shipped rows and rounded (docs/speed-model.md).
CHIP = 0.0013  # a chip with one arithmetic, over all kinds
GPU = 0.0007  # a board of that chip
CHIP_IN_SOURCE = 0.0037  # the same, in one source and kind only
WORKLOAD_STEEPNESS = 0.0156  # a workload gains more or less than the formula on every faster GPU
WORKLOAD_BALANCE = 0.0273  # it leans more to compute or to bandwidth than its kind
GROUP_LEVEL = 100.0  # the level of a group is unknown
REST: Mapping[str, float] = {  # one row; kinds with few groups get the value of their neighbours
    "training": 0.004,
    "training-8gpu": 0.049,
    "inference": 0.0075,
    "inference-small": 0.067,
    "llm-decode": 0.004,
    "llm-prefill": 0.004,
    "hpc-bandwidth": 0.004,
    "hpc-fp64": 0.015,
    "hpc-md": 0.016,
    "kernel": 0.015,
}
REST_ELSEWHERE = 0.03


def row_speed(row: Benchmark) -> float:
    """Work per unit of time of one GPU: throughput / gpus, or 1 / time."""
    return row.throughput / row.gpus if row.higher_is_better else 1.0 / row.throughput


def chip_of(catalogue: Catalogue, gpu: str) -> str:
    """The chip behind a board: its compute capability, else its architecture (A100 SXM and PCIe are one chip)."""
    row = catalogue.gpus[gpu]
    return row.architecture if row.compute_capability is None else f"{row.compute_capability:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One GPU doing one kind of work, as the effects see it."""

    gpu: str
    chip: str  # with the arithmetic: "8.0 tensor"
    log_speed: float  # of the time model
    balance: float  # log compute rate minus log bandwidth

    @classmethod
    def of(cls, catalogue: Catalogue, gpu: str, rates: Rates) -> Point:
        arithmetic = "vector" if rates.arithmetic == "fp64" else rates.arithmetic
        return cls(
            gpu=gpu,
            chip=f"{chip_of(catalogue, gpu)} {arithmetic}",
            log_speed=rates.log_speed,
            balance=math.log(rates.compute_tflops / rates.bandwidth_gbps),
        )


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
                points.append(Point.of(catalogue, row.gpu, rates))
        self._gpus = np.array([p.gpu for p in points], dtype=object)
        self._chips = np.array([p.chip for p in points], dtype=object)
        self._residual = np.array([math.log(row_speed(r)) for r in self.rows]) - np.array([p.log_speed for p in points])
        self._points = points

    @cached_property
    def _inverse(self) -> Floats:
        """Inverse of the covariance of the rows."""
        groups = _same([r.group for r in self.rows])
        sources = _same([f"{r.source_family}|{r.kind}" for r in self.rows])
        chips = _same([p.chip for p in self._points])
        boards = _same([p.gpu for p in self._points])
        chip_in_source = _same([p.chip.split(" ")[0] for p in self._points]) * sources
        speed = np.array([p.log_speed for p in self._points])
        balance = np.array([p.balance - _BALANCE_CENTRE for p in self._points])
        covariance = (
            CHIP * chips
            + GPU * boards
            + CHIP_IN_SOURCE * chip_in_source
            + groups
            * (
                GROUP_LEVEL
                + WORKLOAD_STEEPNESS * np.outer(speed, speed)
                + WORKLOAD_BALANCE * np.outer(balance, balance)
            )
            + np.diag([REST.get(r.kind, REST_ELSEWHERE) for r in self.rows])
        )
        return np.asarray(np.linalg.inv(covariance), dtype=np.float64)

    @cached_property
    def _weights(self) -> Floats:
        return np.asarray(self._inverse @ self._residual, dtype=np.float64)

    def contrast(self, source: Point, target: Point, kind: str) -> tuple[float, float]:
        """Log speed-up from source to target on a new workload of a new source, and its variance (not calibrated)."""
        same_chip = source.chip == target.chip
        same_board = source.gpu == target.gpu
        prior = 0.0 if same_chip else 2 * CHIP
        prior += 0.0 if same_board else 2 * GPU
        same_architecture = source.chip.split(" ")[0] == target.chip.split(" ")[0]
        new = 0.0 if same_architecture else 2 * CHIP_IN_SOURCE
        new += WORKLOAD_STEEPNESS * (target.log_speed - source.log_speed) ** 2
        new += WORKLOAD_BALANCE * (target.balance - source.balance) ** 2
        new += 2 * REST.get(kind, REST_ELSEWHERE)
        mean = target.log_speed - source.log_speed
        if not self.rows:
            return mean, prior + new
        towards = self._covariance_with(target) - self._covariance_with(source)
        learned = float(towards @ self._inverse @ towards)
        return mean + float(towards @ self._weights), max(prior - learned, 0.0) + new

    def _covariance_with(self, point: Point) -> Floats:
        chip = (self._chips == point.chip).astype(np.float64)
        board = (self._gpus == point.gpu).astype(np.float64)
        return np.asarray(CHIP * chip + GPU * board, dtype=np.float64)

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


_BALANCE_CENTRE = math.log(95.0 / 783.0)  # of the V100 SXM2 in 16-bit arithmetic


def _same(labels: Sequence[str]) -> Floats:
    """1 where two labels are equal, else 0."""
    _, codes = np.unique(np.array(labels, dtype=object).astype(str), return_inverse=True)
    return np.asarray(codes[:, None] == codes[None, :], dtype=np.float64)
