"""The prices of a fleet: its owner's price sheet, discounts, currency and list; what of them the answer counts with."""

from __future__ import annotations

import io
import logging
from dataclasses import replace
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from advisor import access, store, store_books, store_fleets, store_prices
from advisor.engine.currencies import UnknownRate
from advisor.engine.sheets import PriceSheet, read_price_sheet
from advisor.engine.sheets.compare import compare
from advisor.forms.prices import (
    CURRENCIES,
    MoneyForm,
    SaidForm,
    SheetForm,
    SheetLinesForm,
    discount_rows,
    rate_rows,
)
from advisor.models import StoredFleet
from advisor.store_fleets import packed_of

logger = logging.getLogger(__name__)

PAGE = "advisor/prices/page.html"
PASTED_NAME = "pasted prices"
PROBLEMS_SHOWN = 50
LINES_SHOWN = 10


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleet_prices(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """What a fleet is priced with, and the forms that change it; each is a POST with `do` of its own."""
    fleet = access.own_fleet(request, fleet_id)
    if request.method != "POST":
        return _page(request, fleet)
    actions = {"sheet": _sheet, "lines": _lines, "remove": _remove, "discounts": _discounts, "money": _money}
    action = actions.get(request.POST.get("do", ""))
    if action is None:
        raise Http404
    return action(request, fleet)


def _sheet(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = SheetForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, fleet, sheet_form=form, status=422)
    upload = form.cleaned_data["file"]
    try:
        return _keep(request, fleet, str(upload.name), cast(BinaryIO, upload.file), form, "sheet_form", "file")
    finally:
        upload.close()  # its temporary file goes


def _lines(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = SheetLinesForm(request.POST)
    if not form.is_valid():
        return _page(request, fleet, lines_form=form, status=422)
    stream = io.BytesIO(form.cleaned_data["lines"].encode("utf-8", "replace"))
    return _keep(request, fleet, PASTED_NAME, stream, form, "lines_form", "lines")


def _keep(
    request: HttpRequest, fleet: StoredFleet, name: str, stream: BinaryIO, form: SaidForm, place: str, field: str
) -> HttpResponse:
    """Read a sheet and keep it; one that cannot be used is answered beside the field it came from."""
    sheet = read_price_sheet(name, stream, store.catalogue(), **form.said())
    logger.info("price sheet read: %s, %s rows, usable %s", sheet.format, sheet.rows_read, sheet.usable)
    if not sheet.usable:
        form.add_error(field, _why_not(sheet))
        lines = [problem for problem in sheet.problems if problem.line is not None][:LINES_SHOWN]
        return _page(request, fleet, **{place: form, "refused": sheet, "refused_lines": lines}, status=422)
    store_prices.save_sheet(fleet, sheet)
    return _back(fleet, "sheet")


def _why_not(sheet: PriceSheet) -> str:
    whole = [problem for problem in sheet.problems if problem.line is None and problem.severity == "error"]
    hint = " Write it below and hand the sheet in again." if sheet.needs else ""
    return f"{(whole or sheet.problems)[0].message}{hint}"


def _remove(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    store_prices.remove_sheet(fleet)
    return _back(fleet, "sheet")


def _discounts(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    if "more" in request.POST:
        return _page(request, fleet, discounts=discount_rows(request.POST, more=True))
    rows = discount_rows(request.POST)
    rules = rows.discounts(store.catalogue()) if rows.is_valid() else None
    if rules is None:
        return _page(request, fleet, discounts=rows, discounts_bad=True, status=422)
    store_prices.save_prices(fleet, replace(store_prices.prices_of(fleet), discounts=rules))
    return _back(fleet, "discounts")


def _money(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form, rows = MoneyForm(_books(), request.POST), rate_rows(request.POST)
    if form.is_valid() and rows.is_valid():
        rates = rows.rates()
        book, currency = form.cleaned_data["book"] or None, form.cleaned_data["in_currency"]
        try:
            store_prices.chosen_book(book, currency, rates, store.current_version())
        except (UnknownRate, store.UnknownPriceBook) as error:
            form.add_error("in_currency", f"{error}.")
        else:
            chosen = replace(store_prices.prices_of(fleet), book=book, currency=currency, rates=rates)
            store_prices.save_prices(fleet, chosen)
            return _back(fleet, "money")
    return _page(request, fleet, money=form, rates=rows, status=422)


def _books() -> list[tuple[str, str]]:
    return [(book.name, f"{book.name}, {book.currency}, of {book.as_of}") for book in store_books.list_books()]


def _back(fleet: StoredFleet, part: str) -> HttpResponse:
    """303: the browser goes on with GET, to the part that changed."""
    return HttpResponseRedirect(f"{reverse('fleet-prices', args=[fleet.pk])}#{part}", status=303)


def _page(request: HttpRequest, fleet: StoredFleet, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page with forms as they were sent, where they were."""
    priced = store_prices.priced_world(fleet)
    chosen, book = store_prices.prices_of(fleet), priced.world.quotes.book
    sheet = store_prices.sheet_head(fleet)
    places = {(row["size"], row["region"]) for packed in packed_of(fleet) for row in packed["rows"]}
    series = sorted({size.series for size in priced.world.catalogue.sizes.values() if size.is_gpu})
    context = {
        "section": "fleet",
        "fleet": fleet,
        "book": book,
        "notes": priced.notes,
        "discounted": chosen.discounts,
        "sheet": sheet,
        "problems": sheet.problems[:PROBLEMS_SHOWN] if sheet else (),
        "more_problems": max(0, len(sheet.problems) - PROBLEMS_SHOWN) + sheet.problems_left_out if sheet else 0,
        "compared": compare(book, places) if book.sheet else None,
        "sheet_form": SheetForm(),
        "lines_form": SheetLinesForm(),
        "discounts": discount_rows(known=chosen.discounts),
        "money": MoneyForm(_books(), initial={"book": chosen.book or "", "in_currency": chosen.currency or ""}),
        "rates": rate_rows(known=chosen.rates),
        "series_names": series,
        "currencies": CURRENCIES,
        "machines": store_fleets.counts_of(fleet)[0],
        "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
        "limit_mib": settings.UPLOAD_LIMIT_BYTES // 2**20,
    }
    return render(request, PAGE, context | forms, status=status)
