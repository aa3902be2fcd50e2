"""Reads the large files that wait in the queue, one after the other, until it is ended. The server starts one.

The worker of django-tasks-db, with what it lacks: a sign of life each second, imports of killed workers taken over, and
an end at once when it is asked to, with the import given back.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
from types import FrameType
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError, connection
from django_tasks_db.management.commands.db_worker import Worker

from advisor import store, store_imports, tasks
from advisor.management.commands._base import EngineCommand

logger = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
PURGE_SECONDS = 600.0


class ImportWorker(Worker):
    """The package's worker; a signal ends it at once."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """End the loop and what it does; the import that is being read is given back on the way out."""
        self.running = False
        sys.exit(0)


class Heart(threading.Thread):
    """Says each second that the worker is alive, takes back what dead ones left, and ends it with its parent."""

    def __init__(self, worker: str, parent: int | None) -> None:
        super().__init__(daemon=True)
        self.worker, self.parent = worker, parent
        self.over = threading.Event()
        self.purged = -PURGE_SECONDS

    def run(self) -> None:
        while not self.over.wait(BEAT_SECONDS):
            if self.parent is not None and os.getppid() != self.parent:
                os.kill(os.getpid(), signal.SIGTERM)
            try:
                self.beat()
            except (DatabaseError, OSError):
                logger.exception("no sign of life could be given")
        connection.close()

    def beat(self) -> None:
        """One sign of life."""
        store_imports.beat(self.worker)
        tasks.take_back()
        if time.monotonic() - self.purged >= PURGE_SECONDS:
            self.purged = time.monotonic()
            store_imports.purge()
            tasks.forget_old()


class Command(EngineCommand):
    help = "Read the large files that wait, until ended. `make run` starts one by itself."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--until-idle", action="store_true", help="end when nothing waits")
        parser.add_argument("--with-parent", action="store_true", help="end when the process ends that started this")

    def handle(self, *_args: Any, **options: Any) -> None:
        name = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(4)}"
        store.catalogue()  # read now, not when the first file waits for it
        worker = ImportWorker(
            queue_names=[tasks.QUEUE],
            interval=1.0,
            batch=options["until_idle"],
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=name,
            excluded_queue_names=[],
        )
        worker.configure_signals()
        store_imports.beat(name)
        heart = Heart(name, os.getppid() if options["with_parent"] else None)
        heart.start()
        try:
            worker.run()
        finally:
            heart.over.set()
            heart.join()
            store_imports.leave(name)
