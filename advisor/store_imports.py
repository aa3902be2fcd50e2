"""Imports that a worker reads: files on disk, one row each, and a lease so that one worker at a time reads them.

Every step that a worker takes is one UPDATE on condition that it still holds the lease. A worker that was taken for
dead and comes back therefore changes nothing, and neither does one whose import was cancelled.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from advisor import store_fleets, store_mappings, store_uploads
from advisor.engine.readers.overview import whole_file_problem
from advisor.models import StoredFleet, StoredImport, StoredUpload, StoredWorker
from advisor.store_fleets import ReadFile
from advisor.store_mappings import Matched, matched_json

State = StoredImport.State
#: Files and rows of imports are deleted after this time, read or not.
IMPORTS_KEPT = timedelta(days=1)
#: A file that ends this many workers is not read again: it may be what kills them.
ATTEMPTS_MAX = 3
UNDER_WAY = (State.WAITING, State.READING)
TOO_OFTEN = (
    "The worker that read this was ended {attempts} times, most likely because memory ran out. Split the file, or keep "
    "only the columns size, region, count and hours."
)
NO_FLEET = "No fleet could be read from it."


class Stopped(Exception):
    """The import was cancelled, or another worker has it: the reading ends and keeps nothing."""


@dataclass(frozen=True, kw_only=True)
class Far:
    """How far a worker is: bytes done and to do in all, rows read, the part of a file that holds several."""

    done: int
    total: int
    rows: int
    part: int = 1
    again: bool = False  # a file is being read once more


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What the page of an import says besides the row itself. `seconds_left` is None where nothing tells it."""

    share: float  # of the bytes
    seconds_left: float | None
    before: int  # imports that are read first
    worker_runs: bool


def folder(import_id: UUID) -> Path:
    """Where the files of an import lie; named by number, never by what a visitor calls them."""
    return Path(settings.UPLOADS_DIR) / str(import_id)


def bytes_waiting() -> int:
    """Bytes of all imports that are not read yet."""
    found = StoredImport.objects.filter(state__in=UNDER_WAY).aggregate(bytes=Sum("bytes_total"))
    return int(found["bytes"] or 0)


def keep(owner: str, name: str, uploads: Sequence[UploadedFile[Any]]) -> StoredImport:
    """Take over uploads from their temporary files; all of them or none."""
    import_id = uuid4()
    place = folder(import_id)
    place.mkdir(parents=True, mode=0o700)
    try:
        for number, upload in enumerate(uploads):
            _take(upload, place / str(number))
        return StoredImport.objects.create(
            id=import_id,
            owner=owner,
            name=name[:200],
            names=[str(upload.name)[:200] for upload in uploads],
            bytes_total=sum(upload.size or 0 for upload in uploads),
            beat_at=timezone.now(),
        )
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def read_again(upload: StoredUpload, matched: Matched, fleet: UUID | None) -> StoredImport:
    """An import of a kept file whose columns were matched by hand, for the fleet that has it or a new one."""
    import_id = uuid4()
    place = folder(import_id)
    place.mkdir(parents=True, mode=0o700)
    os.link(store_uploads.path_of(upload.pk), place / "0")  # whatever becomes of the kept file meanwhile
    return StoredImport.objects.create(
        id=import_id,
        owner=upload.owner,
        name=upload.name,
        names=[upload.name],
        bytes_total=upload.size,
        beat_at=timezone.now(),
        upload=upload.pk,
        matched=matched_json(matched),
        fleet=fleet,
    )


def _take(upload: UploadedFile[Any], path: Path) -> None:
    if isinstance(upload, TemporaryUploadedFile):
        upload.flush()
        shutil.move(upload.temporary_file_path(), path)
    else:
        with path.open("wb") as file:
            for piece in upload.chunks():
                file.write(piece)
    upload.close()


def _mine(import_id: UUID, worker: str) -> QuerySet[StoredImport]:
    return StoredImport.objects.filter(pk=import_id, state=State.READING, worker=worker)


def _dead(now: datetime) -> Q:
    return Q(beat_at__lt=now - timedelta(seconds=settings.LEASE_SECONDS))


def claim(import_id: UUID, worker: str) -> StoredImport | None:
    """The lease for a worker, who begins at the first byte; None where there is nothing (more) for it to do."""
    now = timezone.now()
    free = Q(state=State.WAITING) | (Q(state=State.READING) & _dead(now))
    taken = StoredImport.objects.filter(free, pk=import_id).update(
        state=State.READING,
        worker=worker,
        attempts=F("attempts") + 1,
        beat_at=now,
        started_at=now,
        bytes_done=0,
        rows_done=0,
        part=1,
        again=False,
    )
    row = StoredImport.objects.get(pk=import_id) if taken else None
    if row is not None and row.attempts > ATTEMPTS_MAX:
        fail(row, worker, [(row.name, TOO_OFTEN.format(attempts=ATTEMPTS_MAX))])
        return None
    return row


def report(import_id: UUID, worker: str, far: Far) -> None:
    """Keep how far a worker is; raises Stopped when it no longer has the lease."""
    found = _mine(import_id, worker).update(
        bytes_done=far.done,
        bytes_total=far.total,
        rows_done=far.rows,
        part=far.part,
        again=far.again,
        beat_at=timezone.now(),
    )
    if not found:
        raise Stopped


def finish(row: StoredImport, worker: str, files: Sequence[ReadFile]) -> None:
    """Keep what was read, once: as the fleet of the same id, as a file that waits for its columns, or as refused."""
    if not any(file.reading.usable if row.matched else file.of_use for file in files):
        problems = [(file.reading.file, whole_file_problem(file.reading)) for file in files]
        return fail(row, worker, [(name, problem.message if problem else NO_FLEET) for name, problem in problems])
    lone = files[0].upload if len(files) == 1 and files[0].waits else None
    with transaction.atomic():
        if not _mine(row.pk, worker).update(state=State.DONE, upload=lone, beat_at=timezone.now()):
            raise Stopped
        if lone is None:
            _save(row, files)
    shutil.rmtree(folder(row.pk), ignore_errors=True)
    return None


def _save(row: StoredImport, files: Sequence[ReadFile]) -> None:
    """The files as a fleet; a file that was read once more takes its own place in the fleet that has it."""
    fleet = StoredFleet.objects.filter(pk=row.fleet, owner=row.owner).first() if row.fleet else None
    if fleet is not None:
        store_fleets.replace_file(fleet, files[0])
    else:
        store_fleets.save_fleet(row.owner, row.name, files, fleet_id=row.pk)
    for file in files:
        store_mappings.remember(row.owner, file.matched)


def fail(row: StoredImport, worker: str, refused: Sequence[tuple[str, str]]) -> None:
    """Keep why nothing came of the files: a name and a message for each."""
    values = [{"file": name, "message": message} for name, message in refused]
    if _mine(row.pk, worker).update(state=State.FAILED, refused=values, beat_at=timezone.now()):
        shutil.rmtree(folder(row.pk), ignore_errors=True)


def give_back(import_id: UUID, worker: str) -> None:
    """Let go of the lease, so that the next worker need not wait for its end; this attempt does not count."""
    over = timezone.now() - timedelta(seconds=settings.LEASE_SECONDS + 1)
    _mine(import_id, worker).update(beat_at=over, attempts=F("attempts") - 1)


def cancel(row: StoredImport) -> bool:
    """Stop the import and delete its files; False when it has ended already."""
    ended = StoredImport.objects.filter(pk=row.pk, state__in=UNDER_WAY).update(state=State.CANCELLED)
    if ended:
        shutil.rmtree(folder(row.pk), ignore_errors=True)
    return bool(ended)


def left_behind() -> list[StoredImport]:
    """Imports under way of which no living worker or fresh visitor has said anything for the length of a lease."""
    return list(StoredImport.objects.filter(_dead(timezone.now()), state__in=UNDER_WAY))


def hand_to(row: StoredImport, task: UUID) -> bool:
    """Note which task of the queue is to read it; False when another process has just handed it on."""
    found = StoredImport.objects.filter(pk=row.pk, task=row.task, state__in=UNDER_WAY)
    return bool(found.update(task=task))


def beat(worker: str) -> None:
    """Say that a worker is alive, and with it the lease of what it reads."""
    now = timezone.now()
    StoredWorker.objects.update_or_create(name=worker, defaults={"seen_at": now})
    StoredImport.objects.filter(state=State.READING, worker=worker).exclude(_dead(now)).update(beat_at=now)


def leave(worker: str) -> None:
    """Say that a worker has ended."""
    StoredWorker.objects.filter(name=worker).delete()


def worker_runs() -> bool:
    """True when some worker was alive within the length of a lease."""
    since = timezone.now() - timedelta(seconds=settings.LEASE_SECONDS)
    return StoredWorker.objects.filter(seen_at__gte=since).exists()


def standing(row: StoredImport) -> Standing:
    """How far an import is and what it waits for."""
    share = min(1.0, row.bytes_done / max(1, row.bytes_total))
    left = None
    if row.started_at is not None and row.bytes_done > 0:
        left = (row.beat_at - row.started_at).total_seconds() * (1 - share) / share
    earlier = Q(state=State.READING) | Q(state=State.WAITING, made_at__lt=row.made_at)
    before = StoredImport.objects.filter(earlier).count() if row.state == State.WAITING else 0
    return Standing(share=share, seconds_left=left, before=before, worker_runs=worker_runs())


def purge() -> None:
    """Delete what is older than a day: imports with their files, silent workers, and uploads that were cut short.

    Kept files and mappings go after a time of their own.
    """
    store_uploads.purge()
    store_mappings.purge()
    before = timezone.now() - IMPORTS_KEPT
    old = StoredImport.objects.filter(made_at__lt=before).exclude(Q(state=State.READING) & ~_dead(timezone.now()))
    for row in old:
        shutil.rmtree(folder(row.pk), ignore_errors=True)
        row.delete()
    StoredWorker.objects.filter(seen_at__lt=before).delete()
    kept = {str(pk) for pk in StoredImport.objects.filter(state__in=UNDER_WAY).values_list("pk", flat=True)}
    for path in Path(settings.UPLOADS_DIR).iterdir():
        if path.name not in kept and path.stat().st_mtime < before.timestamp():
            _delete(path)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
