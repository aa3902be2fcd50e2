"""Pieces of work on GPUs as the effects of the speed model see them, and the covariances that the effects cause."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.engine.catalogue import Benchmark, Gpu
from advisor.engine.speed_prior import NAMES
from advisor.engine.speed_time import Design, Floats, Rates
from advisor.engine.speed_work import NETWORKS, Work

Labels = NDArray[np.int64]
# Kinds whose rest has no variance of its own, with few groups or none, and the kind whose they take.
REST_OF: Mapping[str, str] = {
    "llm-prefill": "llm-decode",
    "hpc-fp64": "hpc-md",
    "graphics": "inference-small",
    "unknown": "inference-small",
}


def chip_of(gpu: Gpu) -> str:
    """The chip behind a board: its compute capability, else its architecture (A100 SXM and PCIe are one chip)."""
    return gpu.architecture if gpu.compute_capability is None else f"{gpu.compute_capability:.1f}"


def apart(row: Benchmark, gpu: Gpu) -> bool:
    """True where several GPUs train together without NVLink between all of them."""
    return row.kind.startswith("training") and row.gpus > 1 and "PCIe" in gpu.interconnect


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One GPU doing one work; of a work that leaves something open, the mean of all that it may be."""

    gpu: str
    chip: str
    arithmetic: str
    kind: str
    networks: tuple[float, ...]  # weight of each of NETWORKS; all 0 for work without a network
    log_speeds: Floats  # of the time model, a figure per variant of the work
    likely: Floats  # how likely each variant is; sum 1
    slopes: Floats  # derivative of the log speed by each parameter
    balance: float  # log compute rate minus log bandwidth
    compute_share: float  # shares of the time that wait for arithmetic and for memory
    bandwidth_share: float
    inherited: bool  # its sustained compute share was not measured on this board
    apart: bool

    @property
    def log_speed(self) -> float:
        return float(self.log_speeds @ self.likely)

    @classmethod
    def of(cls, gpu: Gpu, work: Work, rates: Rates, parameters: Floats, *, apart: bool = False) -> Point:
        variants = list(work.variants())
        likely = np.array([share for share, _each in variants])
        design = Design([(each, rates) for _share, each in variants], NAMES)
        times = design.times(parameters)
        weights = [sum(share for share, each in variants if each.network == network) for network in NETWORKS]
        return cls(
            gpu=gpu.name,
            chip=chip_of(gpu),
            arithmetic="vector" if rates.arithmetic == "fp64" else rates.arithmetic,
            kind=work.kind,
            networks=tuple(weights),
            log_speeds=times.log_speed,
            likely=likely,
            slopes=likely @ design.slopes(times),
            balance=math.log(rates.compute_tflops / rates.bandwidth_gbps),
            compute_share=float(times.compute_share @ likely),
            bandwidth_share=float(times.bandwidth_share @ likely),
            inherited=not gpu.shares_note.startswith(("measured", "fp32 measured")),
            apart=apart,
        )


class Table:
    """Points as columns, with the covariances of their effects.

    Effects come by name with their covariance at variance 1, rows of this table x rows of the other.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self._gpus = labels(p.gpu for p in points)
        self._chips = labels(p.chip for p in points)
        self._arithmetics = labels(p.arithmetic for p in points)
        self._networks = _column(p.networks for p in points).reshape(len(points), len(NETWORKS))
        self._inherited = _column(p.inherited for p in points)
        self._balance = _column(p.balance for p in points)
        self._compute = _column(p.compute_share for p in points)
        self._bandwidth = _column(p.bandwidth_share for p in points)
        self._rests = [REST_OF.get(p.kind, p.kind) for p in points]
        self._t4 = _column(p.gpu == "T4" and p.kind.startswith("inference") for p in points)
        self.apart = _column(p.apart for p in points)
        self.log_speed = _column(p.log_speed for p in points)
        self.slopes = _column(p.slopes for p in points).reshape(len(points), len(NAMES))

    def kept(self, other: Table) -> Iterator[tuple[str, Floats]]:
        """Effects that a prediction uses."""
        chip, board = same(self._chips, other._chips), same(self._gpus, other._gpus)
        computing = np.outer(self._compute, other._compute)
        alike = computing * same(self._arithmetics, other._arithmetics)
        yield "compute of a chip", chip * alike
        yield "compute of a board", board * alike
        yield "compute of a board, inherited", board * alike * np.outer(self._inherited, other._inherited)
        yield "compute of a chip on a network", chip * alike * (self._networks @ other._networks.T)
        yield "bandwidth of a chip", chip * np.outer(self._bandwidth, other._bandwidth)
        yield "no NVLink", np.outer(self.apart, other.apart)

    def in_source(self) -> Iterator[tuple[str, Floats]]:
        """Effects that the rows of a source and kind share."""
        moved = self._compute + self._bandwidth
        yield "chip in a source", same(self._chips, self._chips) * np.outer(moved, moved)

    def in_group(self) -> Iterator[tuple[str, Floats]]:
        """Effects that the rows of a group share."""
        yield "steepness of a workload", np.outer(self.log_speed, self.log_speed)
        yield "balance of a workload", np.outer(self._balance, self._balance)
        yield "no NVLink in a workload", np.outer(self.apart, self.apart)

    def rest(self) -> Iterator[tuple[str, Floats]]:
        """Effects of single rows, as diagonals."""
        for kind in dict.fromkeys(self._rests):
            yield f"rest of {kind}", _column(rest == kind for rest in self._rests)
        yield "rest of T4 inference", self._t4


def labels(texts: Iterable[str]) -> Labels:
    """Texts as numbers; only whether two are equal counts."""
    return np.array([hash(text) for text in texts], dtype=np.int64)


def same(one: Labels, other: Labels) -> Floats:
    """1 where two labels are equal, else 0."""
    return np.asarray(one[:, None] == other[None, :], dtype=np.float64)


def _column(values: Iterable[object]) -> Floats:
    return np.array(list(values), dtype=np.float64)
