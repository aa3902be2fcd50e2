"""Price models side by side: what an option costs under each model it can have, the ranking's own among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.answer import PriceRow
from advisor.engine.arrays import Table, as_number
from advisor.engine.candidates import World, os_of, outlived
from advisor.engine.money import money_facts, ownership, paid_hours, total
from advisor.engine.prices import PriceModel
from advisor.engine.quotes import Quote
from advisor.engine.request import AdviceRequest
from advisor.engine.words import day_of

_Numbers = np.ndarray[Any, Any]
_ASKED = ("target", "region", "os", "interruptible")


class PriceModels:
    """What each of `options` costs under each price model that is offered and known; a row is made when asked for.

    Every model has its own cost of ownership, by the same formulas as the ranking's. Spot has a range, and the chance
    that a job of spot_job_hours is not taken back: (1 - rate an hour) ** hours, at the two assumed rates.
    """

    def __init__(self, options: Table, world: World, request: AdviceRequest) -> None:
        self.world, self.request = world, request
        self.assume = request.assumptions(world.quotes.book.for_a_dollar())
        self.facts = {name: values[:, 0] for name, values in money_facts(options).items()}
        self.n, self.hours = options.flat("n"), options.flat("hours")
        self.free = options.flat("licence_free")
        asked = [options.flat(name).tolist() for name in _ASKED]
        ends = [None if day != day else day for day in options.flat("ends").tolist()]  # noqa: PLR0124 (NaN: no end)
        keys = list(zip(*asked, ends, strict=True))
        places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        number = np.array([places[key] for key in keys], dtype=int)
        self.models = [
            model
            for name in world.quotes.models(interruptible=True)
            if (model := self._priced(name, [_quote(name, key, world, request) for key in places], number)) is not None
        ]

    def of(self, option: int) -> tuple[PriceRow, ...]:
        """A PriceRow per model, in the order of Quotes.models."""
        return tuple(model.row(option) for model in self.models if model.quotes[option] is not None)

    def _priced(self, model: PriceModel, offered: list[Quote | None], number: _Numbers) -> _Model | None:
        """One model for all options; None where no option has it."""
        if not any(offered):
            return None
        compute, licence, highest = (
            np.array([np.nan if quote is None else as_number(getattr(quote, name)) for quote in offered])[number]
            for name in ("compute", "licence", "highest")
        )
        licence = np.where(self.free, 0.0, licence)
        finish = None
        if model == "spot":
            low, high = self.assume["spot_eviction_low"], self.assume["spot_eviction_high"]
            finish = (1 - high) ** self.assume["spot_job_hours"], (1 - low) ** self.assume["spot_job_hours"]
        figures = (*self._cost(model, compute, licence), *self._cost(model, highest, licence))
        return _Model([offered[i] for i in number.tolist()], np.array(figures).T, finish)

    def _cost(self, model: PriceModel, compute: _Numbers, licence: _Numbers) -> tuple[_Numbers, _Numbers, _Numbers]:
        """Hourly price, monthly cost and cost of ownership of every option."""
        if np.isnan(compute).all():
            return compute, compute, compute
        priced = self.facts | {"hourly_compute": compute, "hourly_licence": licence}
        parts = ownership(priced, self.n, self.hours, model, self.request.horizon_months, self.assume)
        monthly = compute * paid_hours(model, self.n, self.hours) + licence * self.hours
        return compute + licence, monthly, total(parts)


@dataclass(frozen=True, slots=True)
class _Model:
    """One price model: the quote of each option, its figures as PriceRow names them, the chance to finish on spot."""

    quotes: list[Quote | None]
    figures: _Numbers  # hourly, monthly, cost of ownership, and the same at the highest price
    finish: tuple[float, float] | None

    def row(self, option: int) -> PriceRow:
        quote = self.quotes[option]
        if quote is None:
            raise LookupError(f"option {option} is not offered under this price model")
        hourly, monthly, tco, *highest = (None if np.isnan(value) else value for value in self.figures[option].tolist())
        return PriceRow(
            price_model=quote.price_model,
            hourly_price=hourly,
            monthly_cost=monthly,
            tco=tco,
            as_of=quote.as_of,
            estimated=quote.estimated,
            source=quote.source,
            note=quote.note,
            hourly_price_high=highest[0],
            monthly_cost_high=highest[1],
            tco_high=highest[2],
            chance_to_finish=self.finish,
        )


def _quote(model: PriceModel, values: Sequence[Any], world: World, request: AdviceRequest) -> Quote | None:
    target, region, os, interruptible, ends = values
    if region is None or (model == "spot" and not interruptible):
        return None
    if not outlived(model, request.as_of, day_of(ends)):
        return None
    return world.quotes.quote(target, region, os_of(os), model, request.as_of)
