"""How busy the GPUs of a fleet were: files of monitoring, and which machine each of their hosts is."""

from __future__ import annotations

import logging
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from advisor import access, store, store_assumptions, store_fleets, store_utilisation
from advisor.engine.catalogue import Catalogue
from advisor.engine.pool_use import remarks
from advisor.engine.pools import Pool, join_utilisation, make_pools
from advisor.engine.readers import Reading, read_file
from advisor.engine.readers.overview import whole_file_problem
from advisor.engine.readers.together import beside_a_fleet
from advisor.engine.request import AdviceRequest
from advisor.engine.worked import TIMES
from advisor.engine.workload import ProfileFields
from advisor.forms.utilisation import HostsForm, UtilisationForm
from advisor.models import StoredFleet
from advisor.templatetags.figures import short

logger = logging.getLogger(__name__)

PAGE = "advisor/utilisation/page.html"
GPUS_SHOWN = 80
PROBLEMS_SHOWN = 20
ERRORS_SHOWN = 5


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fleet_utilisation(request: HttpRequest, fleet_id: UUID) -> HttpResponse:
    """What was watched, and the forms that change it; each is a POST with `do` of its own."""
    fleet = access.own_fleet(request, fleet_id)
    if request.method != "POST":
        return _page(request, fleet)
    actions = {"add": _add, "match": _match, "use": _use, "remove": _remove}
    action = actions.get(request.POST.get("do", ""))
    if action is None:
        raise Http404
    return action(request, fleet)


def _add(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    """Read files and keep them; where one says nothing of GPUs none is kept."""
    form = UtilisationForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, fleet, status=422, form=form)
    catalogue = store.catalogue()
    readings = [_read(upload, catalogue) for upload in form.cleaned_data["file"]]
    for reading in [reading for reading in readings if not reading.utilisation][:ERRORS_SHOWN]:
        problem = whole_file_problem(reading)
        why = problem.message if problem else "This is a list of machines. Hand it in on the start page."
        form.add_error("file", f"{reading.file}: {why}")
    most = store_utilisation.FILES_MAX
    if store_utilisation.number_of_files(fleet) + len(readings) > most:
        form.add_error("file", f"A fleet keeps at most {most} files of utilisation. Remove them first, or pack them.")
    if form.errors:
        return _page(request, fleet, status=422, form=form)
    store_utilisation.add_utilisation(fleet, [beside_a_fleet(reading) for reading in readings])
    return _back(fleet, f"?added={len(readings)}#watched")


def _read(upload: UploadedFile[Any], catalogue: Catalogue) -> Reading:
    try:
        reading = read_file(str(upload.name), cast(BinaryIO, upload.file), catalogue)
    finally:
        upload.close()  # its temporary file goes
    logger.info("utilisation read: %s, %s rows, %s GPUs", reading.format, reading.rows_read, len(reading.utilisation))
    return reading


def _match(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    joined, pools = _joined(fleet)
    form = HostsForm(joined, _pool_words(pools), request.POST)
    if not form.is_valid():
        return _page(request, fleet, status=422, hosts_form=form)
    store_utilisation.say_of_hosts(fleet, form.said())
    return _back(fleet, "#watched")


def _use(request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    """What was watched of some machines counts for the whole pool, as if its owner had typed it."""
    _, pools = _joined(fleet)
    pool = next((pool for pool in pools if pool["id"] == request.POST.get("pool")), None)
    use = pool["gpu_use"] if pool else None
    if pool is None or use is None:
        raise Http404
    fields = ProfileFields(gpu_memory_gib=use.needed_gib, utilisation=use.asked_share)
    store_fleets.say_more(fleet, [pool["id"]], fields)
    return HttpResponseRedirect(f"{reverse('pool', args=[fleet.pk, pool['id']])}", status=303)


def _remove(_request: HttpRequest, fleet: StoredFleet) -> HttpResponse:
    store_utilisation.remove_utilisation(fleet)
    return _back(fleet)


def _back(fleet: StoredFleet, more: str = "") -> HttpResponse:
    """303: the browser goes on with GET."""
    return HttpResponseRedirect(f"{reverse('fleet-utilisation', args=[fleet.pk])}{more}", status=303)


def _request(fleet: StoredFleet) -> AdviceRequest:
    return AdviceRequest(
        as_of=timezone.localdate(),
        by_pool=store_fleets.profiles_of(fleet),
        hosts=store_utilisation.hosts_of(fleet),
        assume=tuple(store_assumptions.assumed_in(fleet).items()),
    )


def _joined(fleet: StoredFleet) -> tuple[Any, list[Pool]]:
    catalogue, readings, asked = store.catalogue(), store_fleets.readings_of(fleet), _request(fleet)
    return join_utilisation(readings, catalogue, asked), make_pools(readings, catalogue, asked)


def _pool_words(pools: list[Pool]) -> dict[str, str]:
    """Each pool by its id, as a choice names it."""
    return {
        pool["id"]: f"{pool['vms']} {TIMES} {short(pool['size'])}, {pool['region'] or 'no region'}"
        + (f", {pool['name']}" if pool["name"] else "")
        for pool in pools
    }


def _page(request: HttpRequest, fleet: StoredFleet, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page with forms as they were sent, where they were."""
    joined, pools = _joined(fleet)
    words = _pool_words(pools)
    gpus = [(host, use) for host in joined.hosts for use in host.uses]
    problems = [
        problem for reading in store_fleets.readings_of(fleet) if reading.utilisation for problem in reading.problems
    ]
    added = request.GET.get("added", "")
    context = {
        "section": "fleet",
        "fleet": fleet,
        "joined": joined,
        "gpus": gpus[:GPUS_SHOWN],
        "gpus_left": max(0, len(gpus) - GPUS_SHOWN),
        "pools": [(pool, words[pool["id"]], remarks_of(pool)) for pool in pools if pool["gpu_use"]],
        "pool_words": words,
        "problems": problems[:PROBLEMS_SHOWN],
        "problems_left": max(0, len(problems) - PROBLEMS_SHOWN),
        "added": int(added) if added.isascii() and added.isdigit() and len(added) < 4 else None,
        "form": UtilisationForm(),
        "hosts_form": HostsForm(joined, words),
    }
    return render(request, PAGE, context | forms, status=status)


def remarks_of(pool: Pool) -> tuple[str, ...]:
    """What counts of a pool's figures, and what does not."""
    return remarks(pool["gpu_use"], pool["gpu_use"].used)
