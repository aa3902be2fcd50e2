"""The cost of waiting: what one more month on today's machines costs beyond the plan, and what ends in that month."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

import numpy as np

from advisor.engine.candidates import World, add_months
from advisor.engine.commitment_answer import CommitmentPlan, PassingDate, Waiting
from advisor.engine.commitment_plan import MODEL_WORDS
from advisor.engine.held import HeldCommitment
from advisor.engine.held_rules import EXCHANGE_RULE, EXCHANGES_END
from advisor.engine.ledger import status_at
from advisor.engine.prices import COMMITMENTS
from advisor.engine.request import AdviceRequest

WAIT_MONTHS = 1


def waiting_of(
    pool: Mapping[Any, Any],
    plan: CommitmentPlan | None,
    held: Iterable[HeldCommitment],
    world: World,
    request: AdviceRequest,
) -> Waiting:
    """One month on today's machines as they are billed, less one month of the plan, in the book's currency.

    None, with the reason, where the machines cannot be run, are off, or where one of the two is unknown. Dates are
    those after the day of the advice and up to a month later, the earliest first; `held` is what the pool uses.
    """
    now, why = float(pool["cost_now"]), ""
    if pool["retired"]:
        why = "today's machines can no longer be run"
    elif np.isnan(now):
        why = "what the machines cost today is not known"
    elif now == 0:
        why = "today's machines are off and cost nothing"
    elif plan is None:
        why = "there is no option to compare with"
    last = add_months(request.as_of, WAIT_MONTHS)
    dates = {d for d in _dates(pool, plan, tuple(held), world, request) if request.as_of < d.on <= last}
    return Waiting(
        monthly_cost=None if why or plan is None else now - plan.plan.monthly_cost,
        why=why,
        dates=tuple(sorted(dates, key=lambda d: (d.on, d.what, d.message))),
    )


def _dates(
    pool: Mapping[Any, Any],
    plan: CommitmentPlan | None,
    held: tuple[HeldCommitment, ...],
    world: World,
    request: AdviceRequest,
) -> Iterator[PassingDate]:
    """Every dated end that matters to a pool that waits."""
    status, short = pool["status"], pool["size"].removeprefix("Standard_")
    ends = ((status.retirement_date, "retirement", "retires"), (status.forced_stop, "forced_stop", "is switched off"))
    for day, what, words in ends:
        if day:
            yield PassingDate(on=day, what=what, message=f"{short} {words} on {day}.", source=status.source)
    for one in held:
        yield PassingDate(
            on=one.ends,
            what="held_ends",
            message=f"A {one.kind.replace('_', ' ')} that these machines use ends; then they are paid as you go.",
            source="your list of commitments",
        )
    if any(one.kind == "reservation" for one in held) or (plan and _reserves(plan)):
        yield PassingDate(
            on=EXCHANGES_END,
            what="exchange_rule",
            message=f"Reservations bought from {EXCHANGES_END} on cannot be exchanged; those bought before keep one "
            "exchange.",
            source=f"{EXCHANGE_RULE[0].page} ({EXCHANGE_RULE[0].as_of})",
        )
    if plan is not None:
        yield from _sales(plan, world, request.as_of)


def _reserves(plan: CommitmentPlan) -> bool:
    return any(row.price_model.startswith("ri_") for row in plan.machines)


def _sales(plan: CommitmentPlan, world: World, as_of: date) -> Iterator[PassingDate]:
    """Last days on which a commitment of the target is sold, by the terms of sale and by the ledger."""
    size = world.catalogue.sizes[plan.size]
    for model in COMMITMENTS:
        terms = world.quotes.book.commitments.get((size.series, model))
        if terms is not None and terms.sold_until is not None:
            yield _sale(terms.sold_until, f"{MODEL_WORDS[model]} of {size.series} is sold", terms.source)
    status = status_at(world.catalogue, plan.size, plan.region, as_of)
    for event in status.events:
        if event.on and not event.superseded and event.event in ("reservation-sales-end", "savings-plan-sales-end"):
            what = "reservations" if event.event.startswith("reservation") else "savings plans"
            yield _sale(event.on, f"{what} of {size.series} are sold", event.source)


def _sale(on: date, what: str, source: str) -> PassingDate:
    return PassingDate(on=on, what="sale_ends", message=f"{on} is the last day on which {what}.", source=source)
