"""Commitments that are held already: reservations and savings plans, as the user states them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

HeldKind = Literal["reservation", "savings_plan"]
#: Hours by which Azure turns the price of a term into one of an hour: 8,760 for one year, 26,280 for three.
HOURS_PER_YEAR = 8760
#: Terms that are sold, in years; five only for some series.
TERMS = (1, 3, 5)
MOST_VMS = 100_000
MOST_PER_HOUR = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCommitment:
    """One order that is paid until it ends; raises ValueError when its figures make no sense.

    `hourly_price` is money for one hour: of one reserved VM, compute only, or of the whole savings plan.
    """

    order: str
    kind: HeldKind
    years: int
    ends: date  # the first day on which it no longer holds
    quantity: int = 1  # reserved VMs; a savings plan is 1
    size: str | None = None  # canonical; None for a savings plan, which is tied to no size
    region: str | None = None  # ARM name; None for a savings plan
    bought: date | None = None  # None: a whole term before its end
    hourly_price: float | None = None  # None: unknown, only for a reservation
    currency: str | None = None  # of the price; None: that of the price book

    def __post_init__(self) -> None:
        if self.years not in TERMS:
            raise ValueError(f"{self.order}: a term of {self.years} years is not sold; 1, 3 and 5 are")
        if not 1 <= self.quantity <= MOST_VMS:
            raise ValueError(f"{self.order}: the quantity is {self.quantity}, allowed are 1 to {MOST_VMS:,}")
        if self.hourly_price is not None and not 0 < self.hourly_price <= MOST_PER_HOUR:
            raise ValueError(
                f"{self.order}: {self.hourly_price:g} an hour; above 0 and up to {MOST_PER_HOUR:,} is allowed"
            )
        if not self.ends.year - self.years > 1:
            raise ValueError(f"{self.order}: it ends in the year {self.ends.year}")
        if self.bought is not None and self.bought >= self.ends:
            raise ValueError(f"{self.order}: bought on {self.bought}, which is not before its end on {self.ends}")
        if self.kind == "reservation" and (self.size is None or self.region is None):
            raise ValueError(f"{self.order}: a reservation has a size and a region")
        if self.kind == "savings_plan" and (self.hourly_price is None or self.quantity != 1 or self.years > 3):
            raise ValueError(f"{self.order}: a savings plan has an amount per hour, the quantity 1 and 1 or 3 years")

    @property
    def bought_on(self) -> date:
        """The day it was bought; where nobody says it, a whole term before its end."""
        return self.bought or years_before(self.ends, self.years)

    def holds_on(self, day: date) -> bool:
        """True from the day it was bought until the day before it ends."""
        return self.bought_on <= day < self.ends

    def hours_left(self, day: date) -> float:
        """Hours from `day` to its end, 24 a day."""
        return max(0, (self.ends - day).days) * 24.0

    @property
    def price_model(self) -> str:
        """The price model under which a price book lists it: ri_3y, sp_1y …"""
        return f"{'ri' if self.kind == 'reservation' else 'sp'}_{self.years}y"


def years_before(day: date, years: int) -> date:
    """The same day `years` earlier; 28 February where that year has no 29th."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
