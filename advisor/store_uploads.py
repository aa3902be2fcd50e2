"""Tables that were read, kept on disk for a while, so that their columns can be matched by hand."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from advisor.models import StoredUpload


def path_of(upload_id: UUID | str) -> Path:
    """Where a kept file lies; named by number, never by what a visitor calls it."""
    return Path(settings.UPLOADS_DIR) / str(upload_id)


def keep(owner: str, name: str, stream: BinaryIO, reason: str = "") -> StoredUpload | None:
    """Keep a file; None for one that is larger than all that may be kept. The oldest files make room for it."""
    size = stream.seek(0, os.SEEK_END)
    if size > settings.KEPT_LIMIT_BYTES:
        return None
    _make_room(size)
    row = StoredUpload(owner=owner, name=name[:200], size=size, reason=reason)
    _put(stream, path_of(row.pk))
    row.save()
    return row


def _put(stream: BinaryIO, path: Path) -> None:
    """A second name for a file that lies in the same folder, else a copy that only the server's user can read."""
    source = getattr(stream, "name", None)
    if isinstance(source, str) and Path(settings.UPLOADS_DIR) in Path(source).parents:
        os.link(source, path)
        return
    stream.seek(0)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(stream, file)


def _make_room(size: int) -> None:
    kept = int(StoredUpload.objects.aggregate(bytes=Sum("size"))["bytes"] or 0)
    for row in StoredUpload.objects.order_by("made_at").iterator() if kept + size > settings.KEPT_LIMIT_BYTES else ():
        kept -= row.size
        delete([row])
        if kept + size <= settings.KEPT_LIMIT_BYTES:
            return


def kept_until(row: StoredUpload) -> datetime:
    """When the file is deleted at the latest."""
    return row.made_at + timedelta(minutes=settings.FILES_KEPT_MINUTES)


def is_kept(row: StoredUpload) -> bool:
    """False once its time is over, also where nobody has deleted it yet, or when its file is gone."""
    return kept_until(row) > timezone.now() and path_of(row.pk).is_file()


def of_ids(ids: Iterable[UUID | str | None]) -> dict[str, StoredUpload]:
    """Those of the uploads that are still kept, by id."""
    wanted = [upload_id for upload_id in ids if upload_id]
    found = StoredUpload.objects.filter(pk__in=wanted) if wanted else ()
    return {str(row.pk): row for row in found if is_kept(row)}


def delete(rows: Iterable[StoredUpload]) -> None:
    """Delete kept files with their rows."""
    for row in rows:
        with suppress(FileNotFoundError):
            path_of(row.pk).unlink()
        row.delete()


def delete_ids(ids: Iterable[UUID | str | None]) -> None:
    """Delete kept files by their ids; those that are gone already are none."""
    if wanted := [upload_id for upload_id in ids if upload_id]:
        delete(StoredUpload.objects.filter(pk__in=wanted))


def purge() -> None:
    """Delete what was kept for its time."""
    before = timezone.now() - timedelta(minutes=settings.FILES_KEPT_MINUTES)
    delete(StoredUpload.objects.filter(made_at__lt=before))
