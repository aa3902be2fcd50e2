"""Currencies: what a dollar costs on a day, as the user states it; no rate is ever looked up or guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRate:
    """Units of `currency` for one US dollar, on a day; raises ValueError unless the rate is above 0."""

    currency: str
    rate: float
    as_of: date

    def __post_init__(self) -> None:
        if not 0 < self.rate < float("inf"):
            raise ValueError(f"the rate of {self.currency} is {self.rate}, must be above 0")


class UnknownRate(ValueError):
    """An amount that cannot be converted: `currency` is the one whose rate for one US dollar is not stated."""

    def __init__(self, currency: str, message: str) -> None:
        super().__init__(message)
        self.currency = currency


def converted_note(source: str, target: str, factor: float, days: Iterable[date]) -> str:
    """How an amount of `source` became one of `target`, for the note beside it."""
    of = " and ".join(day.isoformat() for day in days)
    rate = f"{factor:.6g} {target} for one {source}"
    return f"converted at {rate}, the rate you stated{f' of {of}' if of else ''}"
