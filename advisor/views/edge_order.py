"""The order planner: who gets the GPU, step by step; and which order gives what is wanted."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from advisor import store
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.fit import Fit, fit
from advisor.engine.edge.orders import Plan, plan
from advisor.engine.edge.steps import WORDS, InvalidOrder
from advisor.engine.edge.want import Want, want
from advisor.forms.edge_order import OrderForm, WantForm
from advisor.forms.report import ReportForm
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/edge/order.html", "advisor/edge/_planner.html"
EXAMPLES = ("vm>k8s", "k8s>vm", "2vm>k8s", "vm2g>k8s", "vm>k8s>stopvm>startvm")
PLAN_TITLE = "Order of GPU VMs and Kubernetes"


@require_safe
def edge_order(request: HtmxRequest) -> HttpResponse:
    """One order on one device. A button that changes it leads to the address of the changed order."""
    known = store.edge()
    form = OrderForm(request.GET, known)
    wanted = WantForm(request.GET if "vms" in request.GET else None, known)
    context: dict[str, Any] = {"section": "edge", "page": "edge-order", "form": form, "wanted": wanted, "edge": known}
    context |= {"words": WORDS.items(), "sizes": known.sizes.values(), "share_form": ReportForm()}
    valid = form.is_valid()
    if valid:
        try:
            context |= planned(known, form, wanted)
        except InvalidOrder as error:
            form.add_error("steps", str(error))
            valid = False
    if not valid or (wanted.is_bound and wanted.errors):
        return render_page(request, PAGE, PART, context, status=422)
    query = form.address()
    if wanted.is_bound:
        query += "&" + urlencode([(name, wanted.data[name]) for name in wanted.fields if wanted.data.get(name)])
    address = f"{reverse('edge-order')}?{query}"
    only_part = bool(request.htmx) and not request.htmx.history_restore_request
    if form.cleaned_data["do"] and not only_part:
        return redirect(address)
    response = render_page(request, PAGE, PART, context)
    return push_url(response, address) if only_part else response


def planned(edge: EdgeCatalogue, form: OrderForm, wanted: WantForm) -> dict[str, Any]:
    """The order played through, and the order that gives what is wanted."""
    values = form.cleaned_data
    device, software, steps = values["device"], values["software"], values["steps"]
    played = plan(edge, device, steps, software, values["nodes"])
    context: dict[str, Any] = {"plan": played, "device": device, "query": form.address(), "share_title": PLAN_TITLE}
    context |= {"bad": first_bad(played), "fit": room(edge, played)}
    context["repairs"] = [
        (repair, f"?{changed(form, repair.plan.sequence)}", list(enumerate(repair.plan.steps, 1))[repair.done :])
        for repair in played.repairs
    ]
    context["examples"] = [(order, f"?{changed(form, order)}") for order in EXAMPLES]
    if wanted.is_bound and wanted.is_valid():
        start = steps if wanted.cleaned_data["after"] else ()
        context |= answered(form, want(edge, device, wanted.wish(), software, start))
    return context


def room(edge: EdgeCatalogue, played: Plan) -> Fit | None:
    """Whether all VMs with a named size fit, beside Kubernetes where a step sets it up; None without such VMs."""
    sizes = [result.step.size for result in played.steps for _ in range(result.step.vms) if result.step.size]
    kubernetes = any(result.step.word == "k8s" for result in played.steps)
    gone = any(result.step.word == "delvm" for result in played.steps)
    return fit(edge, played.device, sizes, kubernetes) if sizes and not gone else None


def answered(form: OrderForm, answer: Want) -> dict[str, Any]:
    """The answer to a wish, with links into the planner."""
    found: dict[str, Any] = {"want": answer}
    if answer.plan:
        found["want_steps"] = list(enumerate(answer.plan.steps, 1))[answer.done :]
        found["want_url"] = f"?{changed(form, answer.plan.sequence)}"
    found["instead"] = [(wish, near, f"?{changed(form, near.sequence)}") for wish, near in answer.instead]
    return found


def changed(form: OrderForm, sequence: str) -> str:
    """The query text of another order on the same device."""
    return urlencode([*form.base(), ("steps", sequence)], safe=":")


def first_bad(played: Plan) -> tuple[int, Any] | None:
    """Number and result of the first step that fails, else of the first that is open."""
    for word in ("fails", "unknown"):
        for number, result in enumerate(played.steps, 1):
            if word in result.outcomes:
                return number, result
    return None
