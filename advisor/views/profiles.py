"""What was said of pools, kept: one pool or many; then back to where it was said."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST
from django_htmx.http import reswap, retarget

from advisor import store_fleets
from advisor.engine.pools import make_pools
from advisor.engine.workload import ProfileFields
from advisor.forms.profile import ProfileForm
from advisor.views.answer import answer_context
from advisor.views.asked import Asked, asked
from advisor.views.pool import pool_context
from advisor.views.render import HtmxRequest, render_page


@require_POST
def profiles(request: HtmxRequest, fleet_id: UUID) -> HttpResponse:
    """Keep the profile of one pool, or add to those of many; 422 with what was typed when it cannot be used."""
    question = asked(request, fleet_id)
    pools = list(dict.fromkeys(request.POST.getlist("pool")))
    if not set(pools) <= _pool_ids(question):
        raise Http404
    many = "many" in request.POST
    form = ProfileForm(request.POST, key="many" if many or not pools else pools[0])
    if many:
        return _many(request, question, pools, form)
    if len(pools) != 1:
        raise Http404
    within = "pool" if request.POST.get("within") == "pool" else "answer"
    if not form.is_valid():
        return _bad(request, question, pools[0], form, within)
    store_fleets.say(question.fleet, pools, form.said())
    if within == "pool":
        return _see_other(question.address("pool", pools[0]))
    return _see_other(_with(question.address("answer"), f"open={pools[0]}") + f"#pool-{pools[0]}")


def _pool_ids(question: Asked) -> set[str]:
    """Ids of the fleet's pools; with switches that cannot be used there is none to speak of."""
    if not question.form.is_valid():
        return set()
    request = question.form.request(store_fleets.profiles_of(question.fleet))
    pools = make_pools(store_fleets.readings_of(question.fleet), question.world.catalogue, request)
    return {pool["id"] for pool in pools}


def _many(request: HtmxRequest, question: Asked, pools: list[str], form: ProfileForm) -> HttpResponse:
    if form.is_valid() and not pools:
        form.add_error(None, "Tick at least one pool in the table above.")
    elif form.is_valid() and form.said() == ProfileFields():
        form.add_error(None, "Say at least one thing about the pools.")
    if not form.is_valid():
        context = answer_context(request, question, many=form)
        return render_page(request, "advisor/advice/page.html", "advisor/advice/_answer.html", context, status=422)
    store_fleets.say_more(question.fleet, pools, form.said())
    return _see_other(question.address("answer") + "#pools")


def _bad(request: HtmxRequest, question: Asked, pool_id: str, form: ProfileForm, within: str) -> HttpResponse:
    """The pool again with what was typed and what is wrong with it; htmx gets the form alone."""
    context = pool_context(question, pool_id, within=within, profile=form)
    page, part = "advisor/advice/pool_page.html", "advisor/advice/_profile.html"
    response = render_page(request, page, part, context, status=422)
    return reswap(retarget(response, f"#profile-{pool_id}"), "outerHTML") if request.htmx else response


def _with(address: str, more: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{more}"


def _see_other(address: str) -> HttpResponse:
    """303: the browser, and htmx with it, goes on with GET."""
    return HttpResponseRedirect(address, status=303)
