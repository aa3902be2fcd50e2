"""How much faster jobs that share a GPU by MPS end, and the published experiment as a check of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from advisor.engine.edge.devices import EdgeCatalogue

PUBLISHED_JOBS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Time with MPS as a share of the time with time sharing, for jobs that run together.

    `low` is the bound where no job can fill the GPU alone, so that all run at once; `high` where each fills it, so
    that nothing is won. `expected` only for as many jobs as were measured.
    """

    jobs: int
    low: float
    expected: float | None
    high: float
    basis: str  # measured, bound
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The experiment: seconds per job without and with MPS, and whether the estimate's range holds it."""

    without_s: float
    with_s: float
    ratio: float
    inside: bool
    source: str
    as_of: date


def estimate(edge: EdgeCatalogue, jobs: int) -> Estimate:
    fact = edge.facts["share-measured-with"]
    measured = jobs == PUBLISHED_JOBS
    return Estimate(
        jobs=jobs,
        low=1 / jobs,
        expected=published_ratio(edge) if measured else None,
        high=1.0,
        basis="measured" if measured else "bound",
        note="Measured once, with two n-body jobs on one T4; other work gains more or less."
        if measured
        else "Only two jobs were measured: for this number there are bounds alone.",
        source=fact.source,
        as_of=fact.as_of,
    )


def published_ratio(edge: EdgeCatalogue) -> float:
    return edge.figure("share-measured-with") / edge.figure("share-measured-without")


def published(edge: EdgeCatalogue) -> Published:
    """The experiment against the bounds of the estimate, which do not use it."""
    bounds, fact = estimate(edge, PUBLISHED_JOBS), edge.facts["share-measured-with"]
    ratio = published_ratio(edge)
    return Published(
        without_s=edge.figure("share-measured-without"),
        with_s=edge.figure("share-measured-with"),
        ratio=ratio,
        inside=bounds.low <= ratio <= bounds.high,
        source=fact.source,
        as_of=fact.as_of,
    )
