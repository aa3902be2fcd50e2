"""The page of a large file that is read by a worker: how far it is, how long it takes, and a way to stop it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from advisor import access, store_imports
from advisor.models import StoredFleet, StoredImport
from advisor.views.render import HtmxRequest, render_page

PAGE, PART = "advisor/imports/page.html", "advisor/imports/_progress.html"
State = StoredImport.State


@never_cache
@require_safe
def progress(request: HtmxRequest, import_id: UUID) -> HttpResponse:
    """How far the import is; the fleet page once it is read. htmx asks for the part each second."""
    row = access.own_import(request, import_id)
    moved_on = _next(row)
    if request.htmx and (moved_on or row.state not in store_imports.UNDER_WAY):
        return HttpResponseClientRedirect(moved_on or reverse("import", args=[row.pk]))
    if moved_on:
        return redirect(moved_on)
    return render_page(request, PAGE, PART, _context(row))


def _next(row: StoredImport) -> str | None:
    """The address of what was made of the import."""
    if row.state != State.DONE:
        return None
    if row.upload is not None:
        return reverse("upload", args=[row.upload])
    fleet = StoredFleet.objects.filter(pk__in=[row.pk, row.fleet or row.pk]).values_list("pk", flat=True).first()
    if fleet is None:
        return reverse("fleets")
    return reverse("answer" if row.matched else "fleet", args=[fleet])


def _context(row: StoredImport) -> dict[str, Any]:
    return {
        "row": row,
        "standing": store_imports.standing(row),
        "under_way": row.state in store_imports.UNDER_WAY,
        "attempts_max": store_imports.ATTEMPTS_MAX,
        "limit_mib": settings.UPLOAD_LIMIT_BYTES // settings.MIB,
        "minutes_kept": settings.FILES_KEPT_MINUTES,
        "section": "fleet",
    }


@require_POST
def cancel(request: HtmxRequest, import_id: UUID) -> HttpResponse:
    """Stop the import and delete its files; one that is read already is shown."""
    row = access.own_import(request, import_id)
    store_imports.cancel(row)
    return redirect("import", import_id=row.pk)
