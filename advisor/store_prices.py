"""Which prices a fleet is answered with: a list, a currency, its owner's own sheet, and what was agreed.

A stored fleet keeps its choices in `prices`: {"book", "currency", "rates", "discounts", "sheet"}. Its price sheet has a
row of its own, which is read when a world is made from it and not with every page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from advisor import store
from advisor.engine.candidates import World
from advisor.engine.currencies import ExchangeRate, UnknownRate
from advisor.engine.discounts import Discount
from advisor.engine.prices import PriceBook
from advisor.engine.quotes import Quotes
from advisor.engine.sheets import PriceSheet, sheet_json, sheet_of
from advisor.kept import kept
from advisor.models import StoredFleet, StoredPriceSheet

#: Worlds with prices of their own that a process keeps; a sheet of 100,000 prices takes some 50 MB.
WORLDS_KEPT = 6

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class FleetPrices:
    """What a fleet's owner chose. The default is the newest list in US dollars, as it is."""

    book: str | None = None
    currency: str | None = None
    rates: tuple[ExchangeRate, ...] = ()
    discounts: tuple[Discount, ...] = ()
    sheet: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class Priced:
    """A world with the prices of a fleet; `notes` say what of the choices could not be used, and why."""

    world: World
    prices: FleetPrices  # as used
    notes: tuple[str, ...] = ()


def prices_of(fleet: StoredFleet) -> FleetPrices:
    """The choices that are stored with a fleet."""
    stored = fleet.prices
    return FleetPrices(
        book=stored.get("book"),
        currency=stored.get("currency"),
        rates=tuple(
            ExchangeRate(currency=code, rate=rate, as_of=date.fromisoformat(day))
            for code, rate, day in stored.get("rates", ())
        ),
        discounts=tuple(
            Discount(series=series, percent=percent, price_models=tuple(models_))
            for series, percent, models_ in stored.get("discounts", ())
        ),
        sheet=UUID(stored["sheet"]) if stored.get("sheet") else None,
    )


def save_prices(fleet: StoredFleet, prices: FleetPrices) -> None:
    """Keep the choices."""
    fleet.prices = {
        "book": prices.book,
        "currency": prices.currency,
        "rates": [[rate.currency, rate.rate, rate.as_of.isoformat()] for rate in prices.rates],
        "discounts": [[rule.series, rule.percent, list(rule.price_models)] for rule in prices.discounts],
        "sheet": str(prices.sheet) if prices.sheet else None,
    }
    fleet.save(update_fields=["prices"])


def save_sheet(fleet: StoredFleet, sheet: PriceSheet) -> None:
    """Keep what was read of a price sheet in the place of the one before; the file itself is not kept."""
    remove_sheet(fleet)
    values = sheet_json(sheet)
    kept_sheet = StoredPriceSheet.objects.create(fleet=fleet, head=values["head"], prices=values["prices"])
    save_prices(fleet, replace(prices_of(fleet), sheet=kept_sheet.pk))


def remove_sheet(fleet: StoredFleet) -> None:
    """Forget the fleet's price sheet."""
    StoredPriceSheet.objects.filter(fleet=fleet).delete()
    if fleet.prices.get("sheet"):
        save_prices(fleet, replace(prices_of(fleet), sheet=None))


def sheet_head(fleet: StoredFleet) -> PriceSheet | None:
    """Counts and problems of the fleet's sheet, without its prices; None where it has none."""
    head = StoredPriceSheet.objects.filter(fleet=fleet).values_list("head", flat=True).first()
    return sheet_of({"head": head}) if head else None


def chosen_book(name: str | None, currency: str | None, rates: Sequence[ExchangeRate], version: str) -> PriceBook:
    """The list of that name, by default the newest that is native in `currency`, else the newest in US dollars.

    A list in another currency is converted at the stated rate. Raises store.UnknownPriceBook, and UnknownRate where a
    rate is missing: for prices, or for assumed amounts, which are in US dollars whatever the list is in.
    """
    stated = {rate.currency: rate for rate in rates}
    try:
        book = store.read_price_book(version, name, currency or store.DEFAULT_CURRENCY)
    except store.UnknownPriceBook as error:
        if name is not None or currency in (None, store.DEFAULT_CURRENCY):
            raise
        if currency not in stated:
            message = f"{error} For {currency} the rate for one US dollar and its day are needed"
            raise UnknownRate(currency, message) from error
        book = store.read_price_book(version, None, store.DEFAULT_CURRENCY)
    book = book.with_usd_rate(stated.get(book.currency))
    book.for_a_dollar()  # assumed amounts need it, whatever the answer is in
    if currency is None or currency == book.currency:
        return book
    price = book.units_for(currency, rates)
    if price is None:
        raise UnknownRate(currency, f"prices are in {book.currency}: for {currency} the rate and its day are needed")
    rate = stated.get(currency) or book.usd_stated
    return book.in_currency(currency, 1 / price, rate.as_of if rate else book.as_of)


def priced_world(fleet: StoredFleet) -> Priced:
    """The world in which a fleet is answered, kept per process. One query, and one more where its sheet is read anew.

    A choice that can no longer be used, such as a list that was removed, is left out and said; the answer stays.
    """
    version, prices = store.current_version(), prices_of(fleet)
    notes: list[str] = []
    while True:
        try:
            return Priced(world=_world(version, replace(prices, discounts=())), prices=prices, notes=tuple(notes))
        except store.UnknownPriceBook:
            notes.append(f"The price list {prices.book} is no longer there: the newest one is used.")
            prices = replace(prices, book=None)
        except _SheetWithoutRate as error:
            notes.append(f"Your price sheet is not used: {error}.")
            prices = replace(prices, sheet=None)
        except UnknownRate as error:
            notes.append(f"Amounts are in US dollars: {error}.")
            prices = replace(prices, book=None, currency=None)


class _SheetWithoutRate(ValueError):
    """A sheet in a currency that no stated rate joins with the list's."""


@kept(WORLDS_KEPT)
def _own_world(version: str, prices: FleetPrices) -> World:
    world = store.build_world(version)
    book = chosen_book(prices.book, prices.currency, prices.rates, version)
    stored = StoredPriceSheet.objects.filter(pk=prices.sheet).first() if prices.sheet else None
    if stored is not None:
        try:
            book = book.with_sheet(sheet_of({"head": stored.head, "prices": stored.prices}), prices.rates)
        except UnknownRate as error:
            raise _SheetWithoutRate(str(error)) from error
    return world.with_quotes(Quotes(book, world.catalogue))


def _world(version: str, prices: FleetPrices) -> World:
    plain = prices.book is None and prices.currency in (None, store.DEFAULT_CURRENCY) and prices.sheet is None
    return store.build_world(version) if plain else _own_world(version, prices)
