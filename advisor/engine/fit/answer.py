"""The whole answer for one model and one kind of work: what it needs, where it fits, and up to where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from advisor.engine.answer import Reason
from advisor.engine.catalogue import Catalogue
from advisor.engine.fit.able import objections
from advisor.engine.fit.facts import FitFacts, Model
from advisor.engine.fit.figures import MARGIN
from advisor.engine.fit.hold import Holding, holdings, longest_context, most_users
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.parts import Need
from advisor.engine.fit.room import Room, least_share, rooms
from advisor.engine.fit.work import Work
from advisor.engine.ledger import status_at

#: States of a size that can still be had; unknown is no state in which a size is named as the answer.
LIVING = ("current", "announced")


@dataclass(frozen=True, slots=True, kw_only=True)
class FitAnswer:
    """`alone`: the need on one GPU. `first`: the smallest that holds it, one whose retirement is announced only where
    no other does; None: no size is sure to. `refused`: by size, why its GPU cannot do such work on the day; what its
    memory holds is not asked then.

    `longest_context` (with as many users) and `most_users` (at that context) are those of `first`. `carry_gib`:
    nominal memory per GPU with which every GPU of the catalogue gives what one GPU of `first` has to hold.
    """

    model: Model
    work: Work
    alone: Need
    holdings: tuple[Holding, ...]  # those that hold it first, smallest first
    refused: Mapping[str, Reason]
    first: Holding | None
    longest_context: int | None
    most_users: int | None
    carry_gib: float | None
    margin: float
    beyond: bool  # the context is longer than the model's configuration allows

    @property
    def holding(self) -> tuple[Holding, ...]:
        return tuple(found for found in self.holdings if found.verdict == "holds")

    @property
    def unsure(self) -> tuple[Holding, ...]:
        return tuple(found for found in self.holdings if found.verdict == "unsure")

    @property
    def too_small(self) -> tuple[Holding, ...]:
        return tuple(found for found in self.holdings if found.verdict == "too-small")


def answer(
    facts: FitFacts, catalogue: Catalogue, model: Model, work: Work, as_of: date, statuses: Iterable[str] = LIVING
) -> FitAnswer:
    """What the model needs and which sizes that can be had on the day, and compute in its precision, hold it."""
    wanted = frozenset(statuses)
    every = rooms(catalogue, facts.readings)
    state = {room.size.name: status_at(catalogue, room.size.name, None, as_of).status for room in every}
    living = [room for room in every if state[room.size.name] in wanted]
    against = objections(catalogue, work.precision, as_of)
    refused = {
        room.size.name: against[room.size.name]
        for room in living
        if room.size.name in against and against[room.size.name].severity == "blocker"
    }
    doubts = {name: reason.message for name, reason in against.items() if name not in refused}
    found = holdings(model, work, (room for room in living if room.size.name not in refused), doubts)
    holding = [one for one in found if one.verdict == "holds"]
    staying = (one for one in holding if state[one.room.size.name] == "current")
    first = next(staying, holding[0] if holding else None)
    return FitAnswer(
        model=model,
        work=work,
        alone=need_on_each(model, work),
        holdings=found,
        refused=refused,
        first=first,
        longest_context=longest_context(model, work, first) if first else None,
        most_users=most_users(model, work, first) if first else None,
        carry_gib=_carry(first, work, least_share(facts.readings, catalogue), every) if first else None,
        margin=MARGIN[work.task].expected,
        beyond=model.max_context is not None and work.context > model.max_context,
    )


def _carry(first: Holding, work: Work, share: float, every: Iterable[Room]) -> float:
    """What a GPU needs that keeps the most of its memory back; less where every GPU of the catalogue that has as much
    keeps back less, so that the size named here is not refused there."""
    need, places = first.need, tuple(every)
    wanted = max(need.high_gib or 0.0, need.expected_gib / (1.0 - MARGIN[work.task].expected))
    short = max((room.nominal_gib for room in places if room.usable_gib < wanted), default=0.0)
    enough = [room.nominal_gib for room in places if room.nominal_gib > short]
    return min(math.ceil(wanted / share * 10.0 - 1e-9) / 10.0, *enough)
