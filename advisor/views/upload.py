"""A fleet is handed in: files, pasted lines, typed rows or a sample."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from advisor import access, samples, store, store_fleets, store_imports, store_uploads, tasks, uploads
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.overview import whole_file_problem
from advisor.forms.upload import FilesForm, LinesForm, more_rows, typed_rows
from advisor.store_fleets import ReadFile
from advisor.views.start import start_page

REFUSED_PAGE = "advisor/fleet/refused_file.html"
ERRORS_SHOWN = 3


@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """Read what was handed in and go to its import page; what is of no use is answered with what to export instead."""
    store_uploads.purge()
    how = request.POST.get("how")
    if how == "lines":
        return _lines(request)
    return _typed(request) if how == "typed" else _files(request)


def _files(request: HttpRequest) -> HttpResponse:
    form = FilesForm(request.POST, request.FILES, bytes_waiting=store_imports.bytes_waiting())
    if not form.is_valid():
        return start_page(request, files_form=form, status=422)
    chosen: list[UploadedFile[Any]] = form.cleaned_data["file"]
    name = str(chosen[0].name) if len(chosen) == 1 else f"{chosen[0].name} and {len(chosen) - 1} more"
    owner = access.owner_of(request)
    if sum(upload.size or 0 for upload in chosen) > settings.READ_AT_ONCE_BYTES:
        row = store_imports.keep(owner, name, chosen)
        tasks.enqueue(row)
        return redirect("import", import_id=row.pk)
    catalogue = store.catalogue()
    files = uploads.as_one_fleet([_read(upload, catalogue, owner) for upload in chosen])
    return _keep(request, name, files)


def _read(upload: UploadedFile[Any], catalogue: Catalogue, owner: str) -> ReadFile:
    """One upload as read; its temporary file is gone afterwards. A table is kept aside, see store_uploads."""
    try:
        return uploads.read_upload(str(upload.name), cast(BinaryIO, upload.file), catalogue, owner=owner)
    finally:
        upload.close()


def _lines(request: HttpRequest) -> HttpResponse:
    form = LinesForm(request.POST)
    if not form.is_valid():
        return start_page(request, lines_form=form, status=422)
    read = uploads.read_lines(form.cleaned_data["lines"], store.catalogue())
    if not read.reading.usable:
        errors = [problem for problem in read.reading.problems if problem.severity == "error"]
        said = [problem for problem in errors if problem.line is not None] or errors
        form.add_error("lines", [problem.message for problem in said[:ERRORS_SHOWN]])
        return start_page(request, lines_form=form, status=422)
    return _keep(request, "Pasted lines", [read])


def _typed(request: HttpRequest) -> HttpResponse:
    if "more" in request.POST:
        return start_page(request, typed_rows=more_rows(request.POST))
    rows = typed_rows(request.POST)
    if not rows.is_valid():
        return start_page(request, typed_rows=rows, typed_error=True, status=422)
    if rows.is_empty:
        return start_page(request, typed_rows=rows, typed_empty=True, status=422)
    catalogue = store.catalogue()
    reading = uploads.read_typed(rows.rows(), catalogue)
    if rows.refuse(reading, catalogue):
        return start_page(request, typed_rows=rows, typed_error=True, status=422)
    return _keep(request, "Typed list", [ReadFile(reading=reading)])


def _keep(request: HttpRequest, name: str, files: list[ReadFile]) -> HttpResponse:
    """Save what is of use and show it; of a lone file without recognised columns these are matched first."""
    if not any(file.of_use for file in files):
        refused = [(file.reading, whole_file_problem(file.reading)) for file in files]
        return render(request, REFUSED_PAGE, {"files": refused, "section": "fleet"}, status=422)
    if len(files) == 1 and files[0].waits:
        return redirect("upload", upload_id=files[0].upload)
    fleet = store_fleets.save_fleet(access.owner_of(request), name, files)
    return redirect("fleet", fleet_id=fleet.pk)


@require_POST
def sample(request: HttpRequest, slug: str) -> HttpResponse:
    """A sample becomes a fleet of this browser; "to" says whether its import page or its answer is shown."""
    found = samples.find(slug)
    if found is None:
        raise Http404
    with found.open() as stream:
        read = uploads.read_upload(found.file, stream, store.catalogue())
    fleet = store_fleets.save_fleet(access.owner_of(request), found.title, [read])
    return redirect("answer" if request.POST.get("to") == "answer" else "fleet", fleet_id=fleet.pk)
