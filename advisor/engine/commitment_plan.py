"""The commitment planner: which machines of an option to commit for how long, and which to leave free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from advisor.engine.candidates import World, add_months, os_of, outlived
from advisor.engine.commitment_answer import CommitmentPlan, NotOffered, PlanCost, PlannedMachines
from advisor.engine.commitment_mix import Part, Rate, Step, cheapest_mix
from advisor.engine.commitment_risk import NO_RISK, Offer, Risk, more_spot_hours, rate_of
from advisor.engine.held import HOURS_PER_YEAR
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.prices import COMMITMENTS, PriceModel
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest

MODEL_WORDS: Mapping[str, str] = {
    "payg": "pay-as-you-go",
    "spot": "spot",
    "ri_1y": "a 1-year reservation",
    "ri_3y": "a 3-year reservation",
    "sp_1y": "a 1-year savings plan",
    "sp_3y": "a 3-year savings plan",
}
_THREE_YEARS: tuple[PriceModel, ...] = ("ri_3y", "sp_3y")
_YEARS: Mapping[str, int] = {"ri_1y": 1, "ri_3y": 3, "sp_1y": 1, "sp_3y": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSize:
    """A target as the planner sees it."""

    size: str
    region: str
    os: str
    ends: date | None  # of the size, the earliest that any source gives
    interruptible: bool  # the work may be taken back and go on later
    licence_free: bool = False  # Windows costs nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offers:
    """What can be had for a target, what cannot and why, and what a machine costs under each, plain and expected."""

    quotes: Mapping[PriceModel, Quote]
    offers: Mapping[PriceModel, Offer]
    not_offered: tuple[NotOffered, ...]
    plain: Mapping[PriceModel, Rate]
    expected: Mapping[PriceModel, Rate]

    def cost(self, parts: Sequence[Part]) -> PlanCost:
        """What an assignment of price models costs."""
        return PlanCost(
            monthly_cost=sum(monthly(self.offers[model], step) for model, step in parts),
            present_value=sum(self.plain[model].cost(step.hours) * step.count for model, step in parts),
            expected=sum(self.expected[model].cost(step.hours) * step.count for model, step in parts),
        )


class Planner:
    """Plans for the options of one advice; what can be had for a target is worked out once for all pools."""

    def __init__(self, world: World, request: AdviceRequest, assume: Mapping[str, float]) -> None:
        self.world, self.request, self.assume = world, request, assume
        self._known: dict[PlannedSize, _Offers] = {}

    def plan(self, target: PlannedSize, steps: Sequence[Step], *, hours_assumed: bool = False) -> CommitmentPlan | None:
        """The mix of price models with the least expected cost over the horizon; None without hours or a known price.

        A commitment is offered if it is sold on the day, ends before the size does and fits the horizon; spot if the
        work may be interrupted. It is bought again as long as that holds. At most a share of the machines
        (`most_on_spot`) is on spot, and at least one (`least_uncommitted`) is under no commitment.
        """
        found = self.offers(target)
        if "payg" not in found.offers or not steps:
            return None
        machines = sum(step.count for step in steps)
        parts = cheapest_mix(
            steps,
            found.expected,
            most_on_spot=math.floor(self.assume["most_on_spot"] * machines + 1e-9),
            most_committed=machines - math.ceil(self.assume["least_uncommitted"] * machines - 1e-9),
        )
        three: PriceModel | None = next((model for model in _THREE_YEARS if model in found.offers), None)
        models = dict.fromkeys(model for model, _ in parts)
        rows = {model: _machines(found.offers[model], found.quotes[model], parts) for model in models}
        return CommitmentPlan(
            size=target.size,
            region=target.region,
            machines=tuple(rows.values()),
            plan=found.cost(parts),
            all_payg=found.cost(_all_on("payg", steps)),
            all_3y=found.cost(_all_on(three, steps)) if three else None,
            all_3y_model=three,
            committed=sum(row.committed for row in rows.values()),
            not_offered=found.not_offered,
            uncertain=_uncertain(hours_assumed, rows, found.offers, self.request.horizon_months, self.assume),
        )

    def offers(self, target: PlannedSize) -> _Offers:
        """Everything that can be had for a target."""
        if target not in self._known:
            self._known[target] = self._offers(target)
        return self._known[target]

    def _offers(self, target: PlannedSize) -> _Offers:
        quotes: dict[PriceModel, Quote] = {}
        offers: dict[PriceModel, Offer] = {}
        not_offered = []
        for model in ("payg", "spot", *COMMITMENTS):
            found = self._offer(model, target)
            if isinstance(found, str):
                not_offered.append(NotOffered(price_model=model, why=found))
            else:
                quotes[model], offers[model] = found
        plain, expected = (self._rates(offers, risk) for risk in (NO_RISK, Risk.of(self.assume)))
        return _Offers(quotes=quotes, offers=offers, not_offered=tuple(not_offered), plain=plain, expected=expected)

    def _rates(self, offers: Mapping[PriceModel, Offer], risk: Risk) -> dict[PriceModel, Rate]:
        """What a machine costs over the horizon under each offer; nothing without a pay-as-you-go price."""
        if "payg" not in offers:
            return {}
        payg, months, discount = offers["payg"].hourly, self.request.horizon_months, self.assume["discount_rate"] / 100
        return {model: rate_of(offer, payg, months, discount, risk) for model, offer in offers.items()}

    def _offer(self, model: PriceModel, target: PlannedSize) -> tuple[Quote, Offer] | str:
        """Quote and offer of a price model on the day of the advice, or why there is none."""
        if model == "spot" and not target.interruptible:
            return "the work may not be interrupted"
        quote = self._quote(model, target, self.request.as_of)
        if quote is None:
            return "it is not sold for this size on the day, or its price is not known"
        licence = 0.0 if target.licence_free else quote.licence
        if licence is None:
            return "the price of the Windows licence is not known"
        more_hours = more_spot_hours(self.assume) if model == "spot" else 1.0
        if not math.isfinite(more_hours):
            return "with so many evictions the work never ends"
        term = 12 * _YEARS.get(model, 0)
        if term > self.request.horizon_months:
            return f"a term is longer than the horizon of {self.request.horizon_months} months"
        terms = self._terms(model, term, target) if term else 0
        if term and not terms:
            return f"it would end after the size, which ends on {target.ends}"
        return quote, Offer(
            model=model, hourly=quote.compute, licence=licence, term_months=term, terms=terms, more_hours=more_hours
        )

    def _quote(self, model: PriceModel, target: PlannedSize, day: date) -> Quote | None:
        return self.world.quotes.quote(target.size, target.region, os_of(target.os), model, day)

    def _terms(self, model: PriceModel, term: int, target: PlannedSize) -> int:
        """Whole terms one after another inside the horizon, each sold at its start and over before the size ends."""
        for terms in range(self.request.horizon_months // term):
            start = add_months(self.request.as_of, terms * term)
            if self._quote(model, target, start) is None or not outlived(model, start, target.ends):
                return terms
        return self.request.horizon_months // term


def _all_on(model: PriceModel, steps: Sequence[Step]) -> list[Part]:
    return [(model, step) for step in steps]


def monthly(offer: Offer, step: Step) -> float:
    """The bill of one month for the machines of a step."""
    hours = step.hours * offer.more_hours
    paid = HOURS_PER_MONTH if offer.term_months else hours
    return (offer.hourly * paid + offer.licence * hours) * step.count


def _machines(offer: Offer, quote: Quote, parts: Sequence[Part]) -> PlannedMachines:
    """All machines of a plan that have one price model."""
    mine = [step for model, step in parts if model == offer.model]
    vms = sum(step.count for step in mine)
    return PlannedMachines(
        price_model=offer.model,
        vms=vms,
        hours_per_month=sum(step.hours * step.count for step in mine) * offer.more_hours,
        hourly_price=offer.hourly,
        monthly_cost=sum(monthly(offer, step) for step in mine),
        committed=vms * offer.hourly * HOURS_PER_YEAR * offer.term_months / 12,
        estimated=quote.estimated,
        source=quote.source,
        note=quote.note,
    )


def _uncertain(
    hours_assumed: bool,
    rows: Mapping[PriceModel, PlannedMachines],
    offers: Mapping[PriceModel, Offer],
    months: int,
    assume: Mapping[str, float],
) -> tuple[str, ...]:
    """What the plan rests on and nobody knows, in words."""
    told = []
    if hours_assumed:
        told.append("The hours are assumed: nobody gave them.")
    for model, row in rows.items():
        words, offer = MODEL_WORDS[model], offers[model]
        if row.estimated:
            told.append(f"The price of {words} is estimated.")
        if model == "spot":
            told.append(
                f"Spot can be taken back at any time; evictions are taken to cost {100 * (offer.more_hours - 1):.1f} % "
                "more hours, and its price may rise up to pay-as-you-go."
            )
        if offer.terms > 1:
            told.append(f"{words[0].upper()}{words[1:]} is bought {offer.terms} times, each time at today's price.")
        if offer.term_months and offer.terms * offer.term_months < months:
            left = months - offer.terms * offer.term_months
            told.append(f"After {words} the last {left} months of the horizon are paid as you go.")
    if any(offers[model].term_months for model in rows):
        told.append(
            f"The work of a machine is taken to end with a chance of {100 * assume['need_ends']:g} % a year and to "
            f"move to another size with one of {100 * assume['size_changes']:g} %; of a reservation that is not needed "
            f"{100 * assume['reservation_recovered']:g} % is taken to come back."
        )
    return tuple(told)
