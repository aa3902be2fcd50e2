"""The import page of a fleet: what was recognised, ignored and refused; corrections, hours, deletion."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from advisor import (
    access,
    store,
    store_assumptions,
    store_fleets,
    store_imports,
    store_mappings,
    store_uploads,
    store_utilisation,
)
from advisor.engine.catalogue import Catalogue
from advisor.engine.pools import make_pools
from advisor.engine.readers.overview import overview, whole_file_problem
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.request import AdviceRequest
from advisor.forms.corrections import correction_fields, corrections
from advisor.models import StoredFleet
from advisor.views.upload import receive

PAGE = "advisor/fleet/page.html"
LIST_PAGE = "advisor/fleet/list.html"
ROWS_SHOWN = 40  # refused rows on one page; the next come when these are corrected
GROUPS_SHOWN = 60
POOLS_SHOWN = 30
FLEETS_SHOWN = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleets(request: HttpRequest) -> HttpResponse:
    """The fleets of this browser session; POST hands a new one in."""
    if request.method == "POST":
        return receive(request)
    found = access.own_fleets(request)[:FLEETS_SHOWN]
    listed = [(fleet, *store_fleets.counts_of(fleet)) for fleet in found]
    reading = access.own_imports(request).filter(state__in=store_imports.UNDER_WAY)
    return render(request, LIST_PAGE, {"fleets": listed, "reading": reading, "section": "fleet"})


@never_cache
@require_safe
def fleet(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """What was read, with figures that add up."""
    found = access.own_fleet(request, fleet_id)
    catalogue = store.catalogue()
    fields = list(correction_fields(store_fleets.refused_by_file(found)))
    rows = {(field.file, field.at) for field in fields}
    seen = overview(store_fleets.packed_of(found), catalogue)
    context = {
        "fleet": found,
        "seen": seen,
        "groups": seen.groups[:GROUPS_SHOWN],
        "groups_left": max(0, len(seen.groups) - GROUPS_SHOWN),
        "files": _files(found),
        "fields": fields[:ROWS_SHOWN],
        "fields_left": max(0, len(fields) - ROWS_SHOWN),
        "correctable": len(rows),
        "regions": catalogue.regions,
        "hours": _hours(found, catalogue),
        "work": _work(found, catalogue),
        "done": _done(request.GET),
        "minutes_kept": settings.FILES_KEPT_MINUTES,
        "watched": store_utilisation.number_of_files(found),
        "section": "fleet",
    }
    return render(request, PAGE, context)


def _files(fleet: StoredFleet) -> list[dict[str, Any]]:
    """Each file with why it is not used, how its columns were matched, and itself while it is kept to match them."""
    kept = store_uploads.of_ids(item["upload"] for item in fleet.readings)
    matched = {file.place: [file] for file in store_mappings.matched_files(fleet)}
    return [
        {
            "reading": reading,
            "problem": whole_file_problem(reading),
            "place": place,
            "until": store_uploads.kept_until(kept[item["upload"]]) if item["upload"] in kept else None,
            "matched": matched.get(place, []),
            "correctable": refused is not None,
            "told": [] if refused or not reading.usable else _refusals(reading),
        }
        for place, (reading, item, refused) in enumerate(
            zip(store_fleets.readings_of(fleet), fleet.readings, fleet.refused, strict=True)
        )
    ]


def _refusals(reading: Reading) -> list[Problem]:
    """What is wrong with rows that cannot be corrected in place."""
    return [p for p in reading.problems if p.severity == "error"][:ROWS_SHOWN]


def _hours(fleet: StoredFleet, catalogue: Catalogue) -> dict[str, Any] | None:
    """Both readings of the hours with what each makes in all; None where nothing is open."""
    if not store_fleets.hours_open(fleet):
        return None
    return {
        "per_row": store_fleets.hours_are_per_row(fleet),
        "per_vm_total": overview(store_fleets.packed_of(fleet, None), catalogue).hours,
        "per_row_total": overview(store_fleets.packed_of(fleet, "per-row"), catalogue).hours,
    }


def _work(fleet: StoredFleet, catalogue: Catalogue) -> dict[str, Any]:
    """What is assumed of each pool's work, and why."""
    assume = tuple(store_assumptions.assumed_in(fleet).items())
    request = AdviceRequest(
        as_of=timezone.now().date(),
        by_pool=store_fleets.profiles_of(fleet),
        hosts=store_utilisation.hosts_of(fleet),
        assume=assume,
    )
    pools = make_pools(store_fleets.readings_of(fleet), catalogue, request)
    return {"pools": pools[:POOLS_SHOWN], "left": max(0, len(pools) - POOLS_SHOWN)}


def _done(query: QueryDict) -> dict[str, int] | None:
    """How many corrections were just accepted and how many not, None when none were sent."""
    try:
        return {"accepted": int(str(query["accepted"])), "tried": int(str(query["tried"]))}
    except (KeyError, ValueError):
        return None


@require_POST
def correct(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Read corrected rows again; those that are right join the fleet, the others stay refused with what is wrong."""
    found = access.own_fleet(request, fleet_id)
    changes = corrections(request.POST, store_fleets.refused_by_file(found))
    accepted = store_fleets.apply_corrections(found, changes, store.catalogue()) if changes else 0
    tried = sum(map(len, changes.values()))
    return redirect(f"{reverse('fleet', args=[found.pk])}?accepted={accepted}&tried={tried}#fix")


@require_POST
def hours(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Read the hours that are open per machine or per row."""
    found = access.own_fleet(request, fleet_id)
    store_fleets.read_hours_as(found, "per-row" if request.POST.get("hours") == "per-row" else None)
    return redirect(f"{reverse('fleet', args=[found.pk])}#hours")


@require_POST
def delete(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Delete the fleet and all that was read."""
    store_fleets.delete_fleet(access.own_fleet(request, fleet_id))
    return redirect("fleets")
