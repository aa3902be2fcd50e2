"""One size: every fact with its source and date, its life, its prices, its moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from advisor import store
from advisor.charts.timeline import timeline
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.citations import cite_all
from advisor.engine.ledger import status_at
from advisor.engine.life import MARK_WORDS, Lane, lanes_of, ledger_of
from advisor.engine.listing import family_of
from advisor.engine.request import AdviceRequest
from advisor.engine.size_facts import driver_facts, facts_of, gpu_facts, software_of, sustained
from advisor.engine.size_moves import SPEED_COLUMNS, kind_of, moves_from, moves_to, precisions_of, speeds_of
from advisor.engine.size_prices import COLUMNS, PriceRow, by_price, offers_of, prices_of
from advisor.forms.size import PriceForm, SizeForm

WIDE, NARROW = 640, 340
PRICE_ROWS = 10  # regions shown before the reader asks for all
LONGEST_NAME = 80  # longer texts are no size; they are not compared with all names


@require_safe
def size(request: HttpRequest, name: str) -> HttpResponse:
    """The page of one size; another spelling leads to the canonical one, an unknown name to the nearest."""
    world = store.world()
    canonical = world.catalogue.canonical_size(name[:LONGEST_NAME])
    if canonical is None:
        near = world.catalogue.nearest_sizes(name[:LONGEST_NAME], 5)
        missing = {"name": name, "near": near, "section": "catalogue"}
        return render(request, "advisor/size/missing.html", missing, status=404)
    if canonical != name:
        query = request.META.get("QUERY_STRING", "")
        return HttpResponseRedirect(
            reverse("size", args=[canonical]) + (f"?{quote(query, safe='=&-')}" if query else "")
        )
    if canonical in world.catalogue.listed_names:
        return render(request, "advisor/size/listed.html", listed(world.catalogue, canonical))
    form = SizeForm(request.GET)
    valid = form.is_valid()
    context = {"form": form, "section": "catalogue"} | about(world, world.catalogue.sizes[canonical], form)
    return render(request, "advisor/size/page.html", context, status=200 if valid else 422)


def listed(catalogue: Catalogue, name: str) -> dict[str, Any]:
    """A name that price lists use and no page describes."""
    near = [other for other in catalogue.nearest_sizes(name, 6) if other in catalogue.sizes]
    return {"listed": catalogue.listed_names[name], "near": near, "section": "catalogue"}


def about(world: World, size: Size, form: SizeForm) -> dict[str, Any]:
    """Everything the page shows, as seen from the day of the form."""
    as_of = form.day()
    catalogue = replace(world.catalogue)  # lifecycles of any day a reader asks for are not kept for ever
    context = {"size": size, "as_of": as_of, "catalogue": catalogue, "family": family_of(size), "kind": kind_of(size)}
    context |= life(catalogue, size, as_of) | facts(catalogue, size)
    context |= prices(world, catalogue, size, as_of, form.prices()) | moves(world, catalogue, size, as_of)
    context["sources"] = cite_all(sources_of(context))
    return context


def life(catalogue: Catalogue, size: Size, as_of: date) -> dict[str, Any]:
    """Lanes, drawing, ledger and conflicts."""
    lanes = lanes_of(catalogue, size.name, as_of)
    used = {mark.event for lane in lanes for mark in lane.marks}
    return {
        "status": status_at(catalogue, size.name, None, as_of),
        "lanes": lanes,
        "elsewhere": [lane for lane in lanes if tells_more(lane, lanes[0])],
        "switched_off": [lane for lane in lanes if lane.status.forced_stop and lane.service != "vm"],
        "wide": timeline(lanes, as_of, WIDE),
        "narrow": timeline(lanes, as_of, NARROW),
        "letters": [(letter, words) for event, (letter, words) in MARK_WORDS.items() if event in used],
        "struck": any(mark.superseded for lane in lanes for mark in lane.marks),
        "ledger": ledger_of(catalogue, size.name, as_of),
        "conflicts": catalogue.conflicts_of.get(size.name, ()),
        "summary": summary(lanes),
    }


def tells_more(lane: Lane, general: Lane) -> bool:
    """True for a lane with an end of its own, beside that of VMs in general."""
    return bool(lane.regions) or lane.last_end != general.last_end


def summary(lanes: Iterable[Lane]) -> str:
    """The drawing in words, for those who do not see it."""
    return " ".join(f"{lane.label}: {lane_words(lane)}." for lane in lanes)


def lane_words(lane: Lane) -> str:
    """The state of one lane in words."""
    first, last = lane.first_end, lane.last_end
    if last is None:
        return (
            f"no end announced by Microsoft, a third party says {first}" if first else f"{lane.status.status}, no date"
        )
    return f"until {last}" + (f", another source says {first}" if first and first < last else "")


def facts(catalogue: Catalogue, size: Size) -> dict[str, Any]:
    """The machine, its drivers, its GPU."""
    gpu = catalogue.gpus.get(size.gpu or "")
    own = facts_of(catalogue, size)
    support = catalogue.series_support.get(size.series)
    drivers = driver_facts(support)
    return {
        "facts": own,
        "unknown_count": sum(fact.value is None for fact in own + drivers),
        "support": support,
        "drivers": drivers,
        "gpu": gpu,
        "gpu_facts": gpu_facts(gpu) if gpu else [],
        "sustained": sustained(gpu) if gpu else [],
        "software": software_of(catalogue, size.gpu or ""),
    }


def prices(world: World, catalogue: Catalogue, size: Size, as_of: date, asked: PriceForm) -> dict[str, Any]:
    """Prices by region, in the order asked for, and the terms of commitments."""
    book = world.quotes.book
    rows = prices_of(catalogue, book, size, asked.os, as_of)
    if asked.sort:
        rows = by_price(rows, COLUMNS.index(asked.sort))
    shown = rows if asked.everything else first_of(rows, by_name=not asked.sort)
    cited = dict.fromkeys(cell.source for row in shown for cell in row.cells if cell.source)
    numbers = {source: number for number, source in enumerate(cited, 1)}
    return {
        "book": book,
        "asked": asked,
        "price_rows": [(row, [(cell, numbers.get(cell.source)) for cell in row.cells]) for row in shown],
        "price_regions": len(rows),
        "priced": any(cell.hourly for row in rows for cell in row.cells),
        "price_sources": [(number, source) for source, number in numbers.items()],
        "price_columns": [(model, asked.address(sort=model)) for model in COLUMNS],
        "offers": offers_of(book, size, as_of),
        "spot": book.spot.get(size.series),
        "estimated": any(cell.kind == "estimated" for row in rows for cell in row.cells),
    }


def first_of(rows: list[PriceRow], *, by_name: bool) -> list[PriceRow]:
    """The first regions; by name, those where a document offers the size, then those with a price that can be used."""
    if len(rows) <= PRICE_ROWS + 2:
        return rows
    if by_name:
        rows = sorted(rows, key=lambda row: (row.offer != "documented", row.cells[0].kind != "listed"))
    return rows[:PRICE_ROWS]


def moves(world: World, catalogue: Catalogue, size: Size, as_of: date) -> dict[str, Any]:
    """Documented moves and speeds."""
    model = world.speed_model(AdviceRequest(as_of=as_of))
    return {
        "moves_from": moves_from(model, catalogue, size, as_of),
        "moves_to": moves_to(model, catalogue, size, as_of),
        "speeds": speeds_of(model, catalogue, size, as_of),
        "speed_columns": [
            (kind, precision)
            for (kind, _profile), precision in zip(SPEED_COLUMNS, precisions_of(catalogue, size), strict=True)
        ],
    }


def sources_of(context: dict[str, Any]) -> Iterable[str]:
    """The source of everything on the page, in its order."""
    for fact in (*context["facts"], *context["drivers"], *context["gpu_facts"]):
        yield fact.source
    for line in context["ledger"]:
        yield line.event.source
    for conflict in context["conflicts"]:
        yield from (conflict.source_a, conflict.source_b)
    for row in context["software"]:
        yield row.source
    for terms, _sold in context["offers"]:
        yield terms.source
    if context["spot"]:
        yield context["spot"].source
    for move in (*context["moves_from"], *context["moves_to"]):
        yield move.move.source
