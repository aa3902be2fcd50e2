"""Columns matched by hand: the first lines of a kept file, a trial of what was said of them, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from advisor import access, store, store_fleets, store_imports, store_mappings, store_uploads, tasks, uploads
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.tops import TableTop, table_tops, with_header
from advisor.engine.readers.trial import trial
from advisor.forms.matching import MatchingForm, WhereForm
from advisor.models import StoredFleet, StoredUpload
from advisor.store_fleets import ReadFile
from advisor.store_mappings import Matched, matched_of

PAGE = "advisor/matching/page.html"
GONE_PAGE = "advisor/matching/gone.html"
COLUMNS_SHOWN = 16  # of the first lines; every column can be chosen beside them


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A kept file, the fleet that has it (None: it waits by itself), and how its columns were matched before."""

    upload: StoredUpload
    fleet: StoredFleet | None
    tops: tuple[TableTop, ...]
    before: Matched | None

    @property
    def guess_of_sheet(self) -> TableTop:
        """The table that was matched before, else the one with most columns."""
        sheet = self.before.mapping.sheet if self.before else None
        chosen = [top for top in self.tops if sheet is not None and top.part == sheet]
        return chosen[0] if chosen else max(self.tops, key=lambda top: (len(top.table.sample) > 0, len(top.names)))


def _asked(request: HttpRequest, upload_id: UUID, catalogue: Catalogue) -> Asked:
    upload = access.own_upload(request, upload_id)
    if not store_uploads.is_kept(upload):
        raise Http404
    fleet = _fleet(request)
    items = [item for item in (fleet.readings if fleet else ()) if item["upload"] == str(upload.pk)]
    matched = next((item["matched"] for item in items if item.get("matched")), None)
    with store_uploads.path_of(upload.pk).open("rb") as stream:
        tops = table_tops(upload.name, stream, catalogue)
    if not tops:
        raise Http404
    return Asked(upload=upload, fleet=fleet, tops=tops, before=matched_of(matched) if matched else None)


def _fleet(request: HttpRequest) -> StoredFleet | None:
    """The fleet that the file belongs to, where it came with others; 404 for one of somebody else."""
    text = request.POST.get("fleet") or request.GET.get("fleet")
    if not text:
        return None
    try:
        return access.own_fleet(request, UUID(text))
    except ValueError as error:
        raise Http404 from error


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def matching(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Say what the columns of a kept file hold; GET with choices tries them on the first rows, POST uses them."""
    catalogue = store.catalogue()
    asked = _asked(request, upload_id, catalogue)
    sent = request.POST if request.method == "POST" else request.GET
    where = WhereForm(sent)
    top = _top(where, asked, catalogue)
    known = asked.before.mapping if asked.before else None
    guess = top.guess(catalogue)
    if known is not None and (places := known.places(top.table.header)):
        guess = {name: place for name, place in guess.items() if name not in known.columns}
        guess |= {name: place for place, name in places.items()}
    offer = sent if "offer" in sent and request.method != "POST" else None  # other columns, and no trial yet
    form = MatchingForm(top, guess, sent if "f-size" in sent and offer is None else None, initial=offer)
    context = _context(asked, where, top, form)
    if not form.is_bound:
        return render(request, PAGE, context, status=422 if where.errors else 200)
    if not form.is_valid() or where.errors:
        return render(request, PAGE, context, status=422)
    mapping = form.mapping(every_sheet="every" in sent)
    if request.method == "POST":
        matched = Matched(mapping=mapping, shape=top.shape)
        problems = _use(asked, matched, catalogue)
        if isinstance(problems, HttpResponse):
            return problems
        return render(request, PAGE, context | {"problems": problems}, status=422)
    return render(request, PAGE, context | {"trial": trial(asked.upload.name, top, catalogue, mapping)})


def _top(where: WhereForm, asked: Asked, catalogue: Catalogue) -> TableTop:
    """The table with its header where the form says it is; as it is found, where the form says nothing that can be."""
    where.is_valid()
    top = where.sheet_of(asked.tops) or asked.guess_of_sheet
    line = where.cleaned_data.get("line")
    if line is None and not where.errors and asked.before is not None and top is asked.guess_of_sheet:
        line = asked.before.mapping.header_line
    if line is None or line == top.header_line:
        return top
    found = with_header(top, line, catalogue)
    if found is None:
        where.add_error("line", f"Line {line} is blank, or the file has no such line.")
    return found or top


def _use(asked: Asked, matched: Matched, catalogue: Catalogue) -> HttpResponse | tuple[Problem, ...]:
    """Read the whole file: at once, or by a worker where it is large. Answers what is wrong, where nothing is read."""
    upload, fleet = asked.upload, asked.fleet
    if upload.size > settings.READ_AT_ONCE_BYTES:
        row = store_imports.read_again(upload, matched, fleet.pk if fleet else None)
        tasks.enqueue(row)
        return redirect("import", import_id=row.pk)
    with store_uploads.path_of(upload.pk).open("rb") as stream:
        read = replace(uploads.read_upload(upload.name, stream, catalogue, matched=matched), upload=upload.pk)
    if not read.reading.usable:
        return read.reading.problems[:3]
    return _keep(upload, fleet, read)


def _keep(upload: StoredUpload, fleet: StoredFleet | None, read: ReadFile) -> HttpResponse:
    if fleet is None:
        fleet = store_fleets.save_fleet(upload.owner, upload.name, [read])
    else:
        store_fleets.replace_file(fleet, read)
    store_mappings.remember(upload.owner, read.matched)
    return redirect("answer" if read.reading.gpu_rows else "fleet", fleet_id=fleet.pk)


def _context(asked: Asked, where: WhereForm, top: TableTop, form: MatchingForm) -> dict[str, Any]:
    options = form.options()
    shown = sorted([place for place, _ in _important(form, options)][:COLUMNS_SHOWN])
    lines = [(line, [line.cells[place] if place < len(line.cells) else "" for place in shown]) for line in top.lines()]
    sheet = next(place for place, other in enumerate(asked.tops) if other.part == top.part)
    return {
        "upload": asked.upload,
        "fleet": asked.fleet,
        "where": where,
        "sheets": [(place, other.part) for place, other in enumerate(asked.tops)] if top.part is not None else [],
        "sheet": sheet,
        "line": top.header_line,
        "same_shape": [o.part for o in asked.tops if o.part != top.part and o.shape and o.shape == top.shape],
        "every": "every" in where.data,
        "form": form,
        "options": options,
        "columns": len(top.names),
        "columns_left": len(top.names) - len(options),
        "shown": [top.names[place] for place in shown],
        "shown_left": len(top.names) - len(shown),
        "lines": lines,
        "remembered": top.shape is not None,
        "kept_until": store_uploads.kept_until(asked.upload),
        "problems": (),
        "section": "fleet",
    }


def _important(form: MatchingForm, options: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The offered columns, those that are chosen first."""
    chosen = [row.chosen for row in form.rows()]
    return sorted(options, key=lambda option: (option[0] not in chosen, option[0]))


@never_cache
@require_safe
def match_again(request: HttpRequest, fleet_id: UUID, place: int) -> HttpResponse:
    """The page on which the columns of one file of a fleet are matched, while the file is kept; else what to do."""
    fleet, item = _item(request, fleet_id, place)
    if store_uploads.of_ids([item["upload"]]):
        return redirect(f"{reverse('upload', args=[item['upload']])}?{urlencode({'fleet': fleet.pk})}")
    files = [file for file in store_mappings.matched_files(fleet) if file.place == place]
    context = {"fleet": fleet, "file": item["active"]["summary"]["file"], "matched": files, "section": "fleet"}
    return render(request, GONE_PAGE, context | {"minutes": settings.FILES_KEPT_MINUTES}, status=410)


@require_POST
def forget(request: HttpRequest, fleet_id: UUID, place: int) -> HttpResponse:
    """The next file of this shape is read by the names of its columns; this fleet stays as it is."""
    fleet, item = _item(request, fleet_id, place)
    if item.get("matched"):
        store_mappings.forget(fleet.owner, item["matched"]["shape"])
    return redirect("answer" if request.POST.get("to") == "answer" else "fleet", fleet_id=fleet.pk)


def _item(request: HttpRequest, fleet_id: UUID, place: int) -> tuple[StoredFleet, dict[str, Any]]:
    """A fleet of this session and one of its files; 404 where there is none."""
    fleet = access.own_fleet(request, fleet_id)
    if place >= len(fleet.readings):
        raise Http404
    return fleet, fleet.readings[place]
