"""Price books: dated hourly prices of one source, with the rules that say which price may be used for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, get_args

PriceModel = Literal["payg", "spot", "ri_1y", "ri_3y", "sp_1y", "sp_3y"]
Os = Literal["linux", "windows"]
PRICE_MODELS: tuple[PriceModel, ...] = get_args(PriceModel)
COMMITMENTS: tuple[PriceModel, ...] = ("ri_1y", "ri_3y", "sp_1y", "sp_3y")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """One hourly price of one VM; raises ValueError unless it is above 0.

    A Windows row holds compute and licence together, as its source lists it.
    """

    size: str
    region: str
    os: Os
    price_model: PriceModel
    hourly_price: float
    as_of: date  # a source that gives only a year: 1 January of it
    source: str

    def __post_init__(self) -> None:
        if not self.hourly_price > 0:
            raise ValueError(f"{self.size} in {self.region}: price is {self.hourly_price}, must be above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentTerms:
    """Whether a commitment of a series is sold, and the observed discount on Linux pay-as-you-go.

    `discount_low` to `discount_high` are shares 0 to 1 as observed, None when none was read; `sold` speaks of the
    book's day, None means that no source says; `sold_until` is the last day of sale (None: no end known).
    """

    series: str
    price_model: PriceModel
    sold: bool | None
    sold_until: date | None
    discount_low: float | None
    discount_high: float | None
    source: str
    as_of: date
    note: str = ""

    def sold_on(self, day: date) -> bool | None:
        """True when it could be bought on `day`, False when not, None when no source says."""
        return day <= self.sold_until if self.sold_until else self.sold


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotTerms:
    """Whether sizes of a series can run as spot: yes, no, or only in some regions; None where no source says."""

    series: str
    capable: Literal["yes", "no", "some-regions"] | None
    source: str
    as_of: date
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBook:
    """A dated set of prices of one source in one currency."""

    name: str
    currency: str
    as_of: date
    source: str
    windows_licence_per_vcpu_hour: float
    windows_licence_source: str
    prices: Mapping[tuple[str, str, Os, PriceModel], Price]
    commitments: Mapping[tuple[str, PriceModel], CommitmentTerms] = field(default_factory=dict)
    spot: Mapping[str, SpotTerms] = field(default_factory=dict)

    printed_in: str | None = None  # the currency the source prints, where that is another one
    rate: float = 1.0  # units of `currency` for one unit of the currency the source prints
    rate_as_of: date | None = None  # None: prices are in the source's own currency

    def in_currency(self, currency: str, rate: float, as_of: date) -> PriceBook:
        """This book in another currency: every price x `rate`, the rate of the day `as_of` that the user states."""
        return replace(
            self,
            currency=currency,
            printed_in=self.printed_in or self.currency,
            rate=rate,
            rate_as_of=as_of,
            windows_licence_per_vcpu_hour=self.windows_licence_per_vcpu_hour * rate,
            prices={key: replace(price, hourly_price=price.hourly_price * rate) for key, price in self.prices.items()},
        )
