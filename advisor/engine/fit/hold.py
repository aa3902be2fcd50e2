"""Which sizes hold a model, shared over how many GPUs, and up to which context and how many users."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from advisor.engine.fit.facts import Model
from advisor.engine.fit.figures import MARGIN
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.parts import Need
from advisor.engine.fit.room import Room
from advisor.engine.fit.work import Split, Work

Verdict = Literal["holds", "unsure", "too-small"]
#: Machines that share one model at most.
MOST_MACHINES = 8
#: Where the search for the most users and, without a limit of the model, the longest context ends.
MOST_USERS, MOST_TOKENS = 65_536, 16_777_216
_ORDER: dict[Verdict, int] = {"holds": 0, "unsure": 1, "too-small": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What came out for one size: the least GPUs of it that hold the model, else the verdict of the most it has.

    `doubt`: why it is unsure although its memory holds the model; empty where memory alone decides.
    """

    room: Room
    split: Split
    need: Need
    verdict: Verdict
    doubt: str = ""

    @property
    def machines(self) -> int:
        return self.split.stages

    @property
    def gpu_memory_gib(self) -> float:
        """Nominal memory of all GPUs that are paid for."""
        return self.room.nominal_gib * self.room.gpus * self.machines

    def hourly_price(self, vm_price: float | None) -> float | None:
        """Price per hour of all machines from that of one; None where it is unknown."""
        return None if vm_price is None else vm_price * self.machines


def verdict_of(need: Need, usable_gib: float, work: Work) -> Verdict:
    """holds: the formula leaves the margin free and even the upper bound fits. too-small: not even the lower bound
    fits. unsure: anything else, an unknown upper bound with it; it is never called a fit."""
    if need.low_gib > usable_gib:
        return "too-small"
    return "holds" if _spent(need, usable_gib, work) <= 1.0 else "unsure"


def _spent(need: Need, usable_gib: float, work: Work) -> float:
    """Share of what may be used: the upper bound of all, or the value of the formula of what the margin leaves."""
    if need.high_gib is None:
        return math.inf
    return max(need.high_gib / usable_gib, need.expected_gib / left_gib(usable_gib, work))


def left_gib(usable_gib: float, work: Work) -> float:
    """What the margin leaves of the memory of one GPU."""
    return usable_gib * (1.0 - MARGIN[work.task].expected)


def nearest(unsure: Iterable[Holding], work: Work) -> Holding | None:
    """Of those whose memory is unsure the one that lacks least, the first of equals; None: there is none."""
    open_ = (one for one in unsure if not one.doubt)
    return min(open_, key=lambda one: _spent(one.need, one.room.usable_gib, work), default=None)


def splits(model: Model, work: Work, room: Room) -> Iterator[Split]:
    """Ways to share the model over GPUs of one size, fewest GPUs first.

    In one machine: 1, 2, 4, 8 GPUs. A model that serves is cut in every layer, so its attention heads must divide by
    the GPUs. Several machines need InfiniBand, and use all GPUs of each that divide the heads: layers are shared out
    over them when it serves, everything when it trains.
    """
    inside = [count for count in (1, 2, 4, 8, 16) if count <= room.gpus and _divides(model, work, count)]
    for count in inside:
        yield Split(tensor=count)
    if room.size.rdma in (None, "none") or room.gpus < 2:
        return
    for machines in range(2, MOST_MACHINES + 1):
        if model.layers is None or machines <= model.layers:
            yield Split(tensor=inside[-1], stages=machines)


def _divides(model: Model, work: Work, count: int) -> bool:
    if work.task == "training" or count == 1:
        return True
    return model.kind != "other" and (model.heads is None or model.heads % count == 0)


def hold(model: Model, work: Work, room: Room) -> Holding:
    """The fewest GPUs of one size that hold the model; where none do, the best verdict, on the fewest GPUs."""
    ways = splits(model, work, room)
    best = _tried(model, work, room, next(ways))  # one GPU is always a way
    for split in ways:
        if best.verdict == "holds":
            break
        found = _tried(model, work, room, split)
        best = found if _ORDER[found.verdict] < _ORDER[best.verdict] else best
    return best


def _tried(model: Model, work: Work, room: Room, split: Split) -> Holding:
    need = need_on_each(model, work, split)
    return Holding(room=room, split=split, need=need, verdict=verdict_of(need, room.usable_gib, work))


def holdings(model: Model, work: Work, rooms: Iterable[Room], doubts: Mapping[str, str]) -> tuple[Holding, ...]:
    """One per size: those that hold it first, then by GPU memory paid for, machines, GPUs, memory of the VM, name.

    `doubts`: by size, what nobody knows of it although the work depends on it; such a size is never called a fit.
    """
    found = (_doubted(hold(model, work, room), doubts.get(room.size.name, "")) for room in rooms)
    return tuple(sorted(found, key=_rank))


def _doubted(holding: Holding, doubt: str) -> Holding:
    return replace(holding, verdict="unsure", doubt=doubt) if doubt and holding.verdict == "holds" else holding


def _rank(holding: Holding) -> tuple[int, float, int, int, float, str]:
    size = holding.room.size
    return (
        _ORDER[holding.verdict],
        holding.gpu_memory_gib,
        holding.machines,
        holding.split.gpus,
        size.memory_gib or 0.0,
        size.name,
    )


def longest_context(model: Model, work: Work, holding: Holding) -> int | None:
    """Most tokens per sequence that the same GPUs hold with as many users; None: not even one is sure to fit."""
    most = model.max_context or MOST_TOKENS
    return _most(most, lambda tokens: _holds(model, replace(work, context=tokens), holding))


def most_users(model: Model, work: Work, holding: Holding) -> int | None:
    """Most sequences at once that the same GPUs hold at that context; None: not even one is sure to fit."""
    return _most(MOST_USERS, lambda users: _holds(model, replace(work, users=users), holding))


def _holds(model: Model, work: Work, holding: Holding) -> bool:
    need = need_on_each(model, work, holding.split)
    return verdict_of(need, holding.room.usable_gib, work) == "holds"


def _most(end: int, holds: Callable[[int], bool]) -> int | None:
    """The largest number up to `end` that holds; a need never falls when the number grows."""
    if not holds(1):
        return None
    low, high = 1, end + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
