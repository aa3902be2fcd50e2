"""The commitments of a fleet: what its owner holds, which pools use it, and the forms that change it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from advisor import access, store, store_fleets, store_held, store_prices
from advisor.engine.commitments import HeldLine, held_lines
from advisor.engine.held_file import COLUMNS, MOST_ROWS, read_held
from advisor.engine.held_rules import EXCHANGE_RULE, EXCHANGE_RULE_BEFORE, EXCHANGES_END, RULES
from advisor.engine.request import AdviceRequest
from advisor.forms.commitments import HeldForm, refuse
from advisor.forms.small_tables import TableFileForm, TableLinesForm
from advisor.models import StoredFleet

logger = logging.getLogger(__name__)

PAGE = "advisor/commitments/page.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table, with the key by which it is removed."""

    key: str
    line: HeldLine


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleet_commitments(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """What is held, and the forms that change it; each is a POST with `do` of its own."""
    fleet = access.own_fleet(request, fleet_id)
    if request.method != "POST":
        return _page(request, fleet)
    actions = {"add": _add, "file": _file, "lines": _lines, "remove": _remove, "clear": _clear}
    action = actions.get(request.POST.get("do", ""))
    if action is None:
        raise Http404
    return action(request, fleet)


def _add(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = HeldForm(request.POST)
    one = form.commitment(store.catalogue()) if form.is_valid() else None
    if one is None:
        return _page(request, fleet, status=422, form=form)
    if _is_full(fleet, 1):
        form.add_error(None, _FULL)
        return _page(request, fleet, status=422, form=form)
    return _keep(fleet, (one,))


def _file(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = TableFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, fleet, status=422, file_form=form)
    return form.with_stream(lambda name, stream: _list(request, fleet, name, stream, form, "file"))


def _lines(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = TableLinesForm(request.POST)
    if not form.is_valid():
        return _page(request, fleet, status=422, lines_form=form)
    return form.with_stream(lambda name, stream: _list(request, fleet, name, stream, form, "lines"))


def _list(request: HttpRequest, fleet: StoredFleet, name: str, stream: BinaryIO, form: Any, field: str) -> HttpResponse:
    """Read a list and keep it; one with a wrong row is not kept at all: a commitment left out changes figures."""
    reading = read_held(name, stream, store.catalogue())
    logger.info("commitments read: %s rows, %s held", reading.rows_read, len(reading.held))
    if not refuse(form, field, reading) and _is_full(fleet, len(reading.held)):
        form.add_error(field, _FULL)
    if form.errors:
        return _page(request, fleet, status=422, **{f"{field}_form": form})
    return _keep(fleet, reading.held, skipped=reading.skipped)


_FULL = f"A fleet has at most {MOST_ROWS:,} commitments. Remove some first."


def _is_full(fleet: StoredFleet, more: int) -> bool:
    return len(fleet.held) + more > MOST_ROWS


def _keep(fleet: StoredFleet, held: Any, skipped: int = 0) -> HttpResponse:
    currency = store_prices.priced_world(fleet).world.quotes.book.currency
    added = store_held.add_held(fleet, held, currency)
    return _back(fleet, f"?added={added}&skipped={skipped}")


def _remove(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    store_held.remove_held(fleet, request.POST.get("key", ""))
    return _back(fleet)


def _clear(_request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    store_held.clear_held(fleet)
    return _back(fleet)


def _back(fleet: StoredFleet, query: str = "") -> HttpResponse:
    """303: the browser goes on with GET, to what is held."""
    return HttpResponseRedirect(f"{reverse('fleet-commitments', args=[fleet.pk])}{query}#held", status=303)


def _page(request: HttpRequest, fleet: StoredFleet, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page with forms as they were sent, where they were."""
    priced = store_prices.priced_world(fleet)
    usable = store_held.usable_held(fleet, priced)
    catalogue, today = priced.world.catalogue, timezone.localdate()
    asked = AdviceRequest(as_of=today, by_pool=store_fleets.profiles_of(fleet), rates=priced.prices.rates)
    lines = held_lines(usable.held, store_fleets.readings_of(fleet), priced.world, asked)
    counted = set(usable.held)
    context = {
        "section": "fleet",
        "fleet": fleet,
        "today": today,
        "currency": priced.world.quotes.book.currency,
        "rows": [Row(key=store_held.key_of(line.held), line=line) for line in lines],
        "left_out": [(store_held.key_of(one), one) for one in store_held.held_of(fleet) if one not in counted],
        "notes": usable.notes,
        "added": _number(request, "added"),
        "skipped": _number(request, "skipped"),
        "form": HeldForm(initial={"term": "P3Y"}),
        "file_form": TableFileForm(),
        "lines_form": TableLinesForm(),
        "columns": ", ".join(COLUMNS),
        "sizes": sorted(size.short for size in catalogue.sizes.values() if size.is_gpu),
        "regions": sorted(region.display_name for region in catalogue.regions.values()),
        "region_names": catalogue.regions,
        "rules": RULES,
        "exchanges_end": EXCHANGES_END,
        "end_used": EXCHANGE_RULE,
        "end_before": EXCHANGE_RULE_BEFORE,
    }
    return render(request, PAGE, context | forms, status=status)


def _number(request: HttpRequest, name: str) -> int | None:
    """A count in the address, as the redirect wrote it; None for anything else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
