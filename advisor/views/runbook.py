"""The runbook to one size, and the facts of the machines: parts of a pool's page, or pages of their own."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import reswap, retarget

from advisor import store_machines
from advisor.engine.contrast.named import UnknownSize, size_named
from advisor.engine.vm_facts import NOTHING
from advisor.forms.machine import MachineForm, initial_of
from advisor.views.asked import Asked, asked
from advisor.views.pool import TOP, rules_in_order
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/runbook/page.html", "advisor/runbook/_runbook.html"
FACTS_PAGE, FACTS_PART = "advisor/runbook/facts_page.html", "advisor/runbook/_facts.html"


@require_safe
def runbook(request: HtmxRequest, fleet_id: UUID, pool_id: str) -> HttpResponse:
    """Each step to a size in full; to the first choice where the address names none. 404 for no such option."""
    question = asked(request, fleet_id)
    context = _head(question)
    if not question.form.is_valid():
        return render_page(request, PAGE, PART, context, status=422)
    size = _size(question, request.GET.get("size", ""))
    advice, pool = question.pool(pool_id, top=TOP if size is None else 0, against=() if size is None else (size,))
    found = [entry for entry in pool.runbooks if size in (None, entry.size)]
    if not found:
        raise Http404
    option = next(option for option in pool.options if option.size == found[0].size)
    context |= {"advice": advice, "pool": pool, "option": option, "runbook": found[0]}
    context |= {"rules": rules_in_order(option), "regions": question.world.catalogue.regions}
    return render_page(request, PAGE, PART, context)


def _head(question: Asked) -> dict[str, Any]:
    return {"section": "fleet", "fleet": question.fleet, "query": question.query, "form": question.form}


def _size(question: Asked, text: str) -> str | None:
    """The size that the address names, in any spelling; 404 where there is none of that name."""
    if not text:
        return None
    try:
        return size_named(question.world.catalogue, text[:100])
    except UnknownSize:
        raise Http404 from None


@require_http_methods(["GET", "HEAD", "POST"])
def machines(request: HtmxRequest, fleet_id: UUID, pool_id: str) -> HttpResponse:
    """The facts of a pool's machines: shown with what the file says, kept with the fleet; 422 for a bad value."""
    question = asked(request, fleet_id)
    context = _head(question)
    if not question.form.is_valid():
        return render_page(request, FACTS_PAGE, FACTS_PART, context, status=422)
    within = "answer" if "answer" in (request.POST.get("within"), request.GET.get("within")) else "pool"
    advice, pool = question.pool(pool_id, top=1)
    said = store_machines.machines_of(question.fleet).get(pool.id, NOTHING)
    form = MachineForm(request.POST or None, key=pool.id, initial=initial_of(said))
    if request.method == "POST" and form.is_valid():
        store_machines.say_of_machines(question.fleet, pool.id, form.said())
        return HttpResponseRedirect(_back(question, pool.id, within), status=303)
    form.explain(pool.facts)
    context |= {"advice": advice, "pool": pool, "facts_form": form, "within": within}
    context["embedded"] = bool(request.htmx)
    if not form.errors:
        return render_page(request, FACTS_PAGE, FACTS_PART, context)
    response = render_page(request, FACTS_PAGE, FACTS_PART, context, status=422)
    return reswap(retarget(response, f"#facts-{pool.id}"), "innerHTML") if request.htmx else response


def _back(question: Asked, pool_id: str, within: str) -> str:
    if within == "pool":
        return question.address("pool", pool_id)
    address = question.address("answer")
    return f"{address}{'&' if '?' in address else '?'}open={pool_id}#pool-{pool_id}"
