"""The nvidia-smi reader: bars per GPU, processes, MPS, what changed, what to do. What is sent is not stored."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from advisor import samples, store
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.smi import read_smi
from advisor.engine.edge.smi_advice import advise_smi, compare
from advisor.forms.edge_text import SmiForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/edge/smi.html", "advisor/edge/_smi.html"


@require_http_methods(["GET", "HEAD", "POST"])
def edge_smi(request: HtmxRequest) -> HttpResponse:
    """The form, or what the outputs that were sent say; `?sample=1` reads two made-up ones."""
    known = store.edge()
    context: dict[str, Any] = {"section": "edge", "page": "edge-smi", "monitoring": known.by_topic("monitoring")}
    if request.method != "POST" and "sample" not in request.GET:
        return render_page(request, PAGE, PART, context | {"form": SmiForm()})
    form = SmiForm(request.POST, request.FILES) if request.method == "POST" else SmiForm(sample())
    context["form"] = form
    if not form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    context |= read(known, form)
    return render_page(request, PAGE, PART, context, status=200 if context["reading"].usable else 422)


def sample() -> dict[str, str]:
    """Two made-up outputs of one device."""
    return {
        "text": samples.edge_text("smi_after.txt"),
        "text_before": samples.edge_text("smi_before.txt"),
        "mps_planned": "on",
    }


def read(edge: EdgeCatalogue, form: SmiForm) -> dict[str, Any]:
    """Both readings, the advice on the later one, and what changed."""
    values = form.cleaned_data
    reading = read_smi(values["now"])
    advice = advise_smi(edge, reading, values["mps_planned"])
    found: dict[str, Any] = {
        "reading": reading,
        "advice": [entry.remark for entry in advice],
        "to_look_at": sum(entry.remark.level in ("warning", "error") for entry in advice) + len(reading.failures),
    }
    if values["before"]:
        before = read_smi(values["before"])
        found |= {"before": before, "changes": compare(before, reading) if before.gpus and reading.gpus else ()}
    return found
