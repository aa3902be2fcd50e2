"""The one place where a page and its part for htmx part ways."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails


def render_page(
    request: HtmxRequest, page: str, part: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The part for htmx, the page for all others and for history restores; the page includes the same part."""
    only_part = bool(request.htmx) and not request.htmx.history_restore_request
    response = render(request, part if only_part else page, context, status=status)
    patch_vary_headers(response, ("HX-Request", "HX-History-Restore-Request"))
    return response
