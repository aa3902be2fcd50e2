"""The start page: hand in a fleet, or see what an answer looks like."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from advisor import documents, samples, store
from advisor.engine.readers.hand_list import TEMPLATE
from advisor.forms.upload import FILES_MAX, FilesForm, LinesForm, typed_rows

PAGE = "advisor/start/page.html"


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Empty forms, the samples, and an example answered by the engine."""
    return start_page(request)


def start_page(request: HttpRequest, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The start page with forms as they were sent, where they were."""
    version = store.current_version()
    catalogue = store.read_catalogue(version)
    context = {
        "files_form": FilesForm(),
        "lines_form": LinesForm(),
        "typed_rows": typed_rows(),
        "samples": samples.figures(version),
        "example": samples.example_to_show(version, timezone.now().date()),
        "sizes": sorted(catalogue.sizes),
        "regions": sorted(region.display_name for region in catalogue.regions.values()),
        "files_max": FILES_MAX,
        "minutes_kept": settings.FILES_KEPT_MINUTES,
        "limit_bytes": settings.UPLOAD_LIMIT_BYTES,
        "at_once_bytes": settings.READ_AT_ONCE_BYTES,
        "limit_mib": settings.UPLOAD_LIMIT_BYTES // 2**20,
        "section": "start",
    }
    return render(request, PAGE, context | forms, status=status)


@require_safe
def template(request: HttpRequest) -> HttpResponse:
    """An empty list to fill in: the text of `inspect --template`."""
    response = HttpResponse(TEMPLATE, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="fleet.csv"'
    return response


@require_safe
def exporting(request: HttpRequest) -> HttpResponse:
    """How to get a file that can be read, from each tool."""
    return render(request, "advisor/start/exporting.html", {"text": documents.exporting(), "section": "start"})
