"""Break-even: the least speed at which an option costs no more than today's machines (design 4.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.money_lines import cost_lines
from advisor.engine.pools import HOURS_PER_MONTH

_NEARLY = 1e-9  # a count that floating point puts a hair below a whole number
_MANY = 1e6  # machines, where they cost nothing by themselves


@dataclass(frozen=True, slots=True)
class Line:
    """Cost of ownership as a line: fixed + per_vm x machines + per_hour x VM-hours a month; `ownership` is one."""

    fixed: float
    per_vm: float
    per_hour: float

    def cost(self, n: float, hours: float) -> float:
        return self.fixed + self.per_vm * n + self.per_hour * hours


def lines_of(facts: Mapping[str, Any], model: str, months: int, assume: Mapping[str, float]) -> list[Line]:
    """The line of each option of `facts`, at today's prices and the assumed work."""
    costs = cost_lines(facts, model, months, assume)
    per_vm, per_hour = costs.vm + costs.vm_labour + costs.vm_price, costs.hour + costs.hour_price
    columns = np.broadcast_arrays(costs.fixed + costs.labour, per_vm, per_hour)
    return [Line(*values) for values in zip(*(np.ravel(column).tolist() for column in columns), strict=True)]


def break_even_speedup(
    row: Mapping[str, Any], line: Line, reference: float, assume: Mapping[str, float]
) -> tuple[float | None, str]:
    """The least speed at which an option costs no more than `reference` over the horizon, and why if there is none.

        steady, stream: n_max = floor((B - F) / c), s* = A / (k * e * n_max)
        burst queue:    of all n, the least s at which n machines are enough and their hours cost no more than is left

    B is the reference's cost of ownership, F what the move costs whatever the count, c the value today of one VM with
    its share of the move. `row` has shape, pattern, units, efficiency, asked, demand, min_vms, hours_per_vm_month.
    """
    if row["shape"] == "seat":
        return None, "a seat is one VM per person: speed changes no cost"
    if not np.isfinite(reference):
        return None, "what the pool costs today is unknown"
    room = reference - line.fixed
    if room <= 0:
        return None, "the move itself costs more than the pool does"
    least = max(1.0, row["min_vms"])
    joint = row["units"] * row["efficiency"]
    if row["pattern"] == "burst" and row["shape"] == "queue":
        start = assume["starts_per_month"] * assume["start_hours"]
        speed = _of_queue(row["asked"] / joint, row["demand"] / joint, least, line, room, start)
    else:
        hours = HOURS_PER_MONTH if row["pattern"] == "steady" else row["hours_per_vm_month"]
        each = line.per_vm + line.per_hour * hours
        most = np.floor(room / each + _NEARLY) if each > 0 else np.inf
        speed = None if most < least else float(row["asked"] / (joint * most))
    if speed is None:
        return None, f"not even {_count(least)} cost less than the pool does"
    return speed, ""


def _count(least: float) -> str:
    return "one such VM" if least == 1 else f"{least:.0f} such VMs"


def _of_queue(asked: float, demand: float, least: float, line: Line, room: float, start: float) -> float | None:
    """The least speed for a queue that is off when idle; `asked` and `demand` are those of speed 1.

    n machines must be fast enough, s >= asked / n, and their hours, demand / s + n x start, must be paid from what the
    machines leave of the room. More machines need less of the first and more of the second: the least speed lies where
    the two meet. Machines that run all month are paid whatever the speed.
    """
    each = line.per_vm + line.per_hour * start
    most = np.floor(room / each + _NEARLY) if each > 0 else _MANY
    if most < least:
        return None

    def paid(n: float) -> float:
        if n * (line.per_vm + line.per_hour * HOURS_PER_MONTH) <= room:
            return 0.0
        left = room - n * each
        return demand * line.per_hour / left if left > 0 else np.inf

    low, high = least, most  # the first n whose hours need more speed than its count
    while low < high:
        middle = np.floor((low + high) / 2)
        low, high = (low, middle) if paid(middle) >= asked / middle else (middle + 1, high)
    around = [n for n in (low - 1, low) if least <= n <= most]
    best = min(max(asked / n, paid(n)) for n in around)
    return float(best) if np.isfinite(best) else None
