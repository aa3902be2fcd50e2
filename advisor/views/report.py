"""Reports: made by a POST from the answer, read by whoever has the link, taken back by their maker."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from advisor import store_reports
from advisor.access import may_change, shared_report
from advisor.edge_report import edge_context, is_edge
from advisor.engine.redact import OPTIONS
from advisor.forms.report import ReportForm
from advisor.models import StoredReport
from advisor.render_report import render_file, render_report, report_context
from advisor.views.asked import asked

HEADERS = {
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
}
FILE_NAME = "gpu-migration-report.html"


def unlisted(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """No search engine keeps the answer, no cache stores it, and a link followed from it does not tell its address."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return answer


@require_POST
@unlisted
def make_report(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """Freeze the answer with the switches of the address, and show its maker the link."""
    question, form = asked(request, fleet_id), ReportForm(request.POST)
    if not (question.form.is_valid() and form.is_valid()):
        context = {"fleet": question.fleet, "form": form, "switches": question.form, "query": question.query}
        return render(request, "advisor/report/make.html", context | {"section": "fleet"}, status=422)
    advice = question.advice(top=OPTIONS)
    secret = store_reports.freeze(
        question.fleet, advice, title=form.cleaned_data["title"], with_names=form.cleaned_data["with_names"]
    )
    return redirect("report", secret)


@require_safe
@unlisted
def report(request: HttpRequest, token: str) -> HttpResponse:
    """The report as it was made; its maker also sees the link and can take it back."""
    stored = shared_report(token)
    if stored.revoked_at is not None:
        return _gone(request, stored)
    address = request.build_absolute_uri(reverse("report", args=[token]))
    maker = {"token": token, "address": address} if may_change(request, stored) else None
    response = HttpResponse(render_report(request, _context(stored) | {"maker": maker}))
    if maker:  # without a referrer browsers send the form with Origin: null, which Django refuses
        response.headers["Referrer-Policy"] = "same-origin"
    return response


@require_safe
@unlisted
def report_file(request: HttpRequest, token: str) -> HttpResponse:
    """The same report as one HTML file."""
    stored = shared_report(token)
    if stored.revoked_at is not None:
        return _gone(request, stored)
    response = HttpResponse(render_file(_context(stored)))
    response.headers["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    return response


@require_POST
@unlisted
def revoke_report(request: HttpRequest, token: str) -> HttpResponse:
    """Take a report back. `token` is the link's secret, or for a list of one's own reports the stored hash."""
    stored = StoredReport.objects.filter(token=token).first() or shared_report(token)
    if not may_change(request, stored):
        raise Http404
    store_reports.take_back(stored)
    if stored.token != token:
        return redirect("report", token)
    return redirect("fleets") if stored.fleet_id is None else redirect("answer", stored.fleet_id)


def _context(stored: StoredReport) -> dict[str, Any]:
    if is_edge(stored.advice):
        return edge_context(stored.advice, title=stored.title, made_at=stored.made_at)
    return report_context(stored.advice, title=stored.title, made_at=stored.made_at, with_names=stored.with_names)


def _gone(request: HttpRequest, stored: StoredReport) -> HttpResponse:
    return render(request, "advisor/report/gone.html", {"revoked_at": stored.revoked_at}, status=410)
