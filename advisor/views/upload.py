"""A fleet is handed in: files, pasted lines, typed rows or a sample; and columns named by hand."""

from __future__ import annotations

import io
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from advisor import access, samples, store, store_fleets, store_imports, tasks, uploads
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import Reading
from advisor.engine.readers.overview import whole_file_problem
from advisor.engine.readers.preview import FIELDS, ColumnPreview, preview_columns
from advisor.forms.upload import ColumnsForm, FilesForm, LinesForm, more_rows, typed_rows
from advisor.models import StoredFleet, StoredUpload
from advisor.store_fleets import ReadFile
from advisor.templatetags.fleet import FIELD_WORDS
from advisor.views.start import start_page

REFUSED_PAGE = "advisor/fleet/refused_file.html"
COLUMNS_PAGE = "advisor/fleet/columns.html"
ERRORS_SHOWN = 3


@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    """Read what was handed in and go to its import page; what is of no use is answered with what to export instead."""
    store_fleets.purge_uploads()
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
    """One upload as read; its temporary file is gone afterwards."""
    try:
        return uploads.read_upload(str(upload.name), cast(BinaryIO, upload.file), catalogue, keep_for=owner)
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
    """Save what is of use and show it; a lone file without recognised columns goes to its columns first."""
    if not any(file.of_use for file in files):
        refused = [(file.reading, whole_file_problem(file.reading)) for file in files]
        return render(request, REFUSED_PAGE, {"files": refused, "section": "fleet"}, status=422)
    if len(files) == 1 and files[0].upload is not None:
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


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def columns(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Say which column of a kept file holds what; the file is read with that and deleted."""
    upload = access.own_upload(request, upload_id)
    fleet = _waiting_fleet(request)
    catalogue = store.catalogue()
    shown = preview_columns(upload.name, _stream(upload), catalogue)
    labels = [(field, FIELD_WORDS[field]) for field in FIELDS]
    if request.method != "POST":
        return _columns_page(request, upload, ColumnsForm(shown, labels), shown, fleet)
    form = ColumnsForm(shown, labels, request.POST)
    if not form.is_valid():
        return _columns_page(request, upload, form, shown, fleet, status=422)
    read = uploads.read_mapped(upload.name, _stream(upload), catalogue, form.by_column())
    if not read.reading.usable:
        return _columns_page(request, upload, form, shown, fleet, reading=read.reading, status=422)
    if fleet is None:
        fleet = store_fleets.save_fleet(upload.owner, upload.name, [read])
    else:
        store_fleets.replace_file(fleet, upload.pk, read)
    upload.delete()
    return redirect("fleet", fleet_id=fleet.pk)


def _stream(upload: StoredUpload) -> io.BytesIO:
    return io.BytesIO(bytes(upload.content))


def _waiting_fleet(request: HttpRequest) -> StoredFleet | None:
    """The fleet that the file belongs to, where it came with others; 404 for one of somebody else."""
    text = request.POST.get("fleet") or request.GET.get("fleet")
    if not text:
        return None
    try:
        return access.own_fleet(request, UUID(text))
    except ValueError as error:
        raise Http404 from error


def _columns_page(
    request: HttpRequest,
    upload: StoredUpload,
    form: ColumnsForm,
    shown: tuple[ColumnPreview, ...],
    fleet: StoredFleet | None,
    *,
    reading: Reading | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "upload": upload,
        "form": form,
        "columns": shown,
        "fleet": fleet,
        "problems": reading.problems[:3] if reading else (),
        "section": "fleet",
    }
    return render(request, COLUMNS_PAGE, context, status=status)
