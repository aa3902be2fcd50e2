"""How much faster one GPU is than another: the time model and what was measured, joined, with an 80 % interval."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from advisor.engine.catalogue import Benchmark, Catalogue, CatalogueError, SpeedFit
from advisor.engine.evidence import Evidence
from advisor.engine.speed_evidence import assumptions, formula_note, measurement, own_evidence
from advisor.engine.speed_fit import CHAINED, Z80, Effects, View
from advisor.engine.speed_gpus import UnknownGpu, age, resolve_gpu
from advisor.engine.speed_own import OwnRatio
from advisor.engine.speed_points import Point
from advisor.engine.speed_time import RateModel, Rates
from advisor.engine.speed_work import (
    KINDS,
    NETWORKS,
    PRECISIONS,
    RUNTIMES,
    UNMEASURED_KINDS,
    UnknownWork,
    Work,
    canonical_precision,
)

__all__ = ["KINDS", "PRECISIONS", "SpeedModel", "Speedup", "UnknownGpu", "UnknownWork", "resolve_gpu"]

Basis = Literal["user", "measured", "modelled", "assumed"]

SLICE_VARIANCE = 0.09  # added for every side that is a slice: nobody measured it
REFERENCE = "V100 SXM2 16GB"  # shares of time are told of this one


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
    """Speed-ups between the GPUs of a catalogue; the effects are worked out on first use and answers are kept.

    `leave_out` names benchmark rows that must not be used and `fit` a fit made without them (for scoring); `tf32` is
    the assumption that fp32 training and inference use TF32 from compute capability 8.0 on; `measured` are the
    user's own ratios, of which the later of the same two GPUs counts. Raises CatalogueError without a fit.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        leave_out: Callable[[Benchmark], bool] | None = None,
        fit: SpeedFit | None = None,
        tf32: bool = True,
        measured: Iterable[OwnRatio] = (),
    ) -> None:
        self._catalogue = catalogue
        self._leave_out = leave_out or (lambda row: False)
        self._fit = fit or fit_without(catalogue, "")
        self._tf32 = tf32
        self._own = {one.gpus: one for one in measured}
        self._answers: dict[tuple[str, str, Work, float, float, bool, bool], Speedup | None] = {}
        self._views: dict[tuple[str, Work, bool], View] = {}

    def with_own(self, measured: Iterable[OwnRatio]) -> SpeedModel:
        """The same model with other ratios of the user's; what was worked out from benchmarks is shared."""
        self._effects  # noqa: B018 (worked out before it is shared)
        other = copy.copy(self)
        other._own, other._answers = {one.gpus: one for one in measured}, {}
        return other

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
        work = Work(kind=kind, precision=precision)
        return self.speedup_on(work, source, target, source_share=source_share, target_share=target_share)

    def speedup_on(
        self,
        work: Work,
        source: str,
        target: str,
        *,
        source_share: float = 1.0,
        target_share: float = 1.0,
        source_apart: bool = False,
        target_apart: bool = False,
    ) -> Speedup | None:
        """As `speedup`, on work of which network, batch or runtime is known; `apart`: several GPUs without NVLink."""
        key = (source, target, work, source_share, target_share, source_apart, target_apart)
        if key not in self._answers:
            self._check(source, target, work, (source_share, target_share))
            self._answers[key] = self._answer(*key)
        return self._answers[key]

    def _check(self, source: str, target: str, work: Work, shares: tuple[float, float]) -> None:
        for gpu in (source, target):
            if gpu not in self._catalogue.gpus:
                raise UnknownGpu(f"no GPU is called {gpu!r}; there are: {', '.join(sorted(self._catalogue.gpus))}")
        for word, value, allowed in (
            ("kind", work.kind, KINDS),
            ("precision", work.precision, PRECISIONS),
            ("network", work.network or NETWORKS[0], NETWORKS),
            ("runtime", work.runtime or RUNTIMES[0], RUNTIMES),
        ):
            if value not in allowed:
                raise UnknownWork(f"no {word} is called {value!r}; there are: {', '.join(allowed)}")
        if work.kind == "hpc-fp64" and work.precision != "fp64":
            raise UnknownWork(f"hpc-fp64 is work in fp64, not in {work.precision}")
        if work.batch is not None and not 0 < work.batch < math.inf:
            raise UnknownWork(f"a batch is above 0, not {work.batch:g}")
        if not all(0 < share <= 1 for share in shares):
            raise ValueError(f"a share is above 0 and at most 1, not {list(shares)}")

    def _answer(
        self,
        source: str,
        target: str,
        work: Work,
        source_share: float,
        target_share: float,
        source_apart: bool,
        target_apart: bool,
    ) -> Speedup | None:
        old, new = self._rates_of(source, work), self._rates_of(target, work)
        joining = self._joining(source, target, work.kind, old, new)
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
                kind_groups=len(self._by_group.get(work.kind, {})),
                chained=chained,
            )

        if source == target and source_share == target_share:
            same = Evidence(kind="listed", source="the same GPU", note="nothing changes")
            return answer(1.0, 0.0, "measured", (same,))
        own = self._own.get(frozenset((source, target)))
        if own is not None:
            ratio = own.ratio if own.from_gpu == source else 1 / own.ratio
            return answer(ratio * scale, 0.0, "user", (own_evidence(source, target, ratio, own.note),))
        if old is None or new is None:
            return None
        mean, variance, formula = 0.0, 0.0, 0.0
        if source != target:
            before = self._view(source, work, old, apart=source_apart)
            after = self._view(target, work, new, apart=target_apart)
            mean, variance = self._effects.contrast(before, after)
            formula = after.point.log_speed - before.point.log_speed
            variance *= (self._stretch(source, target, work.kind) * (CHAINED if chained else 1.0)) ** 2
        variance += SLICE_VARIANCE * ((source_share < 1) + (target_share < 1))
        basis: Basis = "assumed" if work.kind in UNMEASURED_KINDS else "measured" if joining else "modelled"
        slices = source_share < 1 or target_share < 1
        evidence = (
            *(measurement(one, other) for one, other in joining),
            self._formula(work, basis, (source, old), (target, new), (formula, mean)),
            *assumptions(
                [self._catalogue.gpus[name] for name in dict.fromkeys((source, target))],
                work,
                tf32=self._tf32,
                slices=slices,
                unmeasured=[name for name in dict.fromkeys((source, target)) if not self._effects.knows(name)],
            ),
        )
        return answer(math.exp(mean) * scale, math.sqrt(variance), basis, evidence)

    @cached_property
    def _rates(self) -> RateModel:
        families = {row.source_family for row in self._catalogue.benchmarks}
        kept = {row.source_family for row in self._catalogue.benchmarks if not self._leave_out(row)}
        return RateModel(self._catalogue, tf32=self._tf32, without=families - kept)

    @cached_property
    def _effects(self) -> Effects:
        return Effects(self._catalogue, self._rates, self._fit, self._leave_out)

    @cached_property
    def _by_group(self) -> Mapping[str, Mapping[str, Mapping[str, Benchmark]]]:
        """Rows by kind, group and GPU."""
        kinds: dict[str, dict[str, dict[str, Benchmark]]] = {}
        for row in self._effects.rows:
            kinds.setdefault(row.kind, {}).setdefault(row.group, {})[row.gpu] = row
        return kinds

    def _rates_of(self, gpu: str, work: Work) -> Rates | None:
        return self._rates.rates(gpu, work.kind, work.precision)

    def _view(self, gpu: str, work: Work, rates: Rates, *, apart: bool = False) -> View:
        key = (gpu, work, apart)
        if key not in self._views:
            point = Point.of(self._catalogue.gpus[gpu], work, rates, self._effects.parameters, apart=apart)
            self._views[key] = self._effects.view(point)
        return self._views[key]

    def _stretch(self, source: str, target: str, kind: str) -> float:
        """How much wider than its own variance says the interval of a pair is."""
        older = min((source, target), key=lambda gpu: age(self._catalogue, gpu))
        factors = self._fit.stretches
        return factors.get(kind, factors["all"]) * factors.get(f"from {older}", 1.0)

    def _joining(
        self, source: str, target: str, kind: str, old: Rates | None, new: Rates | None
    ) -> list[tuple[Benchmark, Benchmark]]:
        """Rows of the groups of the kind that hold both GPUs, at a precision that is as fast as the one asked for."""
        if source == target or old is None or new is None:
            return []
        both = [(g[source], g[target]) for g in self._by_group.get(kind, {}).values() if source in g and target in g]
        return [rows for rows in both if self._as_fast(rows[0], old) and self._as_fast(rows[1], new)]

    def _as_fast(self, row: Benchmark, asked: Rates) -> bool:
        if row.kind == "hpc-bandwidth":
            return True  # arithmetic of any width waits for the memory
        return self._rates.rates(row.gpu, row.kind, canonical_precision(row.precision)) == asked

    def _formula(
        self, work: Work, basis: Basis, old: tuple[str, Rates], new: tuple[str, Rates], logs: tuple[float, float]
    ) -> Evidence:
        reference = self._rates_of(REFERENCE, work) if REFERENCE in self._catalogue.gpus else None
        return Evidence(
            kind="assumed" if basis == "assumed" else "modelled",
            source=self._fit.source,
            as_of=self._fit.as_of,
            note=formula_note(self._view(REFERENCE, work, reference).point if reference else None, old, new, logs),
        )


def fit_without(catalogue: Catalogue, family: str) -> SpeedFit:
    """The fit made without the rows of one source family; "" is the one from all rows.

    A family that the catalogue has no fit for has no rows in it either, so the fit from all rows answers. Raises
    CatalogueError when there is no fit at all.
    """
    fits = {fit.left_out: fit for fit in catalogue.speed_fits}
    found = fits.get(family) or fits.get("")
    if found is None:
        raise CatalogueError("the catalogue has no speed fit: run manage.py fit_speed, then load the fixtures")
    return found
