"""The one place where a page and its part for htmx part ways."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from advisor.render_report import squeeze


class HtmxRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails


def render_page(
    request: HtmxRequest, page: str, part: str, context: dict[str, Any], *, status: int = 200, dense: bool = False
) -> HttpResponse:
    """The part for htmx, the page for all others and for history restores; the page includes the same part.

    A `dense` page goes out without the indentation of its templates, which is a fifth of a long one.
    """
    only_part = bool(request.htmx) and not request.htmx.history_restore_request
    response = render(request, part if only_part else page, context, status=status)
    if dense:
        response.content = squeeze(response.content.decode())
    patch_vary_headers(response, ("HX-Request", "HX-History-Restore-Request"))
    return response
