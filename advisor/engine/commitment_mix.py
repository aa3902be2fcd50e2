"""The cheapest mix of price models for machines that run different hours, worked out exactly.

The hours of a pool are a staircase: the j-th busiest machine runs h_j hours a month. Each machine has one price model.
Pay-as-you-go and spot pay the hours, a commitment pays 730 whatever is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import PriceModel


@dataclass(frozen=True, slots=True)
class Step:
    """Machines that run alike: hours of each a month, and how many they are."""

    hours: float
    count: int


def staircase(pattern: str, shape: str, vms: int, hours: float) -> tuple[Step, ...]:
    """The machines of an option by hours, the busiest first; `hours` are those of all machines a month.

    Steady machines run all month. A burst queue is packed into as few machines as possible: 730, 730, …, rest; those
    that are left without hours are not listed. Burst streams and seats share the hours equally.
    """
    if vms <= 0 or hours <= 0:
        return ()
    if pattern == "steady":
        return (Step(HOURS_PER_MONTH, vms),)
    if shape != "queue":
        return (Step(hours / vms, vms),)
    full = min(vms, int(hours / HOURS_PER_MONTH + 1e-9))
    rest = hours - full * HOURS_PER_MONTH
    steps = [Step(HOURS_PER_MONTH, full)] if full else []
    return (*steps, Step(rest, 1)) if full < vms and rest > 1e-9 else tuple(steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What one machine costs under a price model: a fixed part, and money for each hour a month that it runs."""

    fixed: float
    per_hour: float

    def cost(self, hours: float) -> float:
        return self.fixed + self.per_hour * hours


Part = tuple[PriceModel, Step]
#: How many machines of one step are on pay-as-you-go, on spot and committed.
Division = tuple[int, int, int]
_PAYG, _SPOT, _COMMITTED = range(3)


def cheapest_mix(
    steps: Sequence[Step], rates: Mapping[PriceModel, Rate], most_on_spot: int, most_committed: int
) -> tuple[Part, ...]:
    """The price model of every machine with the least total cost, as parts of the steps, the busiest first.

    At most `most_on_spot` machines are on spot and at most `most_committed` under a commitment; `payg` is always among
    the rates. Exact: machines of one step are alike, so for the largest step it is best to take the cheapest model
    first, up to its limit, whatever the others do; every division of the other steps, of which a staircase has one with
    one machine, is tried. Ties: pay-as-you-go before spot before commitments, then the order of `rates`.
    """
    if not steps:
        return ()
    largest = max(range(len(steps)), key=lambda place: steps[place].count)
    others = [step for place, step in enumerate(steps) if place != largest]
    choices = {step: _choices(step, rates) for step in steps}
    best: tuple[float, list[tuple[Step, Division]]] | None = None
    for divisions in itertools.product(*(_divisions(step.count) for step in others)):
        room = [sum(step.count for step in steps), most_on_spot, most_committed]
        for division in divisions:
            room = [left - used for left, used in zip(room, division, strict=True)]
        if min(room) < 0:
            continue
        filled = _fill(steps[largest], choices[steps[largest]], room)
        divided = [*zip(others, divisions, strict=True), (steps[largest], filled)]
        total = sum(
            count * choices[step][kind][1] for step, division in divided for kind, count in enumerate(division) if count
        )
        if best is None or total < best[0] - 1e-9 * abs(best[0]):
            best = total, divided
    if best is None:
        raise AssertionError("with all machines on pay-as-you-go every limit is kept")
    parts = [
        (choices[step][kind][0], Step(step.hours, count))
        for step, division in best[1]
        for kind, count in enumerate(division)
        if count
    ]
    return tuple(sorted(parts, key=lambda part: -part[1].hours))


def _choices(step: Step, rates: Mapping[PriceModel, Rate]) -> list[tuple[PriceModel, float]]:
    """Model and cost of one machine on pay-as-you-go, on spot and under the cheapest commitment; infinite: none."""
    found: list[tuple[PriceModel, float]] = [("payg", np.inf), ("spot", np.inf), ("ri_1y", np.inf)]
    for model, rate in rates.items():
        kind = _PAYG if model == "payg" else _SPOT if model == "spot" else _COMMITTED
        if rate.cost(step.hours) < found[kind][1]:
            found[kind] = model, rate.cost(step.hours)
    return found


def _divisions(count: int) -> Iterator[Division]:
    for committed in range(count + 1):
        for spot in range(count - committed + 1):
            yield count - committed - spot, spot, committed


def _fill(step: Step, choices: Sequence[tuple[PriceModel, float]], room: Sequence[int]) -> Division:
    """All machines of one step, each on the cheapest model that has room."""
    counts, left = [0, 0, 0], step.count
    for kind in sorted(range(3), key=lambda kind: choices[kind][1]):
        if np.isfinite(choices[kind][1]):
            counts[kind] = min(left, room[kind])
            left -= counts[kind]
    return counts[0], counts[1], counts[2]
