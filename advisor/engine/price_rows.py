"""Price models side by side: what an option costs under each model it can have, the ranking's own among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.answer import PriceRow
from advisor.engine.candidates import World, os_of, outlived
from advisor.engine.money import money_facts, ownership, paid_hours, total
from advisor.engine.prices import PriceModel
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest
from advisor.engine.words import day_of

_ASKED = ("target", "region", "os", "ends", "interruptible", "licence_free", "n", "hours")


def price_rows(options: pd.DataFrame, world: World, request: AdviceRequest) -> list[tuple[PriceRow, ...]]:
    """For each row of `options`, a PriceRow per model that is offered and known, in the order of Quotes.models.

    Every model has its own cost of ownership, by the same formulas as the ranking's. Spot has a range, and the chance
    that a job of spot_job_hours is not taken back: (1 - rate an hour) ** hours, at the two assumed rates.
    """
    columns = {name: options[name].tolist() for name in _ASKED}
    found: list[list[PriceRow]] = [[] for _ in range(len(options))]
    facts = money_facts(options)
    for model in world.quotes.models(interruptible=True):
        quotes = [_quote(model, values, world, request) for values in zip(*columns.values(), strict=True)]
        places = [place for place, quote in enumerate(quotes) if quote is not None]
        if places:
            some = {name: values[places] for name, values in facts.items()}
            known = [quote for quote in quotes if quote is not None]
            counts = np.array(columns["n"], dtype=float)[places], np.array(columns["hours"], dtype=float)[places]
            free = np.array(columns["licence_free"], dtype=bool)[places]
            for place, row in zip(places, _of_model(known, some, counts, free, world, request), strict=True):
                found[place].append(row)
    return [tuple(rows) for rows in found]


def _quote(model: PriceModel, values: Sequence[Any], world: World, request: AdviceRequest) -> Quote | None:
    target, region, os, ends, interruptible, *_ = values
    if region is None or (model == "spot" and not interruptible):
        return None
    if not outlived(model, request.as_of, day_of(ends)):
        return None
    return world.quotes.quote(target, region, os_of(os), model, request.as_of)


def _of_model(
    quotes: list[Quote],
    facts: dict[str, np.ndarray[Any, Any]],
    counts: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]],
    free: np.ndarray[Any, Any],
    world: World,
    request: AdviceRequest,
) -> list[PriceRow]:
    """The rows of one model, in the order of its quotes."""
    (n, hours), model = counts, quotes[0].price_model
    assume = request.assumptions(world.quotes.book.for_a_dollar())
    licence = np.where(free, 0.0, [np.nan if quote.licence is None else quote.licence for quote in quotes])

    def cost(compute: np.ndarray[Any, Any]) -> tuple[Any, Any]:
        priced = facts | {"hourly_compute": compute, "hourly_licence": licence}
        tco = total(ownership(priced, n, hours, model, request.horizon_months, assume))
        return compute * paid_hours(model, n, hours) + licence * hours, tco

    compute = np.array([quote.compute for quote in quotes])
    monthly, tco = cost(compute)
    highest = np.array([np.nan if quote.highest is None else quote.highest for quote in quotes])
    monthly_high, tco_high = cost(highest)
    finish = None
    if model == "spot":
        low, high = sorted((assume["spot_eviction_low"], assume["spot_eviction_high"]))
        finish = (1 - high) ** assume["spot_job_hours"], (1 - low) ** assume["spot_job_hours"]
    figures = (compute + licence, monthly, tco, highest + licence, monthly_high, tco_high)
    return [
        PriceRow(
            price_model=quote.price_model,
            hourly_price=hourly,
            monthly_cost=month,
            tco=whole,
            as_of=quote.as_of,
            estimated=quote.estimated,
            source=quote.source,
            note=quote.note,
            hourly_price_high=hourly_high,
            monthly_cost_high=month_high,
            tco_high=whole_high,
            chance_to_finish=finish,
        )
        for quote, hourly, month, whole, hourly_high, month_high, whole_high in zip(
            quotes, *map(_known, figures), strict=True
        )
    ]


def _known(values: np.ndarray[Any, Any]) -> list[float | None]:
    """The numbers, None where one is unknown."""
    return [None if unknown else value for value, unknown in zip(values.tolist(), np.isnan(values), strict=True)]
