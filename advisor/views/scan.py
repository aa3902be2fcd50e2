"""Paste anything: which sizes in it are dead, dying, current or unknown, by line. What is sent is not stored."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from advisor import samples, store
from advisor.engine.scan import MAX_BYTES, STATES, scan_text
from advisor.engine.single import REGION
from advisor.forms.scan import ScanForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/scan/page.html", "advisor/scan/_found.html"
LINES_SHOWN = 12  # of one size; the others are counted
FOUND_SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
def scan(request: HtmxRequest) -> HttpResponse:
    """The form, or what stands in the text that was sent; `?sample=1` searches a made-up one."""
    context: dict[str, Any] = {"section": "retirements", "page": "scan", "most": MAX_BYTES}
    if request.method != "POST" and "sample" not in request.GET:
        return render_page(request, PAGE, PART, context | {"form": ScanForm()})
    posted = request.method == "POST"
    form = ScanForm(request.POST, request.FILES) if posted else ScanForm({"text": samples.scan_text()})
    context["form"] = form
    if not form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    world, as_of = store.world(), timezone.localdate()
    found = scan_text(form.cleaned_data["data"], world, as_of)
    context |= {
        "scan": found,
        "found": found.found[:FOUND_SHOWN],
        "found_left": max(0, len(found.found) - FOUND_SHOWN),
        "counts": [(state, found.count(state)) for state in STATES],
        "text_unread": form.cleaned_data["text_unread"],
        "lines_shown": LINES_SHOWN,
        "as_of": as_of,
        "catalogue": world.catalogue,
        "region": world.catalogue.regions[REGION].display_name,
    }
    return render_page(request, PAGE, PART, context)
