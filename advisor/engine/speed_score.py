"""How far the speed model is off on published pairs that it was not allowed to see.

    error = ln(expected) - ln(measured)

A pair is two different GPUs within one comparable group, from the older to the newer (release year, then fp32 rate,
then name), per GPU (throughput / gpus, or 1 / time), at the precision of the newer one's row. The pairs of a group
share a weight of 1. Medians and percentiles are weighted: the least error such that the errors up to it hold at
least that share of the weight, without interpolation. `kernel` rows calibrate and are never scored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from advisor.engine.catalogue import Benchmark, Catalogue, SpeedFit
from advisor.engine.speed import SpeedModel, fit_without
from advisor.engine.speed_fit import CALIBRATION_KIND, pairs_of, row_speed, weighted_quantile
from advisor.engine.speed_gpus import age
from advisor.engine.speed_points import apart
from advisor.engine.speed_train import train
from advisor.engine.speed_work import work_of

Leave = Literal["source", "group"]


class UnreadableBenchmarks(ValueError):
    """A file that is not a table of benchmarks; the message says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPair:
    """One published speed-up and the model's answer, given without the pair's own source (or group)."""

    group: str
    source: str
    target: str
    kind: str
    measured: float
    low: float
    expected: float
    high: float
    weight: float

    @property
    def error(self) -> float:
        return abs(math.log(self.expected / self.measured))

    @property
    def inside(self) -> bool:
        return self.low <= self.measured <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Errors of some pairs; `inside_interval` is the weighted share of pairs within low and high."""

    groups: int
    pairs: int
    median_abs_log_error: float
    p90_abs_log_error: float
    inside_interval: float

    @property
    def median_share(self) -> float:
        """The median error as a share of the smaller figure: exp(error) - 1."""
        return math.expm1(self.median_abs_log_error)

    @property
    def p90_share(self) -> float:
        """The 90th percentile likewise."""
        return math.expm1(self.p90_abs_log_error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """All pairs with their scores by kind, by source GPU, and together; `unanswered` counts pairs without an answer."""

    kinds: dict[str, Score]
    sources: dict[str, Score]
    all: Score
    pairs: tuple[ScoredPair, ...]
    unanswered: int


def validate(catalogue: Catalogue, *, leave: Leave = "source", rows: Sequence[Benchmark] | None = None) -> Validation:
    """Score the model on the shipped benchmarks, or on `rows` of a file.

    Every pair is answered by the fit that was made without the pair's source family, from rows without that family (or
    without the group). With `rows`, no scored figure of the file is used for any answer either: shipped rows of the
    same groups, and of the same benchmark, GPU and precision, are left out, and where they stand in other families a
    fit is made without them, which takes some seconds. Raises UnreadableBenchmarks when no pair can be scored.
    """
    scored = [row for row in (catalogue.benchmarks if rows is None else rows) if row.kind != CALIBRATION_KIND]
    in_file = _equal_to(scored) if rows is not None else _nothing
    parts: dict[str, list[Benchmark]] = {}
    for row in scored:
        parts.setdefault(row.source_family if leave == "source" else row.group, []).append(row)
    pairs: list[ScoredPair] = []
    unanswered = 0
    for part, members in parts.items():
        leave_out = _leaving(part, leave, in_file)
        model = SpeedModel(catalogue, leave_out=leave_out, fit=_fit(catalogue, members[0].source_family, in_file))
        for i, j, weight in pairs_of(members):
            pair = score_pair(catalogue, model, members[i], members[j], weight)
            unanswered += pair is None
            pairs += [pair] if pair else []
    if not pairs:
        raise UnreadableBenchmarks("no two GPUs share a comparable_group, so there is nothing to score")
    return Validation(
        kinds={kind: score(p for p in pairs if p.kind == kind) for kind in sorted({p.kind for p in pairs})},
        sources={gpu: score(p for p in pairs if p.source == gpu) for gpu in sorted({p.source for p in pairs})},
        all=score(pairs),
        pairs=tuple(pairs),
        unanswered=unanswered,
    )


def _fit(catalogue: Catalogue, family: str, in_file: Callable[[Benchmark], bool]) -> SpeedFit:
    """A fit without the family and without every family that holds figures of the file.

    Fits without one family are stored; for more than one it is made now.
    """
    held = {row.source_family for row in catalogue.benchmarks if row.source_family == family or in_file(row)}
    if len(held) <= 1:
        return fit_without(catalogue, held.pop() if held else "")
    day = fit_without(catalogue, "").as_of
    return train(catalogue, lambda row: row.source_family == family or in_file(row), left_out=family, as_of=day)


def score_pair(
    catalogue: Catalogue, model: SpeedModel, one: Benchmark, other: Benchmark, weight: float
) -> ScoredPair | None:
    """The pair from older to newer with the model's answer on the newer row's work; None when the model has none."""
    old, new = sorted((one, other), key=lambda row: age(catalogue, row.gpu))
    answer = model.speedup_on(
        work_of(new),
        old.gpu,
        new.gpu,
        source_apart=apart(old, catalogue.gpus[old.gpu]),
        target_apart=apart(new, catalogue.gpus[new.gpu]),
    )
    if answer is None:
        return None
    return ScoredPair(
        group=new.group,
        source=old.gpu,
        target=new.gpu,
        kind=new.kind,
        measured=row_speed(new) / row_speed(old),
        low=answer.low,
        expected=answer.expected,
        high=answer.high,
        weight=weight,
    )


def score(pairs: Iterable[ScoredPair]) -> Score:
    """Weighted median, 90th percentile and share inside; at least one pair is needed."""
    listed = list(pairs)
    errors, weights = [pair.error for pair in listed], [pair.weight for pair in listed]
    return Score(
        groups=len({pair.group for pair in listed}),
        pairs=len(listed),
        median_abs_log_error=weighted_quantile(errors, weights, 0.5),
        p90_abs_log_error=weighted_quantile(errors, weights, 0.9),
        inside_interval=sum(pair.weight for pair in listed if pair.inside) / sum(weights),
    )


def mixed_as(pairs: Iterable[ScoredPair], like: Sequence[ScoredPair]) -> Score | None:
    """Score of `pairs` with every kind of work weighing as much as it does in `like`; None when they share no kind.

    What the errors of the shipped benchmarks say of the benchmarks of a file: some kinds are predicted less well.
    """
    wanted = _weight_of_kinds(like)
    held = [pair for pair in pairs if pair.kind in wanted]
    if not held:
        return None
    has = _weight_of_kinds(held)
    return score(replace(pair, weight=pair.weight * wanted[pair.kind] / has[pair.kind]) for pair in held)


def _weight_of_kinds(pairs: Iterable[ScoredPair]) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    for pair in pairs:
        weights[pair.kind] = weights.get(pair.kind, 0.0) + pair.weight
    return weights


def _nothing(row: Benchmark) -> bool:
    return False


def _equal_to(rows: Sequence[Benchmark]) -> Callable[[Benchmark], bool]:
    """True for a row of the same group, or of the same benchmark, GPU and precision, as one of `rows`."""
    groups = {row.group for row in rows}
    figures = {(row.benchmark, row.gpu, row.precision) for row in rows}
    return lambda row: (
        row.kind != CALIBRATION_KIND and (row.group in groups or (row.benchmark, row.gpu, row.precision) in figures)
    )


def _leaving(part: str, leave: Leave, in_file: Callable[[Benchmark], bool]) -> Callable[[Benchmark], bool]:
    if leave == "source":
        return lambda row: row.source_family == part or in_file(row)
    return lambda row: row.group == part or in_file(row)
