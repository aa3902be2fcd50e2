"""Many spoilt fleet files read: `make fuzz`. Ends with 1 when one breaks a reader, loses a row or takes too long.

Every file follows from its seed, so that what is printed can be read again: `tools/fuzz_import.py --seed N`.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SLOWEST = 2.0  # seconds of a processor for one file; a busy machine does not count
CHUNK = 500
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of some files."""

    formats: Counter[str]
    slowest: float
    peak_mib: float
    faults: tuple[str, ...]


@cache
def _at_hand() -> tuple[Any, list[tuple[str, bytes]]]:
    os.environ["DJANGO_SETTINGS_MODULE"] = "advisor.settings"
    import django  # noqa: PLC0415 (settings come from the environment that is set only now)

    django.setup()
    from advisor.loading import from_fixtures  # noqa: PLC0415
    from tests.mutations import samples  # noqa: PLC0415

    return from_fixtures()[0], samples()


def spoilt(seed: int) -> tuple[str, bytes]:
    """The name and the bytes of the file of a seed."""
    from tests.mutations import mutated  # noqa: PLC0415

    rng = random.Random(seed)  # noqa: S311 (a seed, not a secret)
    name, data = rng.choice(_at_hand()[1])
    return name, mutated(data, rng)


def fault_of(seed: int) -> tuple[str, float, str]:
    """Format, seconds, and what went wrong; empty where nothing did."""
    from advisor.engine.readers import read_file  # noqa: PLC0415

    name, data = spoilt(seed)
    begin = time.process_time()
    try:
        reading = read_file(name, io.BytesIO(data), _at_hand()[0])
    except Exception:
        return "?", time.process_time() - begin, f"{name}: {traceback.format_exc(limit=-2)}"
    seconds = time.process_time() - begin
    lost = reading.rows_read != reading.gpu_rows + reading.other_rows + reading.error_rows
    silent = not reading.usable and not reading.problems
    machines = len(reading.fleet)  # of a usage file a row is a machine, with at least one row of the file
    lost |= machines > reading.gpu_rows if reading.ledger is not None else machines != reading.gpu_rows
    told = "rows lost" if lost else "refused without a word" if silent else ""
    told = told or (f"{seconds:.1f} s" if seconds > SLOWEST else "")
    return reading.format or "none", seconds, f"{name}: {told}" if told else ""


def chunk(seeds: range) -> Tried:
    formats: Counter[str] = Counter()
    faults, slowest = [], 0.0
    for seed in seeds:
        kind, seconds, fault = fault_of(seed)
        formats[kind] += 1
        slowest = max(slowest, seconds)
        if fault:
            faults.append(f"seed {seed}, {fault}")
    return Tried(formats, slowest, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, tuple(faults))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, help="read one file again and show what it is")
    options = parser.parse_args()
    if options.seed is not None:
        name, data = spoilt(options.seed)
        print(name, data[:2000])
        print(fault_of(options.seed)[2] or "nothing wrong")
        return 0
    begin, formats, faults, slowest, peak = time.perf_counter(), Counter[str](), [], 0.0, 0.0
    chunks = [range(start, min(start + CHUNK, options.files)) for start in range(0, options.files, CHUNK)]
    with ProcessPoolExecutor(options.processes) as pool:
        for tried in pool.map(chunk, chunks):
            formats += tried.formats
            faults.extend(tried.faults)
            slowest, peak = max(slowest, tried.slowest), max(peak, tried.peak_mib)
    seconds = time.perf_counter() - begin
    print(f"{options.files:,} spoilt files of {len(_at_hand()[1])} samples in {seconds:.0f} s, slowest {slowest:.2f} s")
    print(f"memory of a process at most {peak:,.0f} MiB")
    print("read as: " + ", ".join(f"{name} {number:,}" for name, number in formats.most_common()))
    print(f"{len(faults)} faults")
    for fault in faults[:SHOWN]:
        print(" ", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
