"""Moves of one size as Microsoft documents them, and its GPU's speed against those it is compared with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from advisor.engine.catalogue import Catalogue, Move, Size
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.engine.microsoft import target_of
from advisor.engine.speed import SpeedModel, Speedup
from advisor.engine.workload import KIND_ELSE, KIND_OF_SERIES, default_precision, gpu_share

#: Kinds of work shown for a speed, by the speed model's name, with the profile kind that gives the default precision.
SPEED_COLUMNS: tuple[tuple[str, str], ...] = (
    ("training", "training"),
    ("inference", "inference"),
    ("hpc-bandwidth", "hpc"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMove:
    """One documented move as seen from a day; `other` is a size or, where the page names no size, a series."""

    move: Move
    other: str
    is_series: bool
    status: LifecycleStatus | None  # of the other side, None for a series
    pick: str | None  # of a series: its size that the page's move means by GPU count
    speed: Speedup | None  # per GPU or slice, of the target over the source; None: unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRow:
    """One GPU against this size's GPU or slice, per kind of work."""

    gpu: str
    sizes: tuple[str, ...]  # current sizes that have it
    speeds: tuple[Speedup | None, ...]  # in the order of SPEED_COLUMNS


def kind_of(size: Size) -> str:
    """The kind of work that the size is taken for by default."""
    return KIND_OF_SERIES.get(size.series, KIND_ELSE)[0]


def precisions_of(catalogue: Catalogue, size: Size) -> tuple[str, ...]:
    """The default precision of this size for each of SPEED_COLUMNS."""
    return tuple(default_precision(profile, size, catalogue)[0] for _kind, profile in SPEED_COLUMNS)


def speed_between(model: SpeedModel, catalogue: Catalogue, source: Size, target: Size) -> Speedup | None:
    """Speed of one GPU or slice of `target` over one of `source`, on the work that `source` is taken for."""
    if source.gpu not in catalogue.gpus or target.gpu not in catalogue.gpus:
        return None
    kind = kind_of(source)
    precision = default_precision(kind, source, catalogue)[0]
    return model.speedup(
        source.gpu or "", target.gpu or "", "inference" if kind == "inference" else kind, precision,
        source_share=gpu_share(source), target_share=gpu_share(target),
    )  # fmt: skip


def moves_from(model: SpeedModel, catalogue: Catalogue, size: Size, as_of: date) -> list[ShownMove]:
    """Documented moves away from the size, newest page first."""
    moves = [move for move in catalogue.moves if move.from_size == size.name]
    return [
        _shown(model, catalogue, move, move.to_size or move.to_series or "", size.name, as_of)
        for move in _newest(moves)
    ]


def moves_to(model: SpeedModel, catalogue: Catalogue, size: Size, as_of: date) -> list[ShownMove]:
    """Documented moves to the size or to its series, newest page first."""
    moves = [move for move in catalogue.moves if move.to_size == size.name or move.to_series == size.series]
    return [_shown(model, catalogue, move, move.from_size, size.name, as_of) for move in _newest(moves)]


def _newest(moves: list[Move]) -> list[Move]:
    return sorted(moves, key=lambda move: (-move.as_of.toordinal(), move.from_size, move.to_size or "", move.workload))


def _shown(model: SpeedModel, catalogue: Catalogue, move: Move, other: str, here: str, as_of: date) -> ShownMove:
    source, target = catalogue.sizes.get(move.from_size), target_of(catalogue, move)
    return ShownMove(
        move=move,
        other=other,
        is_series=other not in catalogue.sizes,
        pick=target.name if target and not move.to_size and target.name != here else None,
        status=status_at(catalogue, other, None, as_of) if other in catalogue.sizes else None,
        speed=speed_between(model, catalogue, source, target) if source and target else None,
    )


def speeds_of(model: SpeedModel, catalogue: Catalogue, size: Size, as_of: date) -> list[SpeedRow]:
    """The GPUs of all current general sizes and of documented targets against this size's, slowest first.

    Slowest by the first kind of work; whole GPUs, against one GPU or slice of this size.
    """
    if size.gpu is None or size.gpu not in catalogue.gpus:
        return []
    sizes: dict[str, list[str]] = {}
    for other in sorted(catalogue.sizes.values(), key=lambda s: (s.gpus or 0.0, s.name)):
        general = other.special is None and status_at(catalogue, other.name, None, as_of).status == "current"
        if other.gpu and general and other.gpu in catalogue.gpus:
            sizes.setdefault(other.gpu, []).append(other.name)
    share = gpu_share(size)
    works = [(kind, prec) for (kind, _p), prec in zip(SPEED_COLUMNS, precisions_of(catalogue, size), strict=True)]
    rows = [
        SpeedRow(
            gpu=gpu,
            sizes=tuple(names),
            speeds=tuple(model.speedup(size.gpu, gpu, kind, prec, source_share=share) for kind, prec in works),
        )
        for gpu, names in sizes.items()
        if gpu != size.gpu or share < 1
    ]
    return sorted(rows, key=lambda row: row.speeds[0].expected if row.speeds[0] else float("inf"))
