"""Prices of one size: a row per region, a cell per system and price model, each saying what kind of figure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.ledger import status_at
from advisor.engine.life import region_name
from advisor.engine.listing import Offer, offer_of
from advisor.engine.prices import COMMITMENTS, CommitmentTerms, Os, PriceBook, PriceModel
from advisor.engine.quotes import USABLE_DAYS, Quotes

#: The columns of the table, one table per system.
COLUMNS: tuple[PriceModel, ...] = ("payg", "spot", "sp_1y", "sp_3y", "ri_1y", "ri_3y")
CellKind = Literal["listed", "history", "estimated", "not-sold", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceCell:
    """One price per VM-hour in the book's currency. `not-sold` and `unknown` have none."""

    os: Os
    model: PriceModel
    kind: CellKind
    hourly: float | None = None
    as_of: date | None = None
    source: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """The prices of a size in one region."""

    region: str
    display_name: str
    offer: Offer
    retired: bool  # its last day there has passed
    cells: tuple[PriceCell, ...]


def prices_of(catalogue: Catalogue, book: PriceBook, size: Size, os: Os, as_of: date) -> list[PriceRow]:
    """Every region that has a price of the size or a document that offers it, by display name; prices of one system."""
    quotes = Quotes(book, catalogue)  # its answers depend on the day, so they are not kept
    priced = {region for name, region, _os, _model in book.prices if name == size.name}
    documented = {entry.region for entry in catalogue.availability if entry.series == size.series}
    rows = [
        PriceRow(
            region=region,
            display_name=region_name(catalogue, region),
            offer=offer_of(quotes, size, region),
            retired=status_at(catalogue, size.name, region, as_of).status == "retired",
            cells=tuple(_cell(quotes, size, region, os, model, as_of) for model in COLUMNS),
        )
        for region in priced | documented
    ]
    return sorted(rows, key=lambda row: row.display_name)


def _cell(quotes: Quotes, size: Size, region: str, os: Os, model: PriceModel, as_of: date) -> PriceCell:
    row = quotes.book.prices.get((size.name, region, os, model))
    if row is not None:
        fresh = row.as_of >= quotes.book.as_of - timedelta(days=USABLE_DAYS)
        return PriceCell(
            os=os, model=model, kind="listed" if fresh else "history",
            hourly=row.hourly_price, as_of=row.as_of, source=row.source,
        )  # fmt: skip
    quote = None if model == "spot" else quotes.quote(size.name, region, os, model, as_of)
    if quote is not None and quote.hourly is not None:
        return PriceCell(
            os=os, model=model, kind="estimated",
            hourly=quote.hourly, as_of=quote.as_of, source=quote.source, note=quote.note,
        )  # fmt: skip
    return PriceCell(os=os, model=model, kind="not-sold" if _not_sold(quotes.book, size, model, as_of) else "unknown")


def _not_sold(book: PriceBook, size: Size, model: PriceModel, as_of: date) -> bool:
    if model == "spot":
        terms = book.spot.get(size.series)
        return terms is not None and terms.capable == "no"
    commitment = book.commitments.get((size.series, model))
    return commitment is not None and commitment.sold_on(as_of) is False


def by_price(rows: list[PriceRow], column: int) -> list[PriceRow]:
    """Rows by one column of COLUMNS, cheapest first; history after what can be bought, then those without a price."""
    order: Mapping[CellKind, int] = {"listed": 0, "estimated": 0, "history": 1, "unknown": 2, "not-sold": 3}

    def key(row: PriceRow) -> tuple[int, float, str]:
        cell = row.cells[column]
        return order[cell.kind], cell.hourly or 0.0, row.display_name

    return sorted(rows, key=key)


def offers_of(book: PriceBook, size: Size, as_of: date) -> list[tuple[CommitmentTerms, bool | None]]:
    """The terms of each commitment, with whether it is sold on the day (None: no source says)."""
    terms = [book.commitments.get((size.series, model)) for model in COMMITMENTS]
    return [(entry, entry.sold_on(as_of)) for entry in terms if entry is not None]
