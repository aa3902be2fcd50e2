"""Every figure without a source, in one place: as the list has it, and as a fleet counts with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import reswap, retarget

from advisor import access, store, store_assumptions
from advisor.engine.quotes import LISTED_DAYS, NO_SPOT_SAVING, USABLE_DAYS
from advisor.engine.workload import KIND_ELSE, KIND_OF_SERIES, SHAPE_OF
from advisor.forms.assumption import AssumptionField, by_group, fields_of, read_fields, values_of
from advisor.models import StoredFleet
from advisor.views.asked import next_address, switches_in
from advisor.views.render import HtmxRequest

FLEET_PAGE = "advisor/assumption/fleet.html"
EDIT_PART = "advisor/assumption/_edit.html"


@require_safe
def assumptions(request: HttpRequest) -> HttpResponse:
    """All assumptions, and what the work of a pool is taken for when nobody says."""
    catalogue = store.catalogue()
    used = {size.series for size in catalogue.sizes.values() if size.is_gpu}
    reasons = dict.fromkeys((*KIND_OF_SERIES.values(), KIND_ELSE))
    series = {reason: sorted(s for s in used if KIND_OF_SERIES.get(s, KIND_ELSE) == reason) for reason in reasons}
    context = {
        "section": "assumptions",
        "groups": by_group(fields_of({})),
        "kinds": [(kind, why, names) for (kind, why), names in series.items() if names],
        "shapes": [(kind, shape, why) for kind, (shape, why) in SHAPE_OF.items()],
        "usable_days": USABLE_DAYS,
        "listed_days": LISTED_DAYS,
        "no_spot_saving": NO_SPOT_SAVING,
    }
    return render(request, "advisor/assumption/page.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleet_assumptions(request: HtmxRequest, fleet_id: UUID) -> HttpResponse:
    """The assumptions that a fleet counts with; POST changes those it names, then goes back to where they were changed.

    A POST with a figure that cannot be used changes nothing: 422 with what was typed.
    """
    fleet = access.own_fleet(request, fleet_id)
    assumed = store_assumptions.assumed_in(fleet)
    if request.method != "POST":
        return _page(request, fleet, fields_of(assumed))
    fields = read_fields(request.POST, assumed)
    if any(field.error for field in fields.values()):
        return _refused(request, fleet, fields)
    store_assumptions.assume(fleet, values_of(fields.values()))
    return HttpResponseRedirect(next_address(request, fleet) or _own_address(request, fleet) + "#saved", status=303)


def _page(
    request: HtmxRequest, fleet: StoredFleet, fields: Mapping[str, AssumptionField], *, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"section": "fleet", "fleet": fleet, "query": switches_in(request)}
    context |= {"groups": by_group(fields), "next": next_address(request, fleet)}
    context["changed"] = [field for field in fields.values() if field.is_changed]
    context["wrong"] = [field for field in fields.values() if field.error]
    return render(request, FLEET_PAGE, context, status=status)


def _refused(request: HtmxRequest, fleet: StoredFleet, fields: Mapping[str, AssumptionField]) -> HttpResponse:
    """The page with what was typed; where a pool is open and htmx asks for it, the one control it was typed in."""
    wrong = [field for field in fields.values() if field.error]
    if not request.htmx or len(wrong) > 1:
        return _page(request, fleet, fields, status=422)
    within = "answer" if request.htmx.target == "answer" else "pool"
    context = {"fleet": fleet, "query": switches_in(request), "field": wrong[0], "within": within, "open": True}
    response = render(request, EDIT_PART, context | {"back": next_address(request, fleet)}, status=422)
    return reswap(retarget(response, f"#edit-{wrong[0].known.name}"), "outerHTML")


def _own_address(request: HttpRequest, fleet: StoredFleet) -> str:
    path, query = reverse("fleet-assumptions", args=[fleet.pk]), switches_in(request)
    return f"{path}?{query}" if query else path
