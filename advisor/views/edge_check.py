"""The checker of deployments: every mistake with line and reason, and the corrected text. Nothing is stored."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from advisor import samples, store
from advisor.engine.edge.check import check_deployment
from advisor.forms.edge_text import CheckForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/edge/check.html", "advisor/edge/_checked.html"


@require_http_methods(["GET", "HEAD", "POST"])
def edge_check(request: HtmxRequest) -> HttpResponse:
    """The form, or what is wrong with the deployment that was sent; `?sample=1` checks a made-up one."""
    known = store.edge()
    context: dict[str, Any] = {"section": "edge", "page": "edge-check", "mistakes": known.by_topic("yaml")}
    if request.method != "POST" and "sample" not in request.GET:
        return render_page(request, PAGE, PART, context | {"form": CheckForm()})
    sample = {"text": samples.edge_text("deployment.yaml")}
    form = CheckForm(request.POST, request.FILES) if request.method == "POST" else CheckForm(sample)
    context["form"] = form
    if not form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    checked = check_deployment(known, form.cleaned_data["data"], form.mps_is_on())
    context |= {"checked": checked, "warnings": len(checked.problems) - checked.errors}
    return render_page(request, PAGE, PART, context, status=422 if checked.corrected is None else 200)
