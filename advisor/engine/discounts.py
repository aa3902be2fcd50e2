"""Discounts: what the user has agreed with Microsoft or a reseller, as percents off list prices by series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.prices import PriceModel

#: The series of a discount that holds for every series.
EVERY = "*"


class BadDiscount(ValueError):
    """A discount that cannot be used; the message says which and what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discount:
    """`percent` off the list price of the compute of a series, for the named price models, or for all of them.

    It is taken off each model's own price, so it comes on top of a commitment: price x (1 - percent / 100). It never
    touches the Windows licence, nor a price of the user's own sheet. Raises BadDiscount unless 0 < percent < 100.
    """

    series: str  # as in the catalogue, or EVERY
    percent: float
    price_models: tuple[PriceModel, ...] = ()  # empty: every model

    def __post_init__(self) -> None:
        if not 0 < self.percent < 100:
            raise BadDiscount(f"a discount of {self.percent:g} % on {self.series}: above 0 and below 100 is allowed")

    @property
    def words(self) -> str:
        """The discount in words: `12 % on NCasT4_v3`."""
        return f"{self.percent:g} % on {'every series' if self.series == EVERY else self.series}"


def discount_for(discounts: Iterable[Discount], series: str, model: PriceModel) -> Discount | None:
    """The one discount for a series and a price model, None where there is none.

    A rule of the series goes before one of every series, and then one that names the model before one that does not.
    Two rules never add up.
    """
    fitting = (
        discount
        for discount in discounts
        if discount.series in (series, EVERY) and (not discount.price_models or model in discount.price_models)
    )
    return min(fitting, key=lambda found: (found.series == EVERY, not found.price_models), default=None)


def checked(discounts: Sequence[Discount]) -> tuple[Discount, ...]:
    """The discounts as they are; raises BadDiscount where two of them say different things of one series and model."""
    seen: set[tuple[str, str]] = set()
    for discount in discounts:
        for model in discount.price_models or ("every price model",):
            if (discount.series, model) in seen:
                raise BadDiscount(f"{discount.series} has two discounts for {model}; give one")
            seen.add((discount.series, model))
    return tuple(discounts)


def series_named(text: str, catalogue: Catalogue) -> str:
    """The series that `text` names, whatever its case and marks; EVERY for `*`. Raises BadDiscount with the nearest."""
    plain = text.strip()
    if plain == EVERY:
        return EVERY
    by_key = {squash(size.series): size.series for size in catalogue.sizes.values()}
    key = squash(plain[:100]).removesuffix("series")
    if key in by_key:
        return by_key[key]
    size = catalogue.sizes.get(catalogue.canonical_size(plain[:100]) or "")
    if size is not None:
        raise BadDiscount(f"{plain[:100]} is a size; its series is {size.series}")
    near = [by_key[found] for found in get_close_matches(key, by_key, n=3, cutoff=0.5)]
    meant = f"; near: {', '.join(near)}" if near else ""
    raise BadDiscount(f"{plain[:100]!r} is no series that is known here{meant}; * is every series")
