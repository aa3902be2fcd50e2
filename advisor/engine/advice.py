"""Advice: the whole answer for a fleet. `advise` is the one function that page, command, API and exports call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from advisor.engine.answer import Advice
from advisor.engine.assumptions import changed
from advisor.engine.candidates import World
from advisor.engine.commitments import unused
from advisor.engine.explain import explain_pools
from advisor.engine.pools import join_utilisation
from advisor.engine.prices import PriceBook
from advisor.engine.ranges import Ranges
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.stages import run_stages
from advisor.engine.totals import total


def advise(readings: Sequence[Reading], world: World, request: AdviceRequest) -> Advice:
    """The advice for all readings together, in the currency of the world's price book.

    Raises assumptions.UnknownAssumption when an assumption of the request is not in the list.
    """
    world = world.discounted(request.discounts)
    stages = run_stages(readings, world, request)
    pools, ranges = explain_pools(stages, world, request) if stages else ((), Ranges())
    book = world.quotes.book
    return Advice(
        as_of=request.as_of,
        horizon_months=request.horizon_months,
        currency=book.currency,
        price_book=_facts(book, request),
        price_model=request.price_model,
        strategy=request.strategy,
        assumptions={name: v for name, v in request.assumptions().items() if not math.isnan(v)},
        assumptions_changed=changed(request.assume),
        readings=tuple(readings),
        totals=total(pools, ranges),
        pools=pools,
        held_unused=unused(stages.held) if stages else (),
        unmatched_hosts=len(join_utilisation(readings, world.catalogue, request).unmatched),
        measured=request.measured,
    )


def _facts(book: PriceBook, request: AdviceRequest) -> dict[str, Any]:
    """What the answer says of its prices: the list, a rate, the user's own sheet, and what was agreed."""
    facts: dict[str, Any] = {"name": book.name, "as_of": book.as_of, "source": book.source}
    if book.rate_as_of:
        facts |= {"rate": book.rate, "rate_as_of": book.rate_as_of, "printed_in": book.printed_in}
    if book.usd_stated:
        facts |= {"usd_rate": book.usd_rate, "usd_rate_as_of": book.usd_stated.as_of}
    if book.sheet:
        day = book.sheet.as_of.isoformat() if book.sheet.as_of else None
        sheet = {"file": book.sheet.file, "currency": book.sheet.currency, "as_of": day}
        facts["sheet"] = sheet | {"prices": len(book.own), "note": book.own_note}
    if request.discounts:
        facts["discounts"] = [
            {"series": rule.series, "percent": rule.percent, "price_models": list(rule.price_models)}
            for rule in request.discounts
        ]
    return facts
