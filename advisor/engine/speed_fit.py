"""What published benchmarks add to the time model: effects of chips and GPUs, and how far to trust a prediction.

Every benchmark row gives log speed = (level of its group) + (time model) + deviation. The parameters of the time model
are uncertain by their priors (speed_prior), and deviations are explained by a sum of independent effects, each drawn
towards zero by its variance: least squares with a penalty, in other words a hierarchical model. A row feels an effect
on compute or bandwidth by the share of its time that waits for it.

    deviation = compute rate of the chip, of the board, of the chip on one network; bandwidth of the chip;
                no NVLink between several GPUs                               (kept: what a prediction uses)
              + chip in this source + steepness and balance of the workload + rest          (averaged out)

The last line is what makes two sources or two workloads differ: it keeps one source with many rows from counting as
many sources, and it widens the interval. The level of a group is free, so only ratios within a group count. A group
far from all others counts for less, as in a t-distribution: weight (FREEDOM + n) / (FREEDOM + distance).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from advisor.engine.catalogue import Benchmark, Catalogue, SpeedFit
from advisor.engine.speed_points import Point, Table, apart, labels, same
from advisor.engine.speed_prior import MEANS, NAMES, NO_NVLINK, VARIANCES
from advisor.engine.speed_time import Floats, RateModel
from advisor.engine.speed_work import work_of

Z80 = 1.2815515655446004  # a normal variable stays within +- Z80 standard deviations in 80 % of cases
CALIBRATION_KIND = "kernel"  # rows that calibrate and are not scored
FREEDOM = 4.0  # degrees of freedom of a group's distance: the usual choice for robust regression
ROUNDING = 1e-4  # variance of a row that no effect explains: figures are published to two or three digits
CHAINED = 1.2  # assumed: how much wider the interval of a pair is that no group of the kind joins
# Assumed, since no pair could tell: added to the variance of a prediction.
NEVER_MEASURED = 0.04  # for each GPU without a single row
OTHER_VENDOR = 0.06  # between CUDA and ROCm the software differs too


def row_speed(row: Benchmark) -> float:
    """Work per unit of time of one GPU: throughput / gpus, or 1 / time."""
    return row.throughput / row.gpus if row.higher_is_better else 1.0 / row.throughput


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A pair predicted without its source: its rows, ln(measured / expected) over its deviation, and its weight."""

    one: Benchmark
    other: Benchmark
    miss: float
    weight: float
    chained: bool  # no group of the kind of another source holds both GPUs


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutPair:
    """Two rows of a table with the weights of the source's contrasts that make their difference."""

    one: Benchmark
    other: Benchmark
    weight: float
    step: Floats

    @property
    def joins(self) -> tuple[str, frozenset[str]]:
        """Kind of work and the two GPUs."""
        return self.one.kind, frozenset((self.one.gpu, self.other.gpu))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A source predicted from the others: errors of its contrasts, their covariance, and its scored pairs."""

    family: str
    covariance: Floats
    errors: Floats
    pairs: tuple[LeftOutPair, ...]

    def deviation(self, pair: LeftOutPair) -> float:
        """Standard deviation of the error of a pair, log scale."""
        return math.sqrt(max(float(pair.step @ self.covariance @ pair.step), ROUNDING))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A point with its covariance with every contrast of the rows, and that times the inverse of theirs."""

    point: Point
    shared: Floats
    seen: Floats


class Rows:
    """The usable rows of a catalogue at given parameters, and what the parameters' priors leave unexplained."""

    def __init__(
        self, catalogue: Catalogue, rates: RateModel, parameters: Floats, leave_out: Callable[[Benchmark], bool]
    ) -> None:
        self.rows: list[Benchmark] = []
        points: list[Point] = []
        for row in catalogue.benchmarks:
            if row.gpu not in catalogue.gpus or row.throughput <= 0 or row.gpus <= 0 or leave_out(row):
                continue
            work, gpu = work_of(row), catalogue.gpus[row.gpu]
            sustained = rates.rates(row.gpu, work.kind, work.precision)
            if sustained is not None:
                self.rows.append(row)
                points.append(Point.of(gpu, work, sustained, parameters, apart=apart(row, gpu)))
        self.table = Table(points)
        self.within = Contrasts([row.group for row in self.rows])
        measured = np.log([row_speed(row) for row in self.rows])
        at_prior = self.table.log_speed + self.table.slopes @ (MEANS - parameters) + NO_NVLINK * self.table.apart
        self.misses = self.within.of(measured - at_prior)

    def covariances(self) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Covariance of the rows by effect, at variance 1: of chips and sources, then of single groups."""
        table = self.table
        # Training on one and on eight GPUs, inference small and large: a source's software is off alike in both.
        source = labels(f"{row.source_family}|{row.kind.partition('-')[0]}" for row in self.rows)
        group = labels(row.group for row in self.rows)
        steady = dict(table.kept(table))
        steady |= {name: part * same(source, source) for name, part in table.in_source()}
        loose = {name: part * same(group, group) for name, part in table.in_group()}
        loose |= {name: np.diag(part) for name, part in table.rest()}
        return steady, loose

    def of_parameters(self) -> Floats:
        """Covariance of the contrasts that the uncertain parameters cause, and rounding."""
        slopes = self.within.of(self.table.slopes)
        return np.asarray((slopes * VARIANCES) @ slopes.T + ROUNDING * np.eye(len(slopes)), dtype=np.float64)


class Contrasts:
    """Orthonormal contrasts within groups: what is left of rows when the level of their group is unknown."""

    def __init__(self, groups: Sequence[str]) -> None:
        place: dict[str, list[int]] = {}
        for i, group in enumerate(groups):
            place.setdefault(group, []).append(i)
        rows: list[Floats] = []
        self.first: list[int] = []  # of each contrast, a row of its group
        self.blocks: list[slice] = []  # contrasts of each group
        for members in place.values():
            start = len(rows)
            for j in range(1, len(members)):
                row = np.zeros(len(groups))
                row[members[:j]], row[members[j]] = -1.0 / j, 1.0
                rows.append(row / np.linalg.norm(row))
                self.first.append(members[0])
            if len(rows) > start:
                self.blocks.append(slice(start, len(rows)))
        self.matrix = np.array(rows, dtype=np.float64).reshape(len(rows), len(groups))

    def of(self, values: Floats) -> Floats:
        """Contrasts of columns, or, where `values` is square, of a covariance of rows."""
        left = self.matrix @ values
        square = values.ndim == 2 and values.shape[0] == values.shape[1]
        return np.asarray(left @ self.matrix.T if square else left, dtype=np.float64)


def robust_inverse(steady: Floats, loose: Floats, misses: Floats, blocks: Sequence[slice]) -> tuple[Floats, Floats]:
    """Inverse of steady + loose / weights, with the weight of each contrast's group, found by repetition."""
    weights = np.ones(len(misses))
    for _ in range(4):  # the fifth changes no answer by 0.1 %
        scale = 1.0 / np.sqrt(weights)
        inverse = np.linalg.inv(steady + loose * np.outer(scale, scale))
        pull = inverse @ misses
        for block in blocks:
            distance = float(pull[block] @ np.linalg.solve(inverse[block, block], pull[block]))
            better = (FREEDOM + block.stop - block.start) / (FREEDOM + distance)
            weights[block] = np.sqrt(weights[block] * better)  # half of the way on the log scale, else it swings
    return np.asarray(inverse, dtype=np.float64), weights


class Effects:
    """Effects fitted to benchmark rows; `contrast` predicts a ratio with its variance."""

    def __init__(
        self, catalogue: Catalogue, rates: RateModel, fit: SpeedFit, leave_out: Callable[[Benchmark], bool]
    ) -> None:
        self._gpus, self._variances = catalogue.gpus, fit.variances
        self.parameters = np.array([fit.parameters[name] for name in NAMES])
        self._evidence = Rows(catalogue, rates, self.parameters, leave_out)
        self.rows = self._evidence.rows
        self._measured = frozenset(row.gpu for row in self.rows)

    def knows(self, gpu: str) -> bool:
        """True when at least one row measures the GPU."""
        return gpu in self._measured

    @cached_property
    def _inverse(self) -> Floats:
        steady, loose = self._evidence.covariances()
        within, empty = self._evidence.within, np.zeros((len(self.rows), len(self.rows)))
        fixed = within.of(self._sum(steady.items(), empty)) + self._evidence.of_parameters()
        moving = within.of(self._sum(loose.items(), empty))
        return robust_inverse(fixed, moving, self._evidence.misses, within.blocks)[0]

    @cached_property
    def _rest_elsewhere(self) -> float:
        """Variance of the rest of a kind that no row could tell: the mean of all kinds."""
        rests = [value for name, value in self._variances.items() if name.startswith("rest of ") and "T4" not in name]
        return float(np.mean(rests)) if rests else 0.0

    @cached_property
    def _pull(self) -> Floats:
        return np.asarray(self._inverse @ self._evidence.misses, dtype=np.float64)

    def view(self, point: Point) -> View:
        """The point with what the rows say of it."""
        evidence = self._evidence
        if not self.rows:
            return View(point=point, shared=np.zeros(0), seen=np.zeros(0))
        shared = self._sum(Table([point]).kept(evidence.table), np.zeros((1, len(self.rows))))[0]
        towards = evidence.within.of(shared + evidence.table.slopes @ (point.slopes * VARIANCES))
        return View(point=point, shared=towards, seen=self._inverse @ towards)

    def contrast(self, before: View, after: View) -> tuple[float, float]:
        """Log speed-up from one to the other on a new workload of a new source, and its variance (not stretched)."""
        source, target = before.point, after.point
        pair, zero = Table([source, target]), np.zeros((2, 2))
        slope, towards = target.slopes - source.slopes, after.shared - before.shared
        mean = target.log_speed - source.log_speed + NO_NVLINK * (target.apart - source.apart)
        prior = _of_difference(self._sum(pair.kept(pair), zero)) + float(slope**2 @ VARIANCES)
        own = _of_difference(self._sum([*pair.in_source(), *pair.in_group()], zero))
        own += float(self._sum(pair.rest(), np.zeros(2)).sum())
        steps = target.log_speeds - source.log_speeds
        own += float((steps - steps @ target.likely) ** 2 @ target.likely)  # what nobody said of the work
        if self.rows:
            mean += float(slope @ (MEANS - self.parameters)) + float(towards @ self._pull)
            prior = max(prior - float(towards @ (after.seen - before.seen)), 0.0)
        return mean, prior + own + self._assumed(source.gpu, target.gpu)

    def left_out(self) -> Iterator[LeftOut]:
        """Every source with what predictions from the other sources would miss of it.

        With P the inverse covariance and B the contrasts of the source, the errors are inv(P[B, B]) @ (P m)[B] and
        their covariance is inv(P[B, B]).
        """
        within = self._evidence.within
        families = np.array([self.rows[i].source_family for i in within.first], dtype=object)
        for family in sorted(set(families)):
            block = np.flatnonzero(families == family)
            covariance: Floats = np.asarray(np.linalg.inv(self._inverse[np.ix_(block, block)]), dtype=np.float64)
            members = [i for i, row in enumerate(self.rows) if row.source_family == family]
            pairs = tuple(
                LeftOutPair(
                    one=self.rows[members[i]],
                    other=self.rows[members[j]],
                    weight=weight,
                    step=within.matrix[block, members[j]] - within.matrix[block, members[i]],
                )
                for i, j, weight in pairs_of([self.rows[k] for k in members])
            )
            errors = covariance @ self._pull[block]
            yield LeftOut(family=family, covariance=covariance, errors=errors, pairs=pairs)

    def misses(self) -> list[Miss]:
        """Every pair of every source, predicted from the other sources."""
        sources = list(self.left_out())
        joined: dict[tuple[str, frozenset[str]], set[str]] = {}
        for source in sources:
            for pair in source.pairs:
                joined.setdefault(pair.joins, set()).add(source.family)
        return [
            Miss(
                one=pair.one,
                other=pair.other,
                miss=float(pair.step @ source.errors) / source.deviation(pair),
                weight=pair.weight,
                chained=joined[pair.joins] == {source.family},
            )
            for source in sources
            for pair in source.pairs
        ]

    def _sum(self, parts: Iterable[tuple[str, Floats]], start: Floats) -> Floats:
        """Covariances times their variances, and `start`."""
        total = start.copy()
        for name, part in parts:
            unknown = self._rest_elsewhere if name.startswith("rest of ") else 0.0
            total += self._variances.get(name, unknown) * part
        return total

    def _assumed(self, source: str, target: str) -> float:
        never = (source not in self._measured) + (target not in self._measured)
        other = self._gpus[source].vendor != self._gpus[target].vendor
        return never * NEVER_MEASURED + (OTHER_VENDOR if other else 0.0)


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
