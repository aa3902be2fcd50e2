"""Two Dask workers of one thread each against one, on the same parts of a cost export: `make bench`.

Workers are started, and have imported what they need, before the clock runs. The readings must be the same.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench_costs import write_parts

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TARGET = 1.6


def seconds_of(read_parts: Any, folder: Path, repeat: int) -> tuple[list[float], Any]:
    """Seconds of each reading of the folder, and what was read."""
    from advisor.engine.readers.export_folder import read_folder  # noqa: PLC0415
    from advisor.engine.readers.summary import reading_json  # noqa: PLC0415

    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        readings = read_folder(folder, read_parts)
        seconds.append(time.perf_counter() - begin)
    return seconds, [reading_json(reading) for reading in readings]


def compare(catalogue: Any, folder: Path, warm: Path, repeat: int) -> None:
    from advisor.over_dask import LOCAL, parts_over  # noqa: PLC0415

    found: list[tuple[Sequence[float], Any]] = []
    for workers in (1, 2):
        with parts_over(LOCAL, catalogue, {}, workers=workers) as read_parts:
            seconds_of(read_parts, warm, 2)
            seconds, answer = seconds_of(read_parts, folder, repeat)
        print(f"  {workers} worker{'s' if workers > 1 else ' '}  {statistics.median(seconds):7.2f} s  "
              f"({min(seconds):.2f} to {max(seconds):.2f})")  # fmt: skip
        found.append((seconds, answer))
    if found[0][1] != found[1][1]:
        raise SystemExit("one worker and two read different figures")
    ratio = statistics.median(found[0][0]) / statistics.median(found[1][0])
    print(f"  ratio      {ratio:7.2f}   (target at least {TARGET:g}; a busy machine gives less)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--parts", type=int, default=12)
    parser.add_argument("--mib", type=int, default=24, help="of each part")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "advisor.settings"
    with tempfile.TemporaryDirectory(prefix="advisor-bench-") as name:
        os.environ["ADVISOR_VAR_DIR"] = f"{name}/var"
        import django  # noqa: PLC0415 (settings come from the environment that is set only now)

        django.setup()
        from advisor.loading import from_fixtures  # noqa: PLC0415

        folder, warm = Path(name, "export"), Path(name, "warm")
        write_parts(folder, options.parts, options.mib)
        write_parts(warm, 4, 1)
        load = os.getloadavg()[0]
        print(f"\na cost export of {options.parts} parts of {options.mib} MiB over Dask, one thread per worker")
        print(f"load of the machine at the start {load:.1f}")
        compare(from_fixtures()[0], folder, warm, options.repeat)


if __name__ == "__main__":
    main()
