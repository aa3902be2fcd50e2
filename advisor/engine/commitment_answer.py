"""The values of an answer about commitments: what a move strands, the plan for a pool, and the cost of waiting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page and the day of its text."""

    page: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class StrandedPart:
    """What becomes of one part of one held commitment when a pool takes an option; money in the advice's currency."""

    order: str
    kind: str  # reservation or savings_plan
    way: str  # a code of held_rules.WAYS
    units: float  # VMs, or money an hour of a savings plan
    remaining: float | None  # what is left of that part on the day; None unknown
    returned: float | None  # what of it stays in use or comes back
    lost: float | None
    message: str
    note: str  # where the price of the order comes from
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMachines:
    """Machines of a plan that share a price model. `hours_per_month` are those that run, of all of them."""

    price_model: str
    vms: int
    hours_per_month: float
    hourly_price: float  # of one VM, compute alone
    monthly_cost: float  # of all of them, Windows included
    committed: float  # money of all hours of the first term; 0 where nothing is committed
    estimated: bool
    source: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanCost:
    """What a choice of price models costs: a month, over the horizon, and expected when machines may not be needed."""

    monthly_cost: float
    present_value: float  # every machine needed over the whole horizon
    expected: float  # with the chances that it is not


@dataclass(frozen=True, slots=True, kw_only=True)
class NotOffered:
    """A price model that the plan could not use, and why."""

    price_model: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassingDate:
    """A day within the month of waiting on which something ends."""

    on: date
    what: str  # retirement, forced_stop, sale_ends, exchange_rule, held_ends
    message: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What one more month on today's machines costs beyond the plan; None with the reason where that is unknown."""

    monthly_cost: float | None  # below 0: waiting is cheaper
    why: str
    dates: tuple[PassingDate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentPlan:
    """The cheapest mix of price models for one option of a pool, by expected cost; money in the advice's currency."""

    size: str
    region: str
    machines: tuple[PlannedMachines, ...]
    plan: PlanCost
    all_payg: PlanCost
    all_3y: PlanCost | None  # None: three years cannot be had
    all_3y_model: str | None
    committed: float  # all money that is committed on the first day
    not_offered: tuple[NotOffered, ...]
    uncertain: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolCommitments:
    """What to commit for a pool's first option, None where it cannot be planned, and what waiting costs."""

    plan: CommitmentPlan | None
    waiting: Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldUnused:
    """What no pool of the fleet uses of a held commitment."""

    order: str
    kind: str
    size: str | None
    region: str | None
    units: float  # VMs, or money an hour of a savings plan
    why: str
