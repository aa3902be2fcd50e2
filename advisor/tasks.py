"""The task of the queue: read an import outside of any request. Safe to run twice, at once or one after the other.

The queue is the database (django-tasks-db). It does not take back tasks whose worker was killed, so `take_back` does.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_tasks import TaskContext, task
from django_tasks_db.models import DBTaskResult

from advisor import store, store_imports, store_mappings, store_uploads, uploads
from advisor.engine.catalogue import Catalogue
from advisor.models import StoredImport
from advisor.store_fleets import ReadFile
from advisor.store_imports import Far, Stopped

logger = logging.getLogger(__name__)

QUEUE = "imports"
REPORT_SECONDS = 0.4  # between two writes of how far it is, each of which also asks whether to go on
BROKEN = "The reading stopped with an error of this program. Nothing of the file is kept; the server's log has more."


@task(queue_name=QUEUE, takes_context=True)
def read_import(context: TaskContext, import_id: str) -> None:
    """Read an import as the worker that took this task."""
    read_as(context.task_result.worker_ids[-1], UUID(import_id))


def enqueue(row: StoredImport) -> None:
    """Put an import into the queue; one that is there already is put there once more only by `take_back`."""
    with transaction.atomic():
        found = read_import.enqueue(str(row.pk))
        if not store_imports.hand_to(row, UUID(found.id)):
            DBTaskResult.objects.filter(pk=found.id).delete()


def take_back() -> None:
    """Put imports of killed workers into the queue again; those that still wait in it are left where they are."""
    for row in store_imports.left_behind():
        if row.task is None or not DBTaskResult.objects.ready().filter(pk=row.task).exists():
            logger.warning("import %s is taken back from worker %s", row.pk, row.worker or "none")
            enqueue(row)


def forget_old() -> None:
    """Delete tasks of more than a day ago, those of killed workers too."""
    DBTaskResult.objects.filter(enqueued_at__lt=timezone.now() - store_imports.IMPORTS_KEPT).delete()


class Watch:
    """Progress of the files of an import, in bytes of all of them, kept in its row. Called by readers.

    A file that is read once more counts twice in the bytes to read. Of a file that holds several, each is a part of its
    own: the bytes begin again with it, since nobody knows before how many there are.
    """

    def __init__(self, row: StoredImport, worker: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.row, self.worker, self.clock = row, worker, clock
        self.total = sum(path.stat().st_size for path in store_imports.folder(row.pk).iterdir())
        self.size = self.before = self.done = 0  # bytes: of this file, read before it, and read of it
        self.rows_before = self.rows = 0
        self.of = 0  # what the reader says that there is of this part
        self.part, self.again = 1, False
        self.reported = clock()

    def begin(self, size: int) -> None:
        """The next file, of so many bytes."""
        self.before += self.size
        self.rows_before += self.rows
        self.size, self.done, self.rows, self.of, self.part, self.again = size, 0, 0, 0, 1, False

    def __call__(self, at: int, of: int, rows: int) -> None:
        done = round(self.size * at / max(of, 1))
        if self.of and of != self.of:
            self.part += 1
            self.rows_before += self.rows
        elif done < self.done:
            self.before, self.total, self.again = self.before + self.size, self.total + self.size, True
        self.done, self.of, self.rows = done, of, rows
        if self.clock() - self.reported >= REPORT_SECONDS or at == of:
            self.report()

    def report(self) -> None:
        """Keep how far it is; raises Stopped when the import is cancelled or lost."""
        done, rows = self.before + self.done, self.rows_before + self.rows
        far = Far(done=done, total=self.total, rows=rows, part=self.part, again=self.again)
        store_imports.report(self.row.pk, self.worker, far)
        self.reported = self.clock()


def read_as(worker: str, import_id: UUID) -> None:
    """Read an import if it is free, and keep what was read if it is still this worker's then."""
    row = store_imports.claim(import_id, worker)
    if row is None:
        return
    files: list[ReadFile] = []
    try:
        _read(row, worker, files)
        store_imports.finish(row, worker, uploads.as_one_fleet(files))
        return
    except Stopped:
        logger.info("import %s: cancelled or taken over", import_id)
    except SystemExit:  # the worker is asked to end: its loop ends after this task
        store_imports.give_back(import_id, worker)
    except Exception:
        logger.exception("import %s failed", import_id)
        store_imports.fail(row, worker, [(row.name, BROKEN)])
    if row.matched is None:  # what this reading has put aside; a file that is read once more was kept before
        store_uploads.delete_ids(file.upload for file in files)


def _read_one(row: StoredImport, name: str, stream: BinaryIO, catalogue: Catalogue, watch: Watch) -> ReadFile:
    if row.matched is None:
        return uploads.read_upload(name, stream, catalogue, owner=row.owner, progress=watch)
    matched = store_mappings.matched_of(row.matched)
    return replace(uploads.read_upload(name, stream, catalogue, matched=matched, progress=watch), upload=row.upload)


def _read(row: StoredImport, worker: str, files: list[ReadFile]) -> None:
    """Read the files of an import one after the other into `files`."""
    catalogue = store.catalogue()
    place = store_imports.folder(row.pk)
    try:
        watch = Watch(row, worker)
        for number, name in enumerate(row.names):
            path = place / str(number)
            watch.begin(path.stat().st_size)
            with path.open("rb") as stream:
                files.append(_read_one(row, name, stream, catalogue, watch))
    except FileNotFoundError as error:
        if StoredImport.objects.filter(pk=row.pk, state=StoredImport.State.CANCELLED).exists():
            raise Stopped from error
        raise
