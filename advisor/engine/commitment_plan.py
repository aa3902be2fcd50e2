"""The commitment planner: which machines of an option to commit for how long, and which to leave free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from advisor.engine.candidates import World, add_months, os_of, outlived
from advisor.engine.commitment_answer import CommitmentPlan, NotOffered, PlanCost, PlannedMachines
from advisor.engine.commitment_mix import Part, Rate, Step, cheapest_mix, staircase
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
_YEARS: Mapping[str, int] = {"ri_1y": 1, "ri_3y": 3, "sp_1y": 1, "sp_3y": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWork:
    """An option as the planner sees it. `hours` are those of all machines a month."""

    size: str
    region: str
    os: str
    ends: date | None  # of the size, the earliest that any source gives
    vms: int
    hours: float
    pattern: str
    shape: str
    interruptible: bool
    hours_assumed: bool
    licence_free: bool = False


def plan_commitments(
    work: PlannedWork, world: World, request: AdviceRequest, assume: Mapping[str, float]
) -> CommitmentPlan | None:
    """The mix of price models with the least expected cost over the horizon; None without hours or a known price.

    A commitment is offered if it is sold on the day, ends before the size does and fits the horizon; spot if the work
    may be interrupted. It is bought again as long as that holds. At most a share of the machines (`most_on_spot`) is on
    spot, and at least one (`least_uncommitted`) is under no commitment.
    """
    steps = staircase(work.pattern, work.shape, work.vms, work.hours)
    quotes: dict[PriceModel, Quote] = {}
    offers: dict[PriceModel, Offer] = {}
    not_offered = []
    for model in ("payg", "spot", *COMMITMENTS):
        found = _offer(model, work, world, request, assume)
        if isinstance(found, str):
            not_offered.append(NotOffered(price_model=model, why=found))
        else:
            quotes[model], offers[model] = found
    if "payg" not in offers or not steps:
        return None
    machines = sum(step.count for step in steps)
    months, discount = request.horizon_months, assume["discount_rate"] / 100
    costs = _Costs(offers, months, discount, Risk.of(assume))
    parts = cheapest_mix(
        steps,
        {model: costs.rate(model, expected=True) for model in offers},
        most_on_spot=math.floor(assume["most_on_spot"] * machines + 1e-9),
        most_committed=machines - math.ceil(assume["least_uncommitted"] * machines - 1e-9),
    )
    three = next((model for model in ("ri_3y", "sp_3y") if model in offers), None)
    rows = {model: _machines(offers[model], quotes[model], parts) for model in dict.fromkeys(own for own, _ in parts)}
    return CommitmentPlan(
        size=work.size,
        region=work.region,
        machines=tuple(rows.values()),
        plan=costs.of(parts),
        all_payg=costs.of([("payg", step) for step in steps]),
        all_3y=costs.of([(three, step) for step in steps]) if three else None,
        all_3y_model=three,
        committed=sum(row.committed for row in rows.values()),
        not_offered=tuple(not_offered),
        uncertain=_uncertain(work, rows, offers, months, assume),
    )


def _offer(
    model: PriceModel, work: PlannedWork, world: World, request: AdviceRequest, assume: Mapping[str, float]
) -> tuple[Quote, Offer] | str:
    """Quote and offer of a price model on the day of the advice, or why there is none."""
    if model == "spot" and not work.interruptible:
        return "the work may not be interrupted"
    quote = world.quotes.quote(work.size, work.region, os_of(work.os), model, request.as_of)
    if quote is None:
        return "it is not sold for this size on the day, or its price is not known"
    licence = 0.0 if work.licence_free else quote.licence
    if licence is None:
        return "the price of the Windows licence is not known"
    more_hours = more_spot_hours(assume) if model == "spot" else 1.0
    if not math.isfinite(more_hours):
        return "with so many evictions the work never ends"
    term = 12 * _YEARS.get(model, 0)
    terms = _terms(model, term, work, world, request) if term else 0
    if term > request.horizon_months:
        return f"a term is longer than the horizon of {request.horizon_months} months"
    if term and not terms:
        return f"it would end after the size, which ends on {work.ends}"
    return quote, Offer(
        model=model, hourly=quote.compute, licence=licence, term_months=term, terms=terms, more_hours=more_hours
    )


def _terms(model: PriceModel, term: int, work: PlannedWork, world: World, request: AdviceRequest) -> int:
    """Whole terms one after another inside the horizon, each sold at its start and over before the size ends."""
    for terms in range(request.horizon_months // term):
        start = add_months(request.as_of, terms * term)
        sold = world.quotes.quote(work.size, work.region, os_of(work.os), model, start)
        if sold is None or not outlived(model, start, work.ends):
            return terms
    return request.horizon_months // term


class _Costs:
    """What machines cost under each offer, as planned and as expected."""

    def __init__(self, offers: Mapping[PriceModel, Offer], months: int, discount: float, risk: Risk) -> None:
        self.offers, payg = offers, offers["payg"].hourly
        self.rates = {
            (model, expected): rate_of(offer, payg, months, discount, risk if expected else NO_RISK)
            for model, offer in offers.items()
            for expected in (False, True)
        }

    def rate(self, model: PriceModel, *, expected: bool) -> Rate:
        return self.rates[model, expected]

    def of(self, parts: Sequence[Part]) -> PlanCost:
        """Cost of an assignment of price models."""
        return PlanCost(
            monthly_cost=sum(monthly(self.offers[model], step) for model, step in parts),
            present_value=sum(self.rates[model, False].cost(step.hours) * step.count for model, step in parts),
            expected=sum(self.rates[model, True].cost(step.hours) * step.count for model, step in parts),
        )


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
    work: PlannedWork,
    rows: Mapping[PriceModel, PlannedMachines],
    offers: Mapping[PriceModel, Offer],
    months: int,
    assume: Mapping[str, float],
) -> tuple[str, ...]:
    """What the plan rests on and nobody knows, in words."""
    told = []
    if work.hours_assumed:
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
