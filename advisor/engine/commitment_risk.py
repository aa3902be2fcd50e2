"""What a commitment is expected to cost when its machine may no longer be needed before it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from advisor.engine.commitment_mix import Rate
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import PriceModel

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One price model that a target can have: money for a VM-hour of compute, and how often it can be bought in a row.

    `terms` is the number of whole terms, one after another from the first day on, inside the horizon; 0 for
    pay-as-you-go and spot. `more_hours` is the factor on hours that evictions of spot cost.
    """

    model: PriceModel
    hourly: float
    licence: float
    term_months: int = 0
    terms: int = 0
    more_hours: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """Chances within a year, as shares, and the share of a reservation that comes back when it is not needed."""

    need_ends: float
    size_changes: float
    recovered: float

    @staticmethod
    def of(assume: Mapping[str, float]) -> Risk:
        return Risk(
            need_ends=assume["need_ends"],
            size_changes=assume["size_changes"],
            recovered=assume["reservation_recovered"],
        )


#: As if every machine were needed to the end.
NO_RISK = Risk(need_ends=0.0, size_changes=0.0, recovered=0.0)


def rate_of(offer: Offer, payg: float, months: int, discount: float, risk: Risk) -> Rate:
    """What one machine costs under an offer over the horizon, expected and in today's money.

        month m is needed with the chance s(m) = ((1 - q) (1 - z)) ** ((m - 1) / 12)
        pay-as-you-go, spot    price x hours x s(m)
        reservation            price x 730 x (s(m) + (s(a) - s(m)) (1 - g))
        savings plan           price x 730 x s(a) (s(m) / s(a) + 1 - (1 - q) ** ((m - a) / 12))

    q is the chance in a year that the machine's work ends, z that it moves to another size, g the share of a
    reservation that comes back, a the first month of the term. A savings plan that this size no longer uses is used by
    the next one, unless the work has ended. A term is bought only if the machine is needed at its start; months that no
    whole term covers are paid as you go, at `payg`, compute of an hour. Each month is discounted to its end at
    `discount` a year. The Windows licence is paid for the hours used, in every model.
    """
    plan = offer.model.startswith("sp_")
    fixed, rest, used = _weights(plan, offer.term_months, offer.terms, months, discount, risk)
    if not offer.term_months:
        return Rate(fixed=0.0, per_hour=(offer.hourly + offer.licence) * offer.more_hours * used)
    return Rate(fixed=offer.hourly * HOURS_PER_MONTH * fixed, per_hour=payg * rest + offer.licence * used)


@lru_cache(4096)  # few terms and horizons, many pools
def _weights(
    plan: bool, term_months: int, terms: int, months: int, discount: float, risk: Risk
) -> tuple[float, float, float]:
    """Expected months, in today's worth: paid under a commitment, needed after its last term, needed at all."""
    month = np.arange(1, months + 1)
    worth = (1 + discount) ** (-month / 12)
    needed = ((1 - risk.need_ends) * (1 - risk.size_changes)) ** ((month - 1) / 12)
    fixed = 0.0
    for first in range(0, term_months * terms, term_months or 1):
        term = slice(first, first + term_months)
        start, still = needed[first], needed[term]
        if plan:
            going_on = (1 - risk.need_ends) ** ((month[term] - month[first]) / 12)
            paid = still + start * (1 - going_on)
        else:
            paid = still + (start - still) * (1 - risk.recovered)
        fixed += float((worth[term] * paid).sum())
    covered = term_months * terms
    return fixed, float((worth[covered:] * needed[covered:]).sum()), float((worth * needed).sum())


def more_spot_hours(assume: Mapping[str, float]) -> float:
    """Factor on the hours of spot machines: each eviction loses work since the last save, and a start.

        hours = work + hours x evictions an hour x (lost + start),  so  1 / (1 - evictions x (lost + start))

    Evictions an hour: the middle between the assumed low and high rate. Infinite where the work never ends.
    """
    evictions = (assume["spot_eviction_low"] + assume["spot_eviction_high"]) / 2
    again = evictions * (assume["spot_lost_hours"] + assume["start_hours"])
    return 1 / (1 - again) if again < 1 else np.inf
