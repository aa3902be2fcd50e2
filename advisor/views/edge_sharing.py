"""The sharing planner and its manifests: apps onto the GPUs of a device, and the files that deploy them so."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from advisor import store
from advisor.engine.edge.apps import InvalidApps, Target
from advisor.engine.edge.devices import EdgeCatalogue, EdgeFact
from advisor.engine.edge.manifest import manifest
from advisor.engine.edge.sharing import ISOLATION, SharingPlan, plan_sharing
from advisor.engine.edge.sharing_time import published
from advisor.forms.edge_apps import AppsForm
from advisor.forms.report import ReportForm
from advisor.views.render import HtmxRequest, render_page

SHARING, SHARING_PART = "advisor/edge/sharing.html", "advisor/edge/_sharing.html"
MANIFEST, MANIFEST_PART = "advisor/edge/manifest.html", "advisor/edge/_manifest.html"
EXAMPLES = (
    (
        "Three apps by MPS",
        "name=detector&name=reader&name=counter&method=mps&method=mps&method=mps&share=50&share=40&share=30"
        "&memory=3000&memory=2500&memory=1500&image=registry.local/detector:1.4&image=registry.local/reader:2.0"
        "&image=registry.local/counter:1.0",
    ),
    (
        "A VM and two apps that take turns",
        "name=vision&name=indexer&name=search&method=vm&method=time&method=time&memory=&memory=4000&memory=6000"
        "&trusts=no&trusts=yes&trusts=yes&image=&image=registry.local/indexer:3&image=registry.local/search:3",
    ),
    (
        "The published experiment",
        "device=pro-gpu-1&name=nbody-1&name=nbody-2&method=mps&method=mps&memory=108&memory=108&kind=Job&kind=Job"
        "&image=registry.local/nbody:1&image=registry.local/nbody:1",
    ),
)
SHARE_TITLE = "Sharing of GPUs on an edge device"


@require_safe
def edge_sharing(request: HtmxRequest) -> HttpResponse:
    """Where each app goes and what that means."""
    return planner(request, "edge-sharing", SHARING, SHARING_PART)


@require_safe
def edge_manifest(request: HtmxRequest) -> HttpResponse:
    """The file that deploys the same apps, with the steps around it; `?download=1` gives the file alone."""
    return planner(request, "edge-manifest", MANIFEST, MANIFEST_PART)


def planner(request: HtmxRequest, name: str, page: str, part: str) -> HttpResponse:
    """Both pages: one form, one address, one plan."""
    known = store.edge()
    form = AppsForm(request.GET, known)
    context: dict[str, Any] = {"section": "edge", "page": name, "form": form, "edge": known, "examples": EXAMPLES}
    context |= {"isolation": isolation(known), "share_form": ReportForm(), "share_title": SHARE_TITLE}
    if not form.is_valid():
        return render_page(request, page, part, context, status=422)
    only_part = bool(request.htmx) and not request.htmx.history_restore_request
    if form.cleaned_data["do"]:
        form = AppsForm(QueryDict(form.address(form.changed())), known)
        form.is_valid()
        context["form"] = form
    address = f"{reverse(name)}?{form.address()}"
    if request.GET.get("do") and not only_part:
        return redirect(address)
    context["query"] = form.address()
    apps = form.apps()
    status = 200
    if apps:
        values = form.cleaned_data
        sharing = plan_sharing(known, values["device"], apps, values["software"], values["cuda"] or None)
        context |= {"sharing": sharing, "published": published(known), "card_facts": card_facts(known, sharing)}
        if name == "edge-manifest":
            status = written(known, form, sharing, context)
    if "made" in context and request.GET.get("download") and status == 200:
        return download(context["made"].text, context["made"].filename)
    response = render_page(request, page, part, context, status=status)
    return push_url(response, address) if only_part else response


def written(edge: EdgeCatalogue, form: AppsForm, sharing: SharingPlan, context: dict[str, Any]) -> int:
    """Put the manifest into the context, or why there is none; the status."""
    target: Target = "iotedge" if form.cleaned_data["target"] == "iotedge" else "kubernetes"
    try:
        context["made"] = manifest(edge, sharing, target, form.cleaned_data["namespace"] or None)
    except InvalidApps as error:
        context["refused"] = str(error)
        return 422
    return 200


def download(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def isolation(edge: EdgeCatalogue) -> list[tuple[Any, Any]]:
    """What each way of sharing keeps apart, with the statement behind it."""
    return [(kept, edge.facts[kept.fact]) for kept in ISOLATION.values()]


def card_facts(edge: EdgeCatalogue, sharing: SharingPlan) -> list[EdgeFact]:
    """What the SMs and the memory of the bars rest on."""
    card = (sharing.device.card or "").lower()
    return [edge.facts[code] for code in (f"device-sms-{card}", f"device-memory-{card}") if code in edge.facts]
