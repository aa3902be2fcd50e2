"""Fitting the speed model to benchmarks: parameters of the time model, variances of the effects, widths of intervals.

    manage.py fit_speed

makes one fit from all rows and one without each source, so that a source can be scored by a fit that never saw it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from advisor.engine.catalogue import Benchmark, Catalogue, SpeedFit
from advisor.engine.speed_fit import CHAINED, Z80, Effects, Miss, Rows, robust_inverse, weighted_quantile
from advisor.engine.speed_gpus import age
from advisor.engine.speed_prior import LOG_VARIANCE, MEANS, NAMES, VARIANCES
from advisor.engine.speed_time import Floats, RateModel

ROUNDS = 4  # of parameters and variances in turn; the fifth changes no answer by 1 %
STEPS = 40  # towards the likeliest variances, in each round
LOG_BOUNDS = (-14.0, 3.0)  # of a variance: below, an effect is as good as none
COVERAGE = 0.91  # share of left-out pairs that the intervals are calibrated to hold: a new source scatters more
LEAST_STRETCH = 0.2  # two or three tables that agree by chance are not that certain
STRETCH_GROUPS = 4.0  # a kind or GPU with this many groups moves half of the way from the common stretch to its own


def train(
    catalogue: Catalogue,
    leave_out: Callable[[Benchmark], bool],
    *,
    left_out: str,
    as_of: date,
) -> SpeedFit:
    """The fit to the rows of a catalogue that are not left out; `left_out` is what the fit says of them."""
    kept = {row.source_family for row in catalogue.benchmarks if not leave_out(row)}
    rates = RateModel(catalogue, without={row.source_family for row in catalogue.benchmarks} - kept)
    parameters, logs = MEANS, dict[str, float]()
    for _ in range(ROUNDS):
        evidence = Rows(catalogue, rates, parameters, leave_out)
        logs, inverse = _variances(evidence, logs)
        slopes = evidence.within.of(evidence.table.slopes)
        best = MEANS + VARIANCES * (slopes.T @ (inverse @ evidence.misses))
        parameters = parameters + np.clip(best - parameters, -1.0, 1.0)  # the slopes hold nearby only
    fit = SpeedFit(
        left_out=left_out,
        parameters={name: round(float(value), 4) for name, value in zip(NAMES, parameters, strict=True)},
        variances={name: round(math.exp(value), 6) for name, value in logs.items()},
        stretches={},
        source=f"fitted on the benchmarks of this catalogue, {len(evidence.rows)} rows; see docs/speed-model.md",
        as_of=as_of,
    )
    effects = Effects(catalogue, rates, fit, leave_out)
    return replace(fit, stretches=stretches(catalogue, effects.misses()))


def _variances(evidence: Rows, logs: Mapping[str, float]) -> tuple[dict[str, float], Floats]:
    """Log variances that make the rows likeliest, started from `logs`, and the inverse covariance they give."""
    of = evidence.within.of
    steady, loose = ({name: of(part) for name, part in parts.items()} for parts in evidence.covariances())
    base, misses, blocks = evidence.of_parameters(), evidence.misses, evidence.within.blocks
    names = [*steady, *loose]
    start = np.array([logs.get(name, LOG_VARIANCE[0]) for name in names])

    def inverse_at(values: Floats) -> tuple[Floats, Floats]:
        sizes = dict(zip(names, np.exp(values), strict=True))
        fixed = base + sum((sizes[name] * part for name, part in steady.items()), np.zeros_like(base))
        moving = sum((sizes[name] * part for name, part in loose.items()), np.zeros_like(base))
        return robust_inverse(fixed, moving, misses, blocks)

    weights = inverse_at(start)[1] if logs else np.ones(len(misses))
    scale = 1.0 / np.sqrt(weights)
    parts = np.array([*steady.values(), *(part * np.outer(scale, scale) for part in loose.values())])
    found = likeliest(parts, base, misses, start)
    return dict(zip(names, found.tolist(), strict=True)), inverse_at(found)[0]


def likeliest(parts: Floats, base: Floats, misses: Floats, start: Floats) -> Floats:
    """Log variances x at which `misses` are likeliest under base + sum(exp(x) * parts), with a broad prior on x.

    Quasi-Newton steps (BFGS), halved until they help.
    """
    flat, eye = parts.reshape(len(parts), -1), np.eye(len(start))
    middle, width = LOG_VARIANCE

    def cost(x: Floats) -> tuple[float, Floats]:
        covariance = base + (np.exp(x) @ flat).reshape(base.shape)
        inverse = np.linalg.inv(covariance)
        pull = inverse @ misses
        value = 0.5 * float(misses @ pull) + float(np.log(np.diag(np.linalg.cholesky(covariance))).sum())
        slope = 0.5 * np.exp(x) * (flat @ (inverse - np.outer(pull, pull)).ravel())
        return value + float(np.sum((x - middle) ** 2)) / (2 * width**2), slope + (x - middle) / width**2

    x, curve = start, 0.1 * eye
    value, slope = cost(x)
    for _ in range(STEPS):
        step = -curve @ slope
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-9))
        for halving in range(10):
            ahead = np.clip(x + step / 2**halving, *LOG_BOUNDS)
            next_value, next_slope = cost(ahead)
            if next_value < value:
                break
        else:
            break
        moved, turned = ahead - x, next_slope - slope
        gain, along = value - next_value, float(moved @ turned)
        if along > 1e-10:
            left = eye - np.outer(moved, turned) / along
            curve = left @ curve @ left.T + np.outer(moved, moved) / along
        x, value, slope = ahead, next_value, next_slope
        if gain < 1e-3:
            break
    return np.asarray(x, dtype=np.float64)


def stretches(catalogue: Catalogue, misses: Sequence[Miss]) -> dict[str, float]:
    """Factors on deviations with which COVERAGE of left-out pairs fall inside: common, by kind, by older GPU.

    A kind's factor lies between its own and the common one by its number of groups, and is at least 1: sources of a
    kind that agree say little of the next one. A GPU's lies between its own and 1.
    """
    if not misses:
        return {"all": 1.0}
    misses = [replace(miss, miss=miss.miss / CHAINED) if miss.chained else miss for miss in misses]
    found = {"all": _stretch(misses)}
    by_kind: dict[str, list[Miss]] = {}
    by_gpu: dict[str, list[Miss]] = {}
    for miss in misses:
        by_kind.setdefault(miss.one.kind, []).append(miss)
        older = min((miss.one, miss.other), key=lambda row: age(catalogue, row.gpu))
        by_gpu.setdefault(older.gpu, []).append(miss)
    for kind, members in by_kind.items():
        found[kind] = max(_between(found["all"], _stretch(members), members), 1.0)
    for gpu, members in by_gpu.items():
        rest = [replace(miss, miss=miss.miss / found[miss.one.kind]) for miss in members]
        found[f"from {gpu}"] = _between(1.0, _stretch(rest), members)
    return {name: round(value, 4) for name, value in found.items()}


def _stretch(misses: Sequence[Miss]) -> float:
    quantile = weighted_quantile([abs(m.miss) for m in misses], [m.weight for m in misses], COVERAGE)
    return max(quantile / Z80, LEAST_STRETCH)


def _between(common: float, own: float, misses: Sequence[Miss]) -> float:
    groups = len({miss.one.group for miss in misses})
    return math.exp((groups * math.log(own) + STRETCH_GROUPS * math.log(common)) / (groups + STRETCH_GROUPS))
