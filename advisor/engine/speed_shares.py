"""What each kind of work waits for: the time model's shares of the time of one V100, for pages to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.engine.catalogue import Catalogue
from advisor.engine.speed import REFERENCE, fit_without
from advisor.engine.speed_points import Point
from advisor.engine.speed_prior import NAMES
from advisor.engine.speed_time import RateModel
from advisor.engine.speed_work import GROUPS_OF, Work

#: Works that are shown, with their usual precision; those of deep learning for each network too.
SHOWN = (
    Work(kind="training", precision="fp32"),
    Work(kind="training", precision="mixed"),
    Work(kind="training-8gpu", precision="mixed"),
    Work(kind="inference", precision="fp16"),
    Work(kind="inference-small", precision="fp16"),
    Work(kind="llm-decode", precision="fp16"),
    Work(kind="llm-prefill", precision="fp16"),
    Work(kind="hpc-md", precision="mixed"),
    Work(kind="hpc-bandwidth", precision="fp64"),
    Work(kind="hpc-fp64", precision="fp64"),
    Work(kind="unknown", precision="fp32"),
)
BY_NETWORK = (Work(kind="training", precision="mixed"), Work(kind="inference-small", precision="fp16"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Shares of the time of one V100 SXM2 that wait for arithmetic, for memory, for neither; they add up to 1."""

    work: Work
    compute: float
    bandwidth: float
    fixed: float


def shares(catalogue: Catalogue) -> Iterator[Shares]:
    """The shares of each shown work, then of each network apart."""
    fit = fit_without(catalogue, "")
    parameters, rates = np.array([fit.parameters[name] for name in NAMES]), RateModel(catalogue)
    apart = (
        Work(kind=work.kind, precision=work.precision, network=network)
        for work in BY_NETWORK
        for network in GROUPS_OF[work.kind]
    )
    for work in (*SHOWN, *apart):
        sustained = rates.rates(REFERENCE, work.kind, work.precision)
        if sustained is None:
            continue
        point = Point.of(catalogue.gpus[REFERENCE], work, sustained, parameters)
        fixed = 1.0 - point.compute_share - point.bandwidth_share
        yield Shares(work=work, compute=point.compute_share, bandwidth=point.bandwidth_share, fixed=max(0.0, fixed))
