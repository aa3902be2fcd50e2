"""Ten thousand random fleets at three horizons, each answer held against the facts: called by `make bench`.

What is checked stands in tests/independent: every size of every pool is either ranked, with machines, hours, price and
cost of ownership worked out a second time from the fixture files and the formulas of the design, or refused for just
the reasons that the facts give. So the first choice is the best of all sizes by the strategy that was asked for. Each
violation is printed with the seed of its fleet; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOGETHER = 50  # fleets of one advice: pools do not depend on each other, and what they share is worked out once
SHOWN = 40
TOLD = 20  # batches between two lines that say how far it is


@cache
def checker() -> tuple[Any, Any]:
    """World and checker of this process."""
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "advisor.settings"
    import django  # noqa: PLC0415 (settings come from the environment that is set only now)

    django.setup()
    from advisor.engine.candidates import World  # noqa: PLC0415
    from advisor.engine.quotes import Quotes  # noqa: PLC0415
    from advisor.loading import from_fixtures  # noqa: PLC0415
    from tests.independent.check import Checker  # noqa: PLC0415
    from tests.independent.facts import Facts  # noqa: PLC0415
    from tests.independent.fleets import speeds_of  # noqa: PLC0415

    catalogue, book = from_fixtures()
    world = World(catalogue, Quotes(book, catalogue))
    return world, Checker(Facts(), speeds_of(world))


def check(seeds: Sequence[int]) -> tuple[list[str], Counter[str]]:
    """Violations in the answers to the fleets of `seeds`, and what was looked at."""
    world, held = checker()
    from tests.independent.fleets import check_fleets, random_question  # noqa: PLC0415

    held.seen.clear()
    return list(check_fleets(seeds, random_question(seeds[0]), world, held)), held.seen.copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--fleets", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first fleet, a multiple of 50 to replay one")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    last = options.first + options.fleets
    batches = [range(first, min(first + TOGETHER, last)) for first in range(options.first, last, TOGETHER)]
    seen: Counter[str] = Counter()
    faults: list[str] = []
    begin = time.perf_counter()
    with get_context("spawn").Pool(options.processes) as pool:
        for number, (found, counted) in enumerate(pool.imap_unordered(check, batches), 1):
            seen += counted
            if number % TOLD == 0:
                told = f"{number * TOGETHER:,} of {options.fleets:,} fleets, {len(faults):,} violations"
                print(f"{time.perf_counter() - begin:8,.0f} s: {told}", flush=True)
            for fault in found[: max(0, SHOWN - len(faults))]:
                print(fault, flush=True)
            faults += found
    seconds = time.perf_counter() - begin
    print(
        f"random fleets, each at 3 horizons: {seen['fleets x horizons'] / 3:,.0f} fleets, {seen['pools']:,} pools "
        f"({seen['empty']:,} without any option), {seen['options']:,} options and {seen['refusals']:,} refusals "
        f"checked in {seconds:,.0f} s with {options.processes} processes; {len(faults):,} violations"
    )
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
