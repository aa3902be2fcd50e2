"""Edge devices: what is in them, which size fits which, how long they live, and where documents disagree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from advisor import store
from advisor.engine.edge.devices import EdgeSize
from advisor.engine.edge.fit import SizeFit, size_fits


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
        "fit_devices": [device for device in known.devices.values() if device.gpus],
        "fit_rows": fits(known.version),
        "about_drivers": known.by_topic("driver"),
    }
    return render(request, "advisor/edge/overview.html", context)


@lru_cache(maxsize=2)
def fits(version: str) -> tuple[tuple[EdgeSize, tuple[SizeFit, ...]], ...]:
    """Every size with every device that has a GPU; worked out once per version of the catalogue."""

    def rows() -> Iterator[tuple[EdgeSize, tuple[SizeFit, ...]]]:
        found = size_fits(known)
        for size in sorted(known.sizes.values(), key=lambda size: (size.card, size.gpus, size.memory_gib, size.name)):
            yield size, tuple(cell for cell in found if cell.size is size)

    known = store.read_edge(version)
    return tuple(rows())


@require_safe
def disagreements(request: HttpRequest) -> HttpResponse:
    """Every pair of documents that disagree, and which is followed."""
    known = store.edge()
    return render(
        request,
        "advisor/edge/disagreements.html",
        {"section": "edge", "page": "edge-disagreements", "edge": known, "conflicts": known.conflicts},
    )
