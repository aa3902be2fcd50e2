"""Cost of ownership as a straight line of what varies: `ownership` asked at a few points instead of at every one.

Everything in `money.ownership` is linear in the number of machines, in the hours they run, and in the factors on
prices and on labour: a figure that is needed for thousands of cases is a sum of a few products.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.money import ownership, total
from advisor.engine.prices import COMMITMENTS

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class CostLines:
    """Money by what it grows with, each spread over the options; `at` adds it up."""

    fixed: Any
    labour: Any
    vm: Any
    vm_labour: Any
    vm_price: Any  # commitments pay every hour of the month
    hour: Any
    hour_price: Any
    committed: bool

    def at(self, n: Any, hours: Any, price: Any, labour: Any) -> Any:
        """Cost of ownership of `n` machines for `hours` a month, with factors on prices and on hours of work."""
        per_vm = self.vm + self.vm_labour * labour
        per_hour = self.hour_price * price + self.hour
        if self.committed:
            per_vm = per_vm + self.vm_price * price
        return n * per_vm + hours * per_hour + (self.fixed + self.labour * labour)

    def take(self, rows: slice) -> CostLines:
        """The lines of some options."""
        lines = {name: getattr(self, name)[rows] for name in self.__slots__ if name != "committed"}
        return CostLines(**lines, committed=self.committed)


def cost_lines(facts: Mapping[str, Any], model: str, months: int, assume: Mapping[str, Any]) -> CostLines:
    """The lines of each option of `facts` (see `money.money_facts`), in the currency of the facts."""

    def at(n: float, hours: float, price: float, labour: float) -> Any:
        return np.asarray(total(ownership(facts, n, hours, model, months, assume, price=price, labour=labour)))

    fixed, worked = at(0.0, 0.0, 0.0, 0.0), at(0.0, 0.0, 0.0, 1.0)
    vm, hour = at(1.0, 0.0, 0.0, 0.0) - fixed, at(0.0, 1.0, 0.0, 0.0) - fixed
    return CostLines(
        fixed=fixed,
        labour=worked - fixed,
        vm=vm,
        vm_labour=at(1.0, 0.0, 0.0, 1.0) - worked - vm,
        vm_price=at(1.0, 0.0, 1.0, 0.0) - fixed - vm,
        hour=hour,
        hour_price=at(0.0, 1.0, 1.0, 0.0) - fixed - hour,
        committed=model in COMMITMENTS,
    )
