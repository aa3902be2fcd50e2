"""Advice: the whole answer for a fleet. `advise` is the one function that page, command, API and exports call."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.answer import Advice
from advisor.engine.candidates import World
from advisor.engine.explain import explain_pools
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.stages import run_stages
from advisor.engine.totals import total


def advise(readings: Sequence[Reading], world: World, request: AdviceRequest) -> Advice:
    """The advice for all readings together, in the currency of the world's price book.

    Raises assumptions.UnknownAssumption when an assumption of the request is not in the list.
    """
    stages = run_stages(readings, world, request)
    pools = explain_pools(stages, world, request) if stages else ()
    book = world.quotes.book
    return Advice(
        as_of=request.as_of,
        horizon_months=request.horizon_months,
        currency=book.currency,
        price_book={"name": book.name, "as_of": book.as_of, "source": book.source}
        | ({"rate": book.rate, "rate_as_of": book.rate_as_of} if book.rate_as_of else {}),
        price_model=request.price_model,
        strategy=request.strategy,
        assumptions=request.assumptions(),
        readings=tuple(readings),
        totals=total(pools),
        pools=pools,
    )
