"""Edge devices: what is in them, which size fits which, how long they live, and where documents disagree."""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store
from advisor.engine.edge.devices import EdgeDevice, EdgeSize
from advisor.engine.edge.fit import SizeFit, size_fits

#: A card, the devices with it, and each of its sizes with its fit on each of them.
FitGroup = tuple[str, list[EdgeDevice], list[tuple[EdgeSize, list[SizeFit]]]]
CARDS = ("T4", "A2")


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
        "about_sizes": (*known.by_topic("size"), *known.by_topic("room")),
        "fit_groups": fits(known.version),
        "about_drivers": known.by_topic("driver"),
    }
    return render(request, "advisor/edge/overview.html", context)


@lru_cache(maxsize=2)
def fits(version: str) -> tuple[FitGroup, ...]:
    """Every size with every device that has its card; worked out once per version of the catalogue."""
    known = store.read_edge(version)
    found = [cell for cell in size_fits(known) if cell.size.card == cell.device.card]
    sizes = sorted(known.sizes.values(), key=lambda size: (size.gpus, size.memory_gib, size.name))
    return tuple(
        (
            card,
            [device for device in known.devices.values() if device.card == card],
            [(size, [cell for cell in found if cell.size is size]) for size in sizes if size.card == card],
        )
        for card in CARDS
    )


@require_safe
def disagreements(request: HttpRequest) -> HttpResponse:
    """Every pair of documents that disagree, and which is followed."""
    known = store.edge()
    return render(
        request,
        "advisor/edge/disagreements.html",
        {"section": "edge", "page": "edge-disagreements", "edge": known, "conflicts": known.conflicts},
    )
