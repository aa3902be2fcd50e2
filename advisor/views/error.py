"""Pages for requests that cannot be answered: each says what happened and what to do."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the request was larger than a form may be."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        context = {"text_mib": settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20}
        return render(request, "413.html", context, status=413)
    return render(request, "400.html", status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without this site's own token, such as one of a page that was open for long."""
    return render(request, "403_csrf.html", {"no_cookie": "cookie" in reason.lower()}, status=403)
