"""Price books: dated hourly prices of one source, with the rules that say which price may be used for what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Literal, get_args

from advisor.engine.currencies import ExchangeRate, UnknownRate, converted_note

if TYPE_CHECKING:
    from advisor.engine.sheets.sheet import PriceSheet

PriceModel = Literal["payg", "spot", "ri_1y", "ri_3y", "sp_1y", "sp_3y"]
Os = Literal["linux", "windows"]
PRICE_MODELS: tuple[PriceModel, ...] = get_args(PriceModel)
COMMITMENTS: tuple[PriceModel, ...] = ("ri_1y", "ri_3y", "sp_1y", "sp_3y")
PriceKey = tuple[str, str, Os, PriceModel]  # size, region, system, price model
#: What the sources of prices of the user's own sheet begin with; its file name follows.
OWN_SOURCE = "your price sheet"


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
    """A dated set of list prices of one source in one currency, and before them the user's own, where there are any.

    `prices` are the list's, `own` those of the user's price sheet: a row of `own` goes before the row of `prices`
    with the same key, and each keeps its own source and day.
    """

    name: str
    currency: str
    as_of: date
    source: str
    windows_licence_per_vcpu_hour: float
    windows_licence_source: str
    prices: Mapping[PriceKey, Price]
    commitments: Mapping[tuple[str, PriceModel], CommitmentTerms] = field(default_factory=dict)
    spot: Mapping[str, SpotTerms] = field(default_factory=dict)

    printed_in: str | None = None  # the currency the source prints, where that is another one
    rate: float = 1.0  # units of `currency` for one unit of the currency the source prints
    rate_as_of: date | None = None  # None: prices are in the source's own currency
    usd_stated: ExchangeRate | None = None  # what a dollar costs, stated for a book that prints another currency

    own: Mapping[PriceKey, Price] = field(default_factory=dict)
    sheet: PriceSheet | None = None  # where `own` was read, in its own currency
    own_note: str = ""  # how `own` came into the book's currency; empty where it is the sheet's

    @property
    def usd_rate(self) -> float | None:
        """Units of `currency` for one US dollar; None where the source prints another one and no rate is stated."""
        if self.currency == "USD":
            return 1.0
        if self.printed_in == "USD":
            return self.rate
        return self.usd_stated.rate if self.usd_stated and self.usd_stated.currency == self.currency else None

    def for_a_dollar(self) -> float:
        """usd_rate, where something in dollars has to be converted; raises UnknownRate."""
        if self.usd_rate is None:
            message = (
                f"prices are in {self.currency}, and assumed amounts in US dollars: the rate and its day are needed"
            )
            raise UnknownRate(self.currency, message)
        return self.usd_rate

    def with_usd_rate(self, rate: ExchangeRate | None) -> PriceBook:
        """This book with the stated price of a dollar; a rate of another currency than the book's changes nothing."""
        return replace(self, usd_stated=rate) if rate and rate.currency == self.currency else self

    def units_for(self, currency: str, rates: Iterable[ExchangeRate] = ()) -> float | None:
        """Units of the book's currency for one unit of `currency`, over the dollar; None where a rate is not stated.

        the book's units for one USD / the units of `currency` for one USD
        """
        if currency == self.currency:
            return 1.0
        if currency == self.printed_in:
            return self.rate
        stated = {rate.currency: rate.rate for rate in rates} | {"USD": 1.0}
        here, there = self.usd_rate or stated.get(self.currency), stated.get(currency)
        return here / there if here and there else None

    def in_currency(self, currency: str, rate: float, as_of: date) -> PriceBook:
        """This book in another currency: every price x `rate`, the rate of the day `as_of` that the user states.

        `rate` is units of `currency` for one unit of the book's present currency.
        """

        def converted(prices: Mapping[PriceKey, Price]) -> Mapping[PriceKey, Price]:
            return {key: replace(price, hourly_price=price.hourly_price * rate) for key, price in prices.items()}

        dollar = self.usd_stated and replace(self.usd_stated, currency=currency, rate=self.usd_stated.rate * rate)
        return replace(
            self,
            currency=currency,
            printed_in=self.printed_in or self.currency,
            rate=self.rate * rate,
            rate_as_of=as_of,
            windows_licence_per_vcpu_hour=self.windows_licence_per_vcpu_hour * rate,
            prices=converted(self.prices),
            own=converted(self.own),
            usd_stated=dollar,
        )

    def with_sheet(self, sheet: PriceSheet, rates: Iterable[ExchangeRate] = ()) -> PriceBook:
        """This book with the prices of a usable sheet before its own; everything else stays, with its own source.

        Prices in another currency are converted over the dollar, by the book's own rate or one of `rates`; raises
        UnknownRate where none joins the two.
        """
        currency, rates = sheet.currency or self.currency, tuple(rates)
        factor = self.units_for(currency, rates)
        if factor is None:
            stated = {"USD", *(rate.currency for rate in rates)}
            missing = self.currency if currency in stated else currency
            raise UnknownRate(
                missing,
                f"the price sheet is in {currency} and the price book in {self.currency}: the rate of {missing} for "
                "one US dollar and its day are needed",
            )
        book = replace(self, name=f"{self.name} and {OWN_SOURCE}", own=sheet.prices, sheet=sheet)
        if currency == self.currency:
            return book
        own = {key: replace(price, hourly_price=price.hourly_price * factor) for key, price in sheet.prices.items()}
        days = {rate.as_of for rate in rates if rate.currency in (currency, self.currency)}
        days |= {self.rate_as_of} if self.rate_as_of else set()
        return replace(book, own=own, own_note=converted_note(currency, self.currency, factor, sorted(days)))
