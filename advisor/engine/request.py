"""What the user asks for beside the fleet: dates, horizon, basis of ranking, and what they know of the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from advisor.engine.assumptions import values_with
from advisor.engine.currencies import ExchangeRate
from advisor.engine.discounts import Discount
from advisor.engine.held import HeldCommitment
from advisor.engine.prices import PriceModel
from advisor.engine.speed_own import OwnRatio
from advisor.engine.vm_facts import NOTHING, VmFacts
from advisor.engine.workload import ProfileFields, ProfileRule

Strategy = Literal["lowest_cost", "same_count", "lowest_hourly_price", "least_change", "fastest", "longest_lived"]


@dataclass(frozen=True, kw_only=True)
class AdviceRequest:
    """Everything that one advice depends on beside fleet, catalogue and prices. The engine has no clock."""

    as_of: date
    horizon_months: int = 36
    price_model: PriceModel = "payg"
    strategy: Strategy = "lowest_cost"
    target_region: str = "own"  # own, geography, any, or an ARM region name
    profile: ProfileFields = field(default_factory=ProfileFields)
    rules: tuple[ProfileRule, ...] = ()
    by_pool: Mapping[str, ProfileFields] = field(default_factory=dict)  # pool id: what was said of it; beats the file
    facts: VmFacts = NOTHING  # of machines of which the file says nothing
    facts_by_pool: Mapping[str, VmFacts] = field(default_factory=dict)  # pool id: what was said; beats the file
    hosts: Mapping[str, str] = field(default_factory=dict)  # host of a utilisation file: what it is, see utilisation
    measured: tuple[OwnRatio, ...] = ()  # speed-ups of the user's own; beat benchmarks and model
    assume: tuple[tuple[str, float], ...] = ()
    rates: tuple[ExchangeRate, ...] = ()
    currency: str | None = None  # None: the price book's
    discounts: tuple[Discount, ...] = ()  # agreed percents off list prices
    held: tuple[HeldCommitment, ...] = ()  # reservations and savings plans that are paid already
    include: tuple[str, ...] = ()  # special sizes that are asked for by name
    against: tuple[str, ...] = ()  # sizes to hold each first choice against, as the catalogue names them
    top: int = 12  # options given in full per pool; 0: all
    only: frozenset[str] = frozenset()  # ids of the pools to look at, totals too; empty: all

    @property
    def by_name(self) -> bool:
        """A rule looks at the names of single machines."""
        return any(key == "name" for rule in self.rules for key, _ in rule.match)

    def assumptions(self, usd_rate: float = 1.0) -> dict[str, float]:
        """All assumed figures by name, with the user's changes; money x `usd_rate`, units of it for one USD."""
        return values_with(self.assume, usd_rate)

    def rate_of(self, currency: str) -> ExchangeRate | None:
        """The rate given for `currency`, else None."""
        return next((rate for rate in self.rates if rate.currency == currency), None)
