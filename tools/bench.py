"""How long reading and advising take, and how much memory: `make bench`.

Seven questions, each answered with the median of some runs and the least and most of them:
a million rows read, and read and advised, in a process of its own, against `pandas.read_csv` of the same file; the
memory of a list of 200 MiB; advising alone for a thousand and a million rows of the same pools; one advice for thirty
pools; reading a price sheet; one advice for a thousand pools, part by part; and a cost export read in a process of its
own, as CSV and as Parquet.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import IO, Any

from bench_costs import write_costs
from bench_sheets import write_sheet

ROOT = Path(__file__).resolve().parent.parent
AS_OF = date(2026, 11, 30)
HEADER = "name,size,region,count,hours_per_month,os,workload,department"
SIZES = {
    "Standard_NC6s_v3": "training",
    "Standard_NC24s_v3": "hpc",
    "Standard_ND40rs_v2": "training",
    "Standard_NV12s_v3": "graphics",
    "Standard_NC4as_T4_v3": "inference",
    "Standard_NC16as_T4_v3": "inference",
    "Standard_NV36ads_A10_v5": "graphics",
    "Standard_NC24ads_A100_v4": "inference",
    "Standard_NC96ads_A100_v4": "training",
    "Standard_ND96asr_v4": "training",
}
REGIONS = ("westeurope", "eastus", "southcentralus", "koreacentral")
DEPARTMENTS = ("vision", "speech", "search", "design", "cfd", "risk", "robotics", "labs")
PANDAS = "import sys, pandas; pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)"
TARGET_RATIO = 2.5  # of reading; of reading and advising 4
TARGET_ADVISED = 4.0
LONG_LINES = 5_000_000  # some 200 MiB
TARGET_THOUSAND = 2.0
TARGET_PEAK_MIB = 600.0
LARGE_MIB = 500  # of a cost export, which is read once where it is larger
AS_PARQUET = """
import sys
from pyarrow import csv, parquet
source = csv.open_csv(sys.argv[1])
with parquet.ParquetWriter(sys.argv[2], source.schema) as target:
    for batch in source:
        target.write_batch(batch)
"""


@dataclass(frozen=True)
class Runs:
    """Seconds of each run, and the peak memory of the largest where each was a process."""

    seconds: tuple[float, ...]
    peak_mib: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def __str__(self) -> str:
        memory = "" if self.peak_mib is None else f", peak {self.peak_mib:,.0f} MiB"
        return f"{self.median:7.2f} s ({min(self.seconds):.2f} to {max(self.seconds):.2f}){memory}"


def lines(rows: int, pools: int) -> Iterator[str]:
    """The same lines for the same arguments: every pool from the first `pools` lines on, then at random."""
    rng = random.Random(20261130)  # noqa: S311 (a seed, not a secret)
    kinds = [(size, region, SIZES[size]) for size, region in islice(product(SIZES, REGIONS), pools)]
    for number in range(rows):
        size, region, work = kinds[number] if number < pools else rng.choice(kinds)
        hours = rng.choice((730, 730, 730, 365, 176, 80))
        system = "Windows" if work == "graphics" else "Linux"
        yield f"vm-{number:07d},{size},{region},1,{hours},{system},{work},{rng.choice(DEPARTMENTS)}"


def write_list(path: Path, rows: int, pools: int = 40) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER + "\n")
        file.writelines(f"{line}\n" for line in lines(rows, pools))
    return path


def write_pools(path: Path, pools: int) -> Path:
    """A list whose every line is a pool of its own."""
    rng = random.Random(20261130)  # noqa: S311 (a seed, not a secret)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("name,size,region,count,hours_per_vm,os,workload,pool\n")
        for number in range(pools):
            size, region = rng.choice(list(SIZES)), rng.choice(REGIONS)
            count, hours = rng.randint(1, 40), rng.choice((730, 365, 176, 80))
            file.write(f"vm,{size},{region},{count},{hours},Linux,{SIZES[size]},pool {number}\n")
    return path


def run_process(command: list[str], sink: IO[bytes]) -> tuple[float, float]:
    """Seconds and peak MiB of one process with its standard output in `sink`; raises when it fails."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=sink)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def time_processes(commands: dict[str, list[str]], repeat: int) -> dict[str, Runs]:
    """All commands in turn, `repeat` times, so that a busy machine disturbs them alike."""
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    with Path(os.devnull).open("wb") as sink:
        for _ in range(repeat):
            for name, command in commands.items():
                seen[name].append(run_process(command, sink))
    return {
        name: Runs(tuple(seconds for seconds, _ in runs), max(peak for _, peak in runs)) for name, runs in seen.items()
    }


def time_calls(call: Callable[[], object], repeat: int) -> Runs:
    call()  # what is made once per process is no part of an answer
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return Runs(tuple(seconds))


class InProcess:
    """The engine in this process, on the catalogue as loaded."""

    def __init__(self) -> None:
        sys.path.insert(0, str(ROOT))
        os.environ["DJANGO_SETTINGS_MODULE"] = "advisor.settings"
        import django  # noqa: PLC0415 (settings come from the environment that is set only now)

        django.setup()
        from advisor import store  # noqa: PLC0415
        from advisor.engine.candidates import World  # noqa: PLC0415
        from advisor.engine.quotes import Quotes  # noqa: PLC0415
        from advisor.engine.request import AdviceRequest  # noqa: PLC0415

        self.catalogue = store.catalogue()
        self.world = World(self.catalogue, Quotes(store.price_book(), self.catalogue))
        self.request = AdviceRequest(as_of=AS_OF)

    def read(self, path: Path) -> Any:
        from advisor.engine.readers import read_file  # noqa: PLC0415

        with path.open("rb") as stream:
            return read_file(path.name, stream, self.catalogue)

    def read_sheet(self, path: Path) -> Any:
        from advisor.engine.sheets import read_price_sheet  # noqa: PLC0415

        with path.open("rb") as stream:
            return read_price_sheet(path.name, stream, self.catalogue)

    def advise(self, reading: Any) -> Any:
        from advisor.engine.advice import advise  # noqa: PLC0415

        return advise([reading], self.world, self.request)

    def parts(self, reading: Any, repeat: int) -> dict[str, Runs]:
        """Seconds of each part of an advice, on the tables of the parts before it."""
        from advisor.engine.break_even import lines_of  # noqa: PLC0415
        from advisor.engine.explain import explain_pools  # noqa: PLC0415
        from advisor.engine.money import money_facts  # noqa: PLC0415
        from advisor.engine.price_rows import PriceModels  # noqa: PLC0415
        from advisor.engine.ranges import RANGED, ranges  # noqa: PLC0415
        from advisor.engine.stages import run_stages  # noqa: PLC0415
        from advisor.engine.tornado import tornado  # noqa: PLC0415
        from advisor.engine.variants import BASE  # noqa: PLC0415

        world, request = self.world, self.request
        stages = run_stages([reading], world, request)
        if stages is None:
            raise SystemExit("no pool to time")
        ranked, pools = stages.ranked, stages.pools
        starts = ranked.flat("pool_index").searchsorted(range(len(stages.variants) + 1)).tolist()
        of_pools = (stages.variants.flat("variant") == BASE).nonzero()[0].tolist()
        places = [range(starts[v], starts[v + 1]) for v in of_pools]
        shown = ranked.take([row for place in places for row in place[:RANGED]])
        basis = [pool["hours_basis"] for pool in pools]
        assume = request.assumptions()
        months = request.horizon_months
        calls: dict[str, Callable[[], object]] = {
            "stages (pools to ranking)": lambda: run_stages([reading], world, request),
            "ranges (1,000 draws)": lambda: ranges(ranked, pools, places, request, assume),
            "tornado": lambda: tornado(ranked, basis, places, request, assume),
            "price models": lambda: PriceModels(shown, world, request),
            "break-even lines": lambda: lines_of(money_facts(shown), "payg", months, assume),
            "all after the stages": lambda: explain_pools(stages, world, request),
            "not above: every option with its prices put together": lambda: put_together(
                explain_pools(stages, world, request)[0]
            ),
        }
        return {name: time_calls(call, repeat) for name, call in calls.items()}


def put_together(pools: Any) -> int:
    """Look at every option of every pool and at each of its prices, as JSON does; answers how many prices."""
    return sum(len(option.prices) for pool in pools for option in pool.options)


def versions() -> str:
    import django  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    return (
        f"Python {platform.python_version()}, numpy {np.__version__}, pandas {pd.__version__}, "
        f"Django {django.get_version()}, {platform.platform()}, {os.cpu_count()} CPUs"
    )


def bench(rows: int, repeat: int, folder: Path, costs: int) -> None:
    os.environ["ADVISOR_VAR_DIR"] = str(folder / "var")  # the user's own database is left alone
    manage = [sys.executable, str(ROOT / "manage.py")]
    day = ["--as-of", AS_OF.isoformat()]
    large, small = write_list(folder / "large.csv", rows), write_list(folder / "small.csv", 1000)
    thirty = write_list(folder / "thirty.csv", 30, pools=30)
    print(versions())
    load = os.getloadavg()[0]
    print(f"median of {repeat} (least to most), load of the machine at the start {load:.1f}")
    with Path(os.devnull).open("wb") as sink:
        run_process([*manage, "sizes"], sink)  # loads the catalogue, once

    print(f"\n{rows:,} rows, {large.stat().st_size / 1024**2:.0f} MiB, each time in a process of its own")
    runs = time_processes(
        {
            "inspect": [*manage, "inspect", str(large), "--json"],
            "advise": [*manage, "advise", str(large), "--json", *day],
            "pandas": [sys.executable, "-c", PANDAS, str(large)],
        },
        repeat,
    )
    print(f"  inspect FILE --json  {runs['inspect']}")
    print(f"  advise FILE --json   {runs['advise']}")
    print(f"  pandas.read_csv      {runs['pandas']}")
    for name, target in (("inspect", TARGET_RATIO), ("advise", TARGET_ADVISED)):
        ratio = runs[name].median / runs["pandas"].median
        print(f"  ratio of {name:<12}{ratio:7.2f}   (target at most {target:g})")
    bench_long(manage, folder)

    engine = InProcess()
    print("\nin one process, without reading")
    readings = {"1,000 rows": engine.read(small), f"{rows:,} rows": engine.read(large)}
    advising = {name: time_calls(partial(engine.advise, reading), repeat) for name, reading in readings.items()}
    for name, runs_of in advising.items():
        pools = len(engine.advise(readings[name]).pools)
        print(f"  {name:>14}, {pools} pools  {runs_of}")
    few, many = advising.values()
    print(f"  ratio                     {many.median / few.median:7.2f}")
    reading = engine.read(thirty)
    pools = len(engine.advise(reading).pools)
    print(f"  {'30 rows':>14}, {pools} pools  {time_calls(lambda: engine.advise(reading), repeat)}")
    thousand = engine.read(write_pools(folder / "thousand.csv", 1000))
    print(f"\n1,000 pools, ranges for the first 12 options, all price models (target at most {TARGET_THOUSAND:g} s)")
    print(f"  advise                    {time_calls(lambda: engine.advise(thousand), repeat)}")
    for name, runs_of in engine.parts(thousand, repeat).items():
        print(f"    {name:<24}{runs_of}")
    print(f"\nreading {rows:,} rows in this process  {time_calls(lambda: engine.read(large), min(repeat, 3))}")
    sheet = write_sheet(folder / "sheet.csv", engine.catalogue)
    found = engine.read_sheet(sheet)
    print(f"\na price sheet of {found.rows_read:,} rows, {found.priced_rows:,} of them prices of GPU machines")
    print(f"  reading                   {time_calls(lambda: engine.read_sheet(sheet), repeat)}   (target at most 5 s)")

    bench_costs(manage, repeat, folder, costs)


def bench_long(manage: list[str], folder: Path) -> None:
    """The memory of a long list whose machines all differ in their hours and costs."""
    rng, kinds = random.Random(20261130), list(product(SIZES, REGIONS))  # noqa: S311 (a seed, not a secret)
    path = folder / "long.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("size,region,hours,cost\n")
        for _ in range(LONG_LINES):
            size, region = rng.choice(kinds)
            file.write(f"{size},{region},{rng.random() * 730:.3f},{rng.random() * 900:.3f}\n")
    runs = time_processes({"long": [*manage, "inspect", str(path), "--json"]}, 1)["long"]
    size = path.stat().st_size / 1024**2
    print(f"\na list of {LONG_LINES:,} rows, {size:.0f} MiB, target under {TARGET_PEAK_MIB:g} MiB of memory")
    print(f"  inspect FILE --json  {runs}")
    path.unlink()


def bench_costs(manage: list[str], repeat: int, folder: Path, mib: int) -> None:
    """A cost export in a process of its own; what its start takes is told by an export of 1 MiB."""
    export, packed = write_costs(folder / "costs.csv", mib), folder / "costs.parquet"
    tiny = write_costs(folder / "tiny.csv", 1)
    with Path(os.devnull).open("wb") as sink:
        run_process([sys.executable, "-c", AS_PARQUET, str(export), str(packed)], sink)
    files = {"CSV": export, "Parquet": packed, "CSV, the start": tiny}
    commands = {name: [*manage, "inspect", str(path), "--json"] for name, path in files.items()}
    runs = time_processes(commands, min(repeat, 3 if mib <= LARGE_MIB else 1))
    start = runs["CSV, the start"].median
    text = export.stat().st_size / 1024**2
    print(f"\na cost export of {text:.0f} MiB, target under {TARGET_PEAK_MIB:g} MiB of memory")
    for name, seen in runs.items():
        size = files[name].stat().st_size / 1024**2
        speed = f"{text / max(seen.median - start, 0.01):7.1f} MiB of text a second" if seen.median > start else ""
        print(f"  {name:<15}{size:6.0f} MiB  {seen}  {speed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--costs", type=int, default=1024, help="MiB of the cost export")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="advisor-bench-") as folder:
        bench(options.rows, options.repeat, Path(folder), options.costs)


if __name__ == "__main__":
    main()
