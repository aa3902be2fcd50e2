"""Edge devices: what is in them, which size fits which, how long they live, and where documents disagree."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store


@require_safe
def edge(request: HttpRequest) -> HttpResponse:
    """Devices, sizes and their life."""
    known = store.edge()
    context = {
        "section": "edge",
        "page": "edge",
        "edge": known,
        "devices": known.devices.values(),
        "releases": sorted(known.releases.values(), key=lambda release: release.name, reverse=True),
        "life": known.by_topic("lifecycle"),
        "about_devices": known.by_topic("device"),
        "about_sizes": known.by_topic("size"),
        "about_drivers": known.by_topic("driver"),
    }
    return render(request, "advisor/edge/overview.html", context)


@require_safe
def disagreements(request: HttpRequest) -> HttpResponse:
    """Every pair of documents that disagree, and which is followed."""
    known = store.edge()
    return render(
        request,
        "advisor/edge/disagreements.html",
        {"section": "edge", "page": "edge-disagreements", "edge": known, "conflicts": known.conflicts},
    )
