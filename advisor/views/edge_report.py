"""A plan for an edge device frozen as a report, like any other: a secret link, one file, taken back by its maker."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from advisor import store, store_reports
from advisor.access import owner_of
from advisor.edge_report import order_document, sharing_document
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.orders import plan
from advisor.engine.edge.sharing import plan_sharing
from advisor.engine.edge.steps import InvalidOrder
from advisor.forms.edge_apps import AppsForm
from advisor.forms.edge_order import OrderForm
from advisor.forms.report import ReportForm
from advisor.views.edge_sharing import card_facts
from advisor.views.report import unlisted

PLANS = {"edge-order": "Order of GPU VMs and Kubernetes", "edge-sharing": "Sharing of GPUs on an edge device"}
LONGEST_QUERY = 20_000


@require_POST
@unlisted
def make_edge_report(request: HttpRequest) -> HttpResponse:
    """Freeze the plan of the address in `query`, and show its maker the link."""
    form, kind, query = ReportForm(request.POST), request.POST.get("plan", ""), request.POST.get("query", "")
    if kind not in PLANS:
        kind, query = "edge-order", ""
    document = frozen(kind, query[:LONGEST_QUERY])
    if document is None or not form.is_valid():
        context = {"section": "edge", "share_form": form, "page": kind, "query": query, "no_plan": document is None}
        context |= {"share_title": PLANS[kind], "back": f"{reverse(kind)}?{query}"}
        return render(request, "advisor/edge/share_refused.html", context, status=422)
    title = form.cleaned_data["title"] if request.POST.get("title", "").strip() else PLANS[kind]
    return redirect("report", store_reports.freeze_edge(owner_of(request), document, title=title))


def frozen(kind: str, query: str) -> dict[str, Any] | None:
    """The plan as JSON; None when there is none to share."""
    known = store.edge()
    return frozen_order(known, query) if kind == "edge-order" else frozen_sharing(known, query)


def frozen_order(edge: EdgeCatalogue, query: str) -> dict[str, Any] | None:
    form = OrderForm(QueryDict(query), edge)
    if not form.is_valid() or not form.cleaned_data["steps"]:
        return None
    values = form.cleaned_data
    try:
        return order_document(plan(edge, values["device"], values["steps"], values["software"], values["nodes"]))
    except InvalidOrder:
        return None


def frozen_sharing(edge: EdgeCatalogue, query: str) -> dict[str, Any] | None:
    form = AppsForm(QueryDict(query), edge)
    apps = form.apps() if form.is_valid() else ()
    if not apps:
        return None
    values = form.cleaned_data
    sharing = plan_sharing(edge, values["device"], apps, values["software"], values["cuda"] or None)
    return sharing_document(sharing, card_facts(edge, sharing))
