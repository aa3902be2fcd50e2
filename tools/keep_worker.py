"""Keeps one import worker running: starts it, starts it anew when it was killed, and ends it with the own parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, str(ROOT / "manage.py"), "import_worker", "--with-parent"]
LOOK_SECONDS = 0.3
RESTART_SECONDS = 2.0  # after an end within less than that: an error at the start must not become a busy loop


def stop(_signum: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def main() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    parent = os.getppid()
    while os.getppid() == parent:
        begun = time.monotonic()
        worker = subprocess.Popen(COMMAND, cwd=ROOT)
        try:
            while worker.poll() is None and os.getppid() == parent:
                time.sleep(LOOK_SECONDS)
        finally:
            worker.terminate()
            worker.wait()
        time.sleep(max(0.0, RESTART_SECONDS - (time.monotonic() - begun)))


if __name__ == "__main__":
    main()
