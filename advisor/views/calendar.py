"""Secret links at which a calendar program reads the ends of a fleet: made, shown once, read, taken back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from advisor import access, store, store_calendars
from advisor.engine.calendar import fleet_entries
from advisor.engine.fleet_ends import vms_unknown
from advisor.exports.ics import to_ics
from advisor.views.report import unlisted
from advisor.views.retirements import calendar_response, ends_of, link_to

NAME = "GPU machines: what stops when"


@require_POST
@unlisted
def make_calendar(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Make a link for a fleet; the ones before keep working until they are taken back."""
    secret = store_calendars.make(access.own_fleet(request, fleet_id))
    return redirect("calendar", secret)


@require_safe
@unlisted
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """What stands in the calendar; its maker also sees the link and can take it back."""
    stored = access.shared_calendar(token)
    catalogue = store.catalogue()
    ends = ends_of(stored.fleet, catalogue, catalogue.as_of)
    context: dict[str, Any] = {
        "entries": fleet_entries(catalogue, str(stored.fleet_id), ends),
        "unknown": vms_unknown(ends),
        "token": token,
        "section": "fleet",
    }
    if access.may_change(request, stored):
        context["address"] = request.build_absolute_uri(reverse("calendar-ics", args=[token]))
        context["fleet_id"] = stored.fleet_id
    response = render(request, "advisor/calendar/page.html", context)
    if "address" in context:  # without a referrer browsers send the form with Origin: null, which Django refuses
        response.headers["Referrer-Policy"] = "same-origin"
    return response


@require_safe
@unlisted
def calendar_ics(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar itself, as the ledger and the fleet are today."""
    stored = access.shared_calendar(token)
    catalogue = store.catalogue()
    entries = fleet_entries(catalogue, str(stored.fleet_id), ends_of(stored.fleet, catalogue, catalogue.as_of))
    return calendar_response(to_ics(NAME, entries, catalogue.as_of, link_to(request)), "gpu-machines.ics")


@require_POST
@unlisted
def revoke_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Take one link back; it then answers as one that never was."""
    stored = access.shared_calendar(token)
    if not access.may_change(request, stored):
        raise Http404
    fleet_id = stored.fleet_id
    store_calendars.take_back(stored)
    return redirect("fleet-retirements", fleet_id)


@require_POST
def revoke_calendars(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Take all links of a fleet back, also those whose secret is lost."""
    fleet = access.own_fleet(request, fleet_id)
    store_calendars.take_back_all(fleet)
    return redirect("fleet-retirements", fleet.pk)
