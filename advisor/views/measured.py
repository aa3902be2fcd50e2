"""The speeds that a fleet's owner measured: a list, and the forms that change it, here and on a pool's page."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from advisor import access, store, store_fleets, store_measured
from advisor.engine.answer import PoolAdvice
from advisor.engine.catalogue import Catalogue
from advisor.engine.speed_own import COLUMNS, OwnRatio, UnreadableRatios, read_ratios
from advisor.forms.measured import MeasuredForm, refuse
from advisor.forms.small_tables import TableFileForm, TableLinesForm
from advisor.models import StoredFleet
from advisor.views.asked import Asked, next_address, switches_in

logger = logging.getLogger(__name__)

PAGE = "advisor/measured/page.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAsked:
    """What the small form on a pool's page asks: from the GPU of its machines to another."""

    key: str  # keeps ids apart
    gpu: str
    is_slice: bool
    gpus: Sequence[str]
    ratios: Sequence[OwnRatio]  # of this GPU
    form: MeasuredForm
    next: str  # where the pool stands open
    helps: str  # the GPU whose speed is not sure; "" where the first choice needs no measurement


def own_asked(question: Asked, pool: PoolAdvice, here: str) -> OwnAsked | None:
    """The small form of a pool; None where nobody says which GPU its machines have. `here`: see views.pool."""
    catalogue = question.world.catalogue
    size = catalogue.sizes.get(pool.size)
    if size is None or size.gpu is None:
        return None
    first = pool.options[0] if pool.options else None
    unsure = first is not None and first.speedup.low != first.speedup.high
    targets = [catalogue.sizes[option.size].gpu for option in pool.options]
    other = next((gpu for gpu in targets if gpu != size.gpu), None)
    own = store_measured.measured_in(question.fleet, catalogue)
    return OwnAsked(
        key=f"own-{pool.id}",
        gpu=size.gpu,
        is_slice=size.is_slice,
        gpus=sorted(catalogue.gpus),
        ratios=[one for one in own if size.gpu in one.gpus],
        form=MeasuredForm(initial={"to_gpu": other}),
        next=f"{here.rstrip('?&')}#own-{pool.id}",
        helps=(other or "") if unsure and targets[0] != size.gpu else "",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleet_measured(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """What was measured, and the forms that change it; each is a POST with `do` of its own.

    A table with a wrong row is not kept at all: 422 with what was sent and every line that is wrong.
    """
    fleet = access.own_fleet(request, fleet_id)
    if request.method != "POST":
        return _page(request, fleet)
    actions = {"add": _add, "file": _file, "lines": _lines, "remove": _remove, "clear": _clear}
    action = actions.get(request.POST.get("do", ""))
    if action is None:
        raise Http404
    return action(request, fleet)


def _add(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = MeasuredForm(request.POST)
    ratios = form.ratios(store.catalogue()) if form.is_valid() else ()
    return _keep(request, fleet, ratios, form, "ratio", "form")


def _file(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = TableFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, fleet, status=422, file_form=form)
    return form.with_stream(lambda _name, stream: _table(request, fleet, stream, form, "file"))


def _lines(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    form = TableLinesForm(request.POST)
    if not form.is_valid():
        return _page(request, fleet, status=422, lines_form=form)
    return form.with_stream(lambda _name, stream: _table(request, fleet, stream, form, "lines"))


def _table(request: HttpRequest, fleet: StoredFleet, stream: BinaryIO, form: forms.Form, field: str) -> HttpResponse:
    ratios: Sequence[OwnRatio] = ()
    try:
        ratios = read_ratios(stream, store.catalogue())
    except UnreadableRatios as error:
        refuse(form, field, error.problems)
    logger.info("measured speeds read: %s", len(ratios))
    return _keep(request, fleet, ratios, form, field, f"{field}_form")


def _keep(
    request: HttpRequest, fleet: StoredFleet, ratios: Sequence[OwnRatio], form: forms.Form, field: str, name: str
) -> HttpResponse:
    """Keep the ratios, then go on where they were typed; the page again with what is wrong."""
    if not form.errors:
        try:
            store_measured.add_measured(fleet, ratios)
        except store_measured.TooManyRatios as error:
            form.add_error(field, str(error))
    if form.errors:
        return _page(request, fleet, status=422, **{name: form})
    return _back(request, fleet, f"added={len(ratios)}")


def _remove(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    gpus = frozenset((request.POST.get("from_gpu", ""), request.POST.get("to_gpu", "")))
    store_measured.remove_measured(fleet, gpus)
    return _back(request, fleet)


def _clear(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    store_measured.clear_measured(fleet)
    return _back(request, fleet)


def _back(request: HttpRequest, fleet: StoredFleet, said: str = "") -> HttpResponse:
    """303: the browser goes on with GET, to where the form stood or to the list."""
    own = f"{reverse('fleet-measured', args=[fleet.pk])}?{'&'.join(filter(None, (switches_in(request), said)))}#list"
    return HttpResponseRedirect(next_address(request, fleet) or own, status=303)


def _page(request: HttpRequest, fleet: StoredFleet, *, status: int = 200, **sent: Any) -> HttpResponse:
    """The page with forms as they were sent, where they were."""
    catalogue = store.catalogue()
    ratios = store_measured.measured_in(fleet, catalogue)
    gpus = _gpus_of(fleet, catalogue)
    added = request.GET.get("added", "")
    context: dict[str, Any] = {
        "section": "fleet",
        "fleet": fleet,
        "query": switches_in(request),
        "next": next_address(request, fleet),
        "rows": [(one, bool(one.gpus & set(gpus))) for one in ratios],
        "added": int(added) if added.isascii() and added.isdigit() and len(added) < 5 else None,
        "form": MeasuredForm(initial={"from_gpu": gpus[0] if gpus else ""}),
        "file_form": TableFileForm(),
        "lines_form": TableLinesForm(),
        "columns": COLUMNS,
        "example": example(gpus),
        "gpus": sorted(catalogue.gpus),
    }
    return render(request, PAGE, context | sent, status=status)


def _gpus_of(fleet: StoredFleet, catalogue: Catalogue) -> list[str]:
    """The GPUs that the fleet has, most machines first."""
    machines: dict[str, int] = {}
    for packed in store_fleets.packed_of(fleet):
        for row in packed["rows"]:
            size = catalogue.sizes.get(row["size"])
            if size is not None and size.gpu is not None:
                machines[size.gpu] = machines.get(size.gpu, 0) + row["count"]
    return sorted(machines, key=lambda gpu: (-machines[gpu], gpu))


def example(gpus: Iterable[str]) -> str:
    """Two lines as a table has them, from a GPU of the fleet."""
    own = next((gpu for gpu in gpus if gpu != "T4"), "K80")
    return f'{",".join(COLUMNS)}\n{own},T4,2.5,"ResNet-50 training, batch 64"'
