"""Pairs of candidates worked out again with one figure changed, many values at a time, as the answer itself does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.arrays import Table
from advisor.engine.contrast.values import WHATS, What
from advisor.engine.money import money_facts, ownership, total
from advisor.engine.ranking import strategy_keys
from advisor.engine.request import AdviceRequest
from advisor.engine.sizing import size_up, work_facts

Numbers = np.ndarray[Any, Any]
Facts = Mapping[str, Numbers]
OTHER_PRICE, FIRST_PRICE, HOURS, SPEED = range(len(WHATS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Ranges of values of one figure of one pair each: `low` to `high`, and the other's verdict in them."""

    pair: Numbers
    what: Numbers  # place in WHATS
    low: Numbers
    high: Numbers
    verdict: Numbers

    def take(self, which: Numbers) -> Ranges:
        return Ranges(**{name: getattr(self, name)[which] for name in self.__slots__})

    def changed(self, **columns: Numbers) -> Ranges:
        return Ranges(**({name: getattr(self, name) for name in self.__slots__} | columns))

    def __len__(self) -> int:
        return len(self.pair)


def joined(*parts: Ranges) -> Ranges:
    """All ranges in one."""
    return Ranges(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in Ranges.__slots__})


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """What working out reads of the first choices and of the others, an entry per pair, and the request it is for."""

    first: Facts
    other: Facts
    request: AdviceRequest
    assume: Mapping[str, float]

    def __len__(self) -> int:
        return len(self.first["vms"])

    def tried(self, ranges: Ranges) -> Tried:
        """The pairs of some ranges, ready for values of the figures that vary in them."""
        return Tried(self, ranges)

    def work_out(self, facts: Facts) -> dict[str, Numbers]:
        """Machines, hours, cost of ownership and whatever else a ranking looks at, by the answer's own functions."""
        sized = size_up(facts, self.assume)
        request = self.request
        parts = ownership(facts, sized["n"], sized["hours"], request.price_model, request.horizon_months, self.assume)
        kept = {name: facts[name] for name in ("vms", "verdict", "ends", "release_year")}
        return kept | sized | {"hourly_price": facts["hourly_compute"] + facts["hourly_licence"], "tco": total(parts)}

    def as_good(self, first: Facts, other: Facts) -> Numbers:
        """Where the other ranks at least as well as the first by the strategy's own keys; False where one is NaN."""
        better: Numbers = np.zeros(1, dtype=bool)
        equal: Numbers = np.ones(1, dtype=bool)
        mine, theirs = (strategy_keys(side, self.request.strategy) for side in (first, other))
        for key, rival in zip(mine, theirs, strict=True):
            better = better | (equal & (rival < key))
            equal = equal & (rival == key)
        return better | equal


def facts_of(candidates: Table, stopped: Numbers, assume: Mapping[str, float]) -> dict[str, Numbers]:
    """What `Pairs` read of candidates; `stopped` says that today's machines can no longer be run."""
    ranked = {name: candidates[name] for name in ("ends", "release_year")}
    facts = work_facts(candidates, assume) | money_facts(candidates) | ranked
    return {name: values[:, 0] for name, values in facts.items()} | {"runs": 1.0 - stopped}


class Tried:
    """The pairs of some ranges; `at` works them out at values, a row per range and a column per value."""

    def __init__(self, pairs: Pairs, ranges: Ranges) -> None:
        self.pairs, self.ranges = pairs, ranges
        self.is_speed = (ranges.what == SPEED)[:, None]
        self._first = {name: values[ranges.pair][:, None] for name, values in pairs.first.items()}
        self._other = {name: values[ranges.pair][:, None] for name, values in pairs.other.items()}
        self._other["verdict"] = ranges.verdict[:, None]

    def at(self, values: Numbers) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
        """The first and the other, worked out."""
        first = self._first | self._hours(self._first, values)
        other = self._other | self._hours(self._other, values)
        first["hourly_compute"] = self._varied("first_price", values, first["hourly_compute"])
        other["hourly_compute"] = self._varied("other_price", values, other["hourly_compute"])
        other["speed"] = self._varied("speed", values, other["speed"])
        return self.pairs.work_out(first), self.pairs.work_out(other)

    def _varied(self, what: What, values: Numbers, else_: Numbers) -> Numbers:
        return np.where((self.ranges.what == WHATS.index(what))[:, None], values, else_)

    def _hours(self, facts: Facts, values: Numbers) -> dict[str, Numbers]:
        """Hours, and that the machines run: with hours they do, unless their size is gone."""
        return {
            "hours_per_vm_month": self._varied("hours", values, facts["hours_per_vm_month"]),
            "running": self._varied("hours", np.broadcast_to(facts["runs"], values.shape), facts["running"]),
        }
