"""Which prices a command counts with: a list, a currency, the user's own sheet, and what was agreed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.currencies import ExchangeRate, UnknownRate
from advisor.engine.discounts import BadDiscount, Discount, checked, series_named
from advisor.engine.prices import PRICE_MODELS, PriceModel
from advisor.engine.quotes import Quotes
from advisor.engine.request import AdviceRequest
from advisor.engine.sheets import PriceSheet, read_price_sheet
from advisor.management.commands._base import Error, number, parse_day, positive, wrong_argument
from advisor.store_prices import chosen_book


def add_price_arguments(parser: CommandParser) -> None:
    """The list, the currency, the user's own prices, and what was agreed."""
    money = parser.add_argument_group("prices")
    money.add_argument("--currency", type=currency_code, metavar="CODE")
    money.add_argument(
        "--fx",
        type=exchange_rate,
        action="append",
        default=[],
        metavar="CODE=RATE@DATE",
        help="units of CODE for one US dollar on that day",
    )
    money.add_argument(
        "--price-book", metavar="NAME", help="default: the newest list in the currency, else in US dollars"
    )
    money.add_argument("--price-sheet", metavar="FILE", help="your own prices; they go before the list's")
    money.add_argument("--sheet-currency", type=currency_code, metavar="CODE", help="of a sheet that does not say it")
    money.add_argument("--sheet-day", type=parse_day, metavar="DATE", help="of a sheet that does not say it")
    money.add_argument(
        "--discount",
        type=discount_rule,
        action="append",
        default=[],
        metavar="SERIES[:MODEL,..]=PERCENT",
        help="off the list price, also of commitments; * is every series",
    )


def currency_code(text: str) -> str:
    """A currency code of three letters, in capitals."""
    code = text.strip().upper()
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise argparse.ArgumentTypeError(f"{text!r} is no currency code of three letters, for example EUR")
    return code


def exchange_rate(text: str) -> ExchangeRate:
    """CODE=RATE@DATE: units of CODE for one US dollar on that day."""
    code, equals, rest = text.partition("=")
    rate, at, day = rest.partition("@")
    if not (equals and at and len(code) == 3 and code.isalpha()):
        raise argparse.ArgumentTypeError(f"{text!r} is not CODE=RATE@DATE, for example EUR=0.86@2026-11-27")
    if code.upper() == "USD":
        raise argparse.ArgumentTypeError(f"{text!r}: rates are those of one US dollar; name the other currency")
    return ExchangeRate(currency=code.upper(), rate=positive(rate), as_of=parse_day(day))


def discount_rule(text: str) -> tuple[str, tuple[PriceModel, ...], float]:
    """SERIES[:MODEL,..]=PERCENT as its parts; the series is looked up later."""
    named, equals, share = text.rpartition("=")
    series, _, models = named.partition(":")
    if not (equals and series.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is not SERIES[:MODEL,..]=PERCENT, for example NCasT4_v3:payg=12")
    wanted = [model.strip() for model in models.split(",") if model.strip()]
    if unknown := [model for model in wanted if model not in PRICE_MODELS]:
        raise argparse.ArgumentTypeError(
            f"{text!r}: {unknown[0]!r} is no price model; there are: {', '.join(PRICE_MODELS)}"
        )
    return series, tuple(model for model in PRICE_MODELS if model in wanted), number(share.removesuffix("%"))


def discounts_of(options: dict[str, Any], catalogue: Catalogue) -> tuple[Discount, ...]:
    """The discounts that were given; raises Error for one that cannot be used."""
    try:
        rules = [
            Discount(series=series_named(series, catalogue), percent=percent, price_models=models)
            for series, models, percent in options["discount"]
        ]
        return checked(rules)
    except BadDiscount as error:
        raise wrong_argument(f"--discount: {error}") from error


def read_own_prices(options: dict[str, Any], catalogue: Catalogue) -> PriceSheet | None:
    """The user's price sheet, None when none is given; raises Error for one that cannot be used."""
    name = options["price_sheet"]
    if name is None:
        return None
    said = {"currency": options["sheet_currency"], "as_of": options["sheet_day"]}
    try:
        with Path(name).open("rb") as stream:
            sheet = read_price_sheet(Path(name).name, stream, catalogue, **said)
    except OSError as error:
        raise Error(f"{name}: {error.strerror or error}") from error
    if sheet.usable:
        return sheet
    whole = [problem for problem in sheet.problems if problem.line is None and problem.severity == "error"]
    hints = {"currency": "--sheet-currency CODE", "as_of": "--sheet-day DATE"}
    hint = f" Give {' and '.join(hints[need] for need in sheet.needs)}." if sheet.needs else ""
    raise Error(f"{name}: {(whole or sheet.problems)[0].message}{hint}")


def make_world(
    options: dict[str, Any], request: AdviceRequest, catalogue: Catalogue, sheet: PriceSheet | None = None
) -> World:
    """The catalogue with the price book asked for, in the currency asked for, and the user's own prices before it.

    Raises Error where a rate is missing.
    """
    try:
        book = chosen_book(options["price_book"], request.currency, request.rates, store.current_version())
        if sheet is not None:
            book = book.with_sheet(sheet, request.rates)
    except UnknownRate as error:
        raise wrong_argument(f"{error}: {_fx(error.currency)}") from error
    return store.world().with_quotes(Quotes(book, catalogue))


def _fx(currency: str) -> str:
    return f"--fx {currency}=RATE@{timezone.now().date().isoformat()}"
