"""The first choice of a pool against a size that somebody names: a part of the pool's page, or the whole of it."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from advisor.forms.contrast import ContrastForm
from advisor.views.asked import asked
from advisor.views.pool import pool_context
from advisor.views.render import HtmxRequest, render_page

PAGE = "advisor/advice/pool_page.html"
PART = "advisor/advice/_contrast.html"


@require_safe
def contrast(request: HtmxRequest, fleet_id: UUID, pool_id: str) -> HttpResponse:
    """Why not the size of `against`, and what would have to be true; 422 for a name that is no size."""
    question = asked(request, fleet_id)
    compare = ContrastForm(request.GET, question.world.catalogue, key=pool_id)
    context = pool_context(question, pool_id, within="pool", compare=compare)
    valid = question.form.is_valid() and compare.is_valid()
    return render_page(request, PAGE, PART, context, status=200 if valid else 422, dense=True)
