"""Price books beside the one in use: what is stored of each, and how a refreshed one comes and goes."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from datetime import date
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import Count, OuterRef, Subquery

from advisor import models, store
from advisor.engine.prices import PriceBook
from advisor.engine.retail.changes import changes_json
from advisor.engine.retail.refresh import Refreshed

logger = logging.getLogger(__name__)

#: Refreshed books of one currency that are kept; with one a day, a month.
BOOKS_KEPT = 30


class CannotRemove(LookupError):
    """A price book that is not there, or is built in; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """One stored price book without its prices: what a list of books shows."""

    name: str
    currency: str
    as_of: date
    source: str
    built_in: bool
    rows: int
    newest: bool  # of its currency
    in_use: bool  # unless another is asked for
    warnings: tuple[dict[str, str], ...]
    changes: dict[str, Any]  # engine.retail.changes.changes_json; empty where there was no book before


def list_books() -> list[BookEntry]:
    """Every stored book, newest first. One query."""
    rows = models.StoredPrice.objects.filter(book=OuterRef("name")).order_by().values("book")
    rows = rows.annotate(rows=Count("pk")).values("rows")
    seen: set[str] = set()
    entries = []
    for book in models.StoredPriceBook.objects.order_by(*store.NEWEST_FIRST).annotate(rows=Subquery(rows)):
        newest = book.currency not in seen
        seen.add(book.currency)
        entries.append(
            BookEntry(
                name=book.name,
                currency=book.currency,
                as_of=book.as_of,
                source=book.source,
                built_in=book.built_in,
                rows=book.rows or 0,
                newest=newest,
                in_use=newest and book.currency == store.DEFAULT_CURRENCY,
                warnings=tuple(book.warnings),
                changes=book.changes,
            )
        )
    return entries


def last_book(currency: str) -> PriceBook | None:
    """The newest book in the currency; None where there is none."""
    try:
        return store.price_book(currency=currency)
    except store.UnknownPriceBook:
        return None


def terms_book() -> PriceBook:
    """The newest built-in book: its terms and its Windows licence are those of every book."""
    head = models.StoredPriceBook.objects.filter(built_in=True).order_by(*store.NEWEST_FIRST)[0]
    return store.price_book(head.name)


def free_name(currency: str, day: date) -> str:
    """A name for a book of that day that no book has."""
    taken = set(models.StoredPriceBook.objects.values_list("name", flat=True))
    first = f"azure-{currency.lower()}-{day.isoformat()}"
    return next(name for n in count(1) if (name := first if n == 1 else f"{first}-{n}") not in taken)


@transaction.atomic
def publish(refreshed: Refreshed) -> None:
    """Store the book with its warnings and changes, whole or not at all; books beyond those kept go.

    Raises ValueError when the checks found an error.
    """
    if refreshed.errors:
        raise ValueError(f"{refreshed.book.name} has errors: {refreshed.errors[0].message}")
    book = refreshed.book
    head = {name: getattr(book, name) for name in models.StoredPriceBook.engine_columns()}
    models.StoredPriceBook.objects.create(
        **head,
        built_in=False,
        warnings=[asdict(finding) for finding in refreshed.warnings],
        changes=changes_json(refreshed.changes) if refreshed.changes else {},
    )
    columns = models.StoredPrice.engine_columns()  # asdict copies every cell, which takes longer than storing them
    rows = ({name: getattr(price, name) for name in columns} for price in book.prices.values())
    models.StoredPrice.objects.bulk_create([models.StoredPrice(book=book.name, **row) for row in rows], batch_size=2000)
    own = models.StoredPriceBook.objects.filter(built_in=False, currency=book.currency)
    for old in own.order_by(*store.NEWEST_FIRST)[BOOKS_KEPT:]:
        _delete(old)
    logger.info("price book %s published, %s rows", book.name, len(book.prices))


@transaction.atomic
def remove(name: str) -> None:
    """Remove a refreshed book with its prices; raises CannotRemove for any other."""
    book = models.StoredPriceBook.objects.filter(name=name).first()
    if book is None:
        known = ", ".join(models.StoredPriceBook.objects.filter(built_in=False).values_list("name", flat=True))
        raise CannotRemove(f"There is no price book {name!r}; refreshed books: {known or 'none'}.")
    if book.built_in:
        raise CannotRemove(f"{name} is built in and cannot be removed.")
    _delete(book)


def _delete(book: models.StoredPriceBook) -> None:
    models.StoredPrice.objects.filter(book=book.name).delete()
    book.delete()
