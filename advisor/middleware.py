"""Refuses a request that is larger than any upload may be, before a byte of it is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from socket import socket
from typing import BinaryIO

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string

#: Room for the form around the files.
FORM_BYTES = 1024 * 1024
CHUNK_BYTES = 64 * 1024
#: A browser shows the answer only when it could send its file; we take the rest, in pieces, for this long at most.
DRAIN_SECONDS = 20.0
#: Some senders stop at the answer and wait for its end; then nothing more comes.
SILENCE_SECONDS = 2.0


class UploadLimitMiddleware:
    """Answers 413 by the length that the request states; the page goes out first, the rest is thrown away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if content_length(request) <= settings.UPLOAD_LIMIT_BYTES + FORM_BYTES:
            return self.get_response(request)
        page = render_to_string("413.html", {"limit_mib": settings.UPLOAD_LIMIT_BYTES // 2**20}, request)
        parts = page_then_rest(page.encode(), request.META.get("wsgi.input"), request.META.get("gunicorn.socket"))
        response = StreamingHttpResponse(parts, status=413)
        response["Cache-Control"] = "no-store"
        return response


def content_length(request: HttpRequest) -> int:
    """Bytes of the body as the request states them; 0 where it does not, and then no body is read at all."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def page_then_rest(page: bytes, stream: BinaryIO | None, line: socket | None = None) -> Iterator[bytes]:
    """The page; then nothing more, while the unread body is taken from the line and forgotten.

    `line` is the socket where the server tells it: a sender that falls silent must not hold a thread for ever.
    """
    yield page
    until = time.monotonic() + DRAIN_SECONDS
    before = line.gettimeout() if line else None
    try:
        if line:
            line.settimeout(SILENCE_SECONDS)
        while stream is not None and time.monotonic() < until and stream.read(CHUNK_BYTES):
            pass
    except (OSError, ValueError):  # the sender has gone, or waits for us
        return
    finally:
        if line:
            line.settimeout(before)
