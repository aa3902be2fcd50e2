"""What gunicorn does here besides serving: it starts and ends the keeper of the import worker with itself."""

import subprocess
import sys
from typing import Any

from advisor.settings import BASE_DIR, START_WORKER

keeper: list["subprocess.Popen[bytes]"] = []


def when_ready(_server: Any) -> None:
    """The server listens: the worker may start."""
    if START_WORKER:
        command = [sys.executable, str(BASE_DIR / "tools" / "keep_worker.py")]
        keeper.append(subprocess.Popen(command, cwd=BASE_DIR))  # noqa: S603 (our own program)


def on_exit(_server: Any) -> None:
    """The server ends, and with it the worker."""
    for process in keeper:
        process.terminate()
