"""What retires when: for the whole catalogue and for one fleet, by date, by service, with every conflict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from advisor import access, store, store_fleets
from advisor.charts.timeline import timeline
from advisor.engine.calendar import catalogue_entries
from advisor.engine.catalogue import Catalogue
from advisor.engine.fleet_ends import FleetEnd, fleet_ends, vms_unknown
from advisor.engine.life import MARK_WORDS, Lane
from advisor.engine.pools import make_pools
from advisor.engine.request import AdviceRequest
from advisor.engine.retirements import (
    Entry,
    ending_sizes,
    entries_of,
    histories,
    lanes_by_date,
    lifecycle_conflicts,
    service_ends,
    sizes_apart,
)
from advisor.exports.ics import to_ics
from advisor.forms.retirements import LedgerForm, RetirementsForm
from advisor.models import StoredFleet
from advisor.views.render import HtmxRequest, render_page
from advisor.views.size import lane_words

PAGE, PART = "advisor/retirements/page.html", "advisor/retirements/_ledger.html"
FLEET_PAGE, FLEET_PART = "advisor/retirements/fleet.html", "advisor/retirements/_fleet.html"
WIDE, NARROW = 640, 340
ENDS_SHOWN, ENDS_DRAWN = 60, 24  # of one fleet, the soonest first; the calendar has all
ICS = "text/calendar; charset=utf-8"


@require_safe
def retirements(request: HtmxRequest) -> HttpResponse:
    """The whole ledger; filters refresh it in place."""
    catalogue = replace(store.catalogue())  # lifecycles of any day a reader asks for are not kept for ever
    every = ending_sizes(catalogue)
    form = RetirementsForm(request.GET, series_of(catalogue, every))
    valid = form.is_valid()
    sizes = [name for name in every if form.said("series") in ("", catalogue.sizes[name].series)]
    context = {"form": form, "section": "retirements", "page": "retirements", "catalogue": catalogue}
    path = calendar_path(form.said("series"))
    context |= ledger(catalogue, sizes, form)
    context |= {"calendar_path": path, "calendar_url": request.build_absolute_uri(path)}
    return render_page(request, PAGE, PART, context, status=200 if valid else 422)


def series_of(catalogue: Catalogue, sizes: Iterable[str]) -> list[str]:
    """The series of the sizes, by name."""
    return sorted({catalogue.sizes[name].series for name in sizes})


def ledger(catalogue: Catalogue, sizes: Sequence[str], form: LedgerForm) -> dict[str, Any]:
    """Lanes and drawing, entries, services, moved dates, sizes that stand apart, conflicts."""
    as_of, service, when = form.day(), form.said("service"), form.said("when")
    groups = [g for g in lanes_by_date(catalogue, sizes, as_of) if service in ("", g.lane.service)]
    shown = [g for g in groups if not when or is_coming(g.lane, as_of) == (when == "coming")]
    return {
        "as_of": as_of,
        "next": next((g for g in groups if is_coming(g.lane, as_of)), None),
        "coming": sum(is_coming(g.lane, as_of) for g in groups),
        "entries": [entry for entry in entries_of(catalogue, sizes, as_of) if is_wanted(entry, form, as_of)],
        "services": [end for end in service_ends(catalogue, sizes, as_of) if service in ("", end.service)],
        "histories": histories(catalogue, sizes, as_of),
        "apart": sizes_apart(catalogue, sizes, as_of),
        "conflicts": lifecycle_conflicts(catalogue, sizes),
        **drawings([(g.label, g.lane) for g in shown], as_of),
    }


def is_coming(lane: Lane, as_of: date) -> bool:
    """True while the last end that counts, or the only one that anyone gives, lies ahead."""
    end = lane.last_end or lane.first_end
    return end is not None and end > as_of


def is_wanted(entry: Entry, form: LedgerForm, as_of: date) -> bool:
    """True for an entry that passes every filter."""
    if form.said("service") not in ("", entry.service) or form.said("kind") not in ("", entry.event):
        return False
    coming = entry.on is not None and entry.on > as_of
    return not form.said("when") or coming == (form.said("when") == "coming")


def drawings(lanes: Sequence[tuple[str, Lane]], as_of: date) -> dict[str, Any]:
    """The timeline in both widths, its letters, and the same in words."""
    names, drawn = [name for name, _lane in lanes], [lane for _name, lane in lanes]
    used = {mark.event for lane in drawn for mark in lane.marks}
    return {
        "wide": timeline(drawn, as_of, WIDE, names) if drawn else None,
        "narrow": timeline(drawn, as_of, NARROW, names) if drawn else None,
        "letters": [(letter, words) for event, (letter, words) in MARK_WORDS.items() if event in used],
        "struck": any(mark.superseded for lane in drawn for mark in lane.marks),
        "summary": " ".join(f"{name}: {lane_words(lane)}." for name, lane in lanes),
    }


def calendar_path(series: str) -> str:
    """Where the ends of the catalogue, or of one series, are read as a calendar."""
    return reverse("retirements-ics") + ("?" + urlencode({"series": series}) if series else "")


@require_safe
def retirements_ics(request: HttpRequest) -> HttpResponse:
    """The ends of the catalogue as a calendar; `series` may be given several times."""
    catalogue = store.catalogue()
    wanted = set(request.GET.getlist("series")[:100])
    sizes = [name for name in ending_sizes(catalogue) if not wanted or catalogue.sizes[name].series in wanted]
    entries = catalogue_entries(catalogue, sizes, catalogue.as_of)
    known = series_of(catalogue, sizes)
    name = "Azure N-series: what retires when" + (f" ({', '.join(known)})" if wanted and known else "")
    return calendar_response(to_ics(name, entries, catalogue.as_of, link_to(request)), "n-series-retirements.ics")


def link_to(request: HttpRequest) -> Any:
    """From a size to the full address of its page."""
    return lambda size: request.build_absolute_uri(reverse("size", args=[size]))


def calendar_response(data: bytes, name: str) -> HttpResponse:
    """iCalendar text, that browsers hand to the calendar program."""
    response = HttpResponse(data, content_type=ICS)
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@never_cache
@require_safe
def fleet_retirements(request: HtmxRequest, fleet_id: UUID) -> HttpResponse:
    """What of one fleet stops when, with the ledger of its sizes."""
    fleet = access.own_fleet(request, fleet_id)
    catalogue = replace(store.catalogue())
    form = LedgerForm(request.GET)
    valid = form.is_valid()
    ends = ends_of(fleet, catalogue, form.day())
    sizes = sorted({end.size for end in ends if end.size in catalogue.sizes})
    context = {"fleet": fleet, "form": form, "section": "fleet", "catalogue": catalogue}
    context |= ledger(catalogue, sizes, form) | figures(ends, form.day())
    context |= {"ends": ends[:ENDS_SHOWN], "ends_left": max(0, len(ends) - ENDS_SHOWN)}
    dated = [end for end in ends if end.on or end.earlier][:ENDS_DRAWN]
    context |= drawings([(end.name(catalogue), end.lane) for end in dated], form.day())
    context |= {"calendars": fleet.calendars.count()}
    return render_page(request, FLEET_PAGE, FLEET_PART, context, status=200 if valid else 422)


def ends_of(fleet: StoredFleet, catalogue: Catalogue, as_of: date) -> list[FleetEnd]:
    """The ends of a fleet's machines."""
    pools = make_pools(store_fleets.readings_of(fleet), catalogue, AdviceRequest(as_of=as_of))
    return fleet_ends(catalogue, pools, as_of)


def figures(ends: Sequence[FleetEnd], as_of: date) -> dict[str, int]:
    """Machines that have stopped, that will, that have no announced end, and of which no source says how they stand."""
    gone = sum(end.vms for end in ends if end.on is not None and end.on <= as_of)
    coming = sum(end.vms for end in ends if end.on is not None and end.on > as_of)
    unknown = vms_unknown(ends)
    vms = sum(end.vms for end in ends)
    return {
        "vms": vms,
        "gone": gone,
        "stopping": coming,
        "endless": vms - gone - coming - unknown,
        "unknown": unknown,
    }
